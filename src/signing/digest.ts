import { createHash } from 'node:crypto';

/**
 * The bytes of a base64 text, or undefined when the text is not exactly what an encoder would write
 * (RFC 4648 section 4: standard alphabet, padded, no white space). `Buffer.from` skips whatever it does
 * not understand, and a bank that does the same verifies signatures that were damaged on the way.
 */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

export type DigestAlgorithm = 'SHA-256' | 'SHA-512';

export type DigestVerdict =
  | { readonly ok: true; readonly algorithm: DigestAlgorithm }
  | { readonly ok: false; readonly reason: 'malformed' | 'unknown-algorithm' | 'mismatch' };

const hashNames: Record<DigestAlgorithm, string> = { 'SHA-256': 'sha256', 'SHA-512': 'sha512' };

/** The `Digest` header over the exact bytes that are sent, never over re-serialised JSON. */
export function digestHeader(body: Uint8Array, algorithm: DigestAlgorithm = 'SHA-256'): string {
  return `${algorithm}=${hash(body, algorithm).toString('base64')}`;
}

/**
 * RFC 3230 section 4.3.2 allows a list of digests, with algorithm names in any case. Every digest of an
 * algorithm that we know must match; the others are ignored as long as one is known. With several matches
 * the first one is reported.
 */
export function verifyDigest(header: string, body: Uint8Array): DigestVerdict {
  const instances = header
    .split(',')
    .map((instance) => instance.trim())
    .filter((instance) => instance !== '');
  if (instances.length === 0) return { ok: false, reason: 'malformed' };

  let matched: DigestAlgorithm | undefined;
  for (const instance of instances) {
    const separator = instance.indexOf('=');
    if (separator < 1) return { ok: false, reason: 'malformed' };
    const algorithm = knownAlgorithm(instance.slice(0, separator));
    if (algorithm === undefined) continue;
    const claimed = decodeBase64(instance.slice(separator + 1));
    if (claimed === undefined) return { ok: false, reason: 'malformed' };
    if (!claimed.equals(hash(body, algorithm))) return { ok: false, reason: 'mismatch' };
    matched ??= algorithm;
  }
  return matched === undefined
    ? { ok: false, reason: 'unknown-algorithm' }
    : { ok: true, algorithm: matched };
}

function hash(body: Uint8Array, algorithm: DigestAlgorithm): Buffer {
  return createHash(hashNames[algorithm]).update(body).digest();
}

function knownAlgorithm(name: string): DigestAlgorithm | undefined {
  const upperCase = name.toUpperCase();
  return upperCase === 'SHA-256' || upperCase === 'SHA-512' ? upperCase : undefined;
}
