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

/**
 * Adds parameters as text: what the TPP has in its own query and fragment stays byte for byte, because it may
 * compare its address.
 */
export function withParameters(redirectUri: string, parameters: Readonly<Record<string, string>>): string {
  const [address = '', ...fragment] = redirectUri.split('#');
  const added = Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return [address + separator + added, ...fragment].join('#');
}
