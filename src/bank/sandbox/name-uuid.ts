import { createHash } from 'node:crypto';

/** The same UUID for the same name (RFC 9562, version 5 layout), so that initialisation gives the same ids again. */
export function nameUuid(...parts: readonly string[]): string {
  const bytes = createHash('sha1').update(parts.join('\n')).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes
    .subarray(0, 16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
