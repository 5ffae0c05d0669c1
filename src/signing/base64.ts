/**
 * The bytes of a base64 text, or undefined when the text is not exactly what an encoder would write
 * (RFC 4648 section 4: standard alphabet, padded, no white space). `Buffer.from` skips whatever it does
 * not understand, and a bank that does the same verifies signatures that were damaged on the way.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
