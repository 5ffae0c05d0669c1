/** A text without its percent-encoding (RFC 3986, section 2.1); undefined where it has none that is valid UTF-8. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
