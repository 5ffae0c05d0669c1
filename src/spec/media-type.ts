/** What ends in +json is written in JSON as well (RFC 6839, section 3.1). */
const isJson = /^application\/(?:[a-z0-9!#$&^_.-]+\+)?json$/;

/**
 * Whether a Content-Type is that of the payloads of the interface: JSON, in UTF-8 where it names a charset (What the
 * service does; RFC 8259, section 11).
 */
export function isJsonMediaType(type: string): boolean {
  const [media = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return isJson.test(media) && (charset === undefined || /^"?utf-?8"?$/.test(charset));
}
