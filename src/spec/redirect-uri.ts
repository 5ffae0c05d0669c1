/** Schemes that run or read something instead of leading to the TPP. */
const dangerousSchemes = new Set([
  'javascript:',
  'data:',
  'vbscript:',
  'blob:',
  'file:',
  'about:',
  'view-source:',
]);

/** An absolute address, of a web page or of an app (`myapp://callback`). */
export function isRedirectUri(text: string): boolean {
  return URL.canParse(text) && !dangerousSchemes.has(new URL(text).protocol);
}
