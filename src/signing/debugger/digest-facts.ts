import { createHash } from 'node:crypto';
import { verifyDigest } from '../digest.ts';
import { bodyWritings, digestWritings } from './body-writings.ts';
import type { SignatureFinding } from './finding.ts';
import { headerOf, type ReceivedRequest } from './received-request.ts';

export interface DigestFacts {
  /** As the header has it; undefined when absent. */
  readonly header: string | undefined;
  /** Whose hash the header is: `the body as it was received`, `the compact JSON`; undefined when nobody's. */
  readonly headerIs: string | undefined;
  readonly digests: readonly { readonly of: string; readonly value: string }[];
}

/** Whose hash the Digest header is, next to the hashes of what was received. */
export function digestFacts(request: ReceivedRequest, findings: SignatureFinding[]): DigestFacts {
  const header = headerOf(request, 'digest');
  const { body } = request;
  if (body === undefined) return { header, headerIs: undefined, digests: [] };
  const others = bodyWritings(body);
  const shown = [{ of: 'the body as it was received', value: hashOf(body) }, ...jsonDigests(body)];
  if (header === undefined) return { header, headerIs: undefined, digests: shown };
  if (verifyDigest(header, body).ok) {
    return { header, headerIs: 'the body as it was received', digests: shown };
  }
  const written = digestWritings(body, others).find(({ value }) => value === header);
  findings.push({
    id: written?.id ?? 'digest-other-body',
    requirement: digestRequirement(written?.id),
    problem:
      written === undefined
        ? 'The Digest header is not that of the body as it was received, nor of the same JSON written in another way.'
        : `The Digest header holds ${written.name}, not the digest of the body as it was received.`,
    remedy:
      'Write the body once, hash those very bytes, and send the same bytes: Digest: SHA-256=<Base64 of the hash>.',
  });
  return { header, headerIs: written?.name, digests: shown };
}

const digestRequirement = (id = ''): string => {
  if (id === 'digest-other-form') return 'DIG-07';
  return id.startsWith('digest-of-json') ? 'DIG-05' : 'DIG-03';
};

const hashOf = (bytes: Buffer): string => `SHA-256=${createHash('sha256').update(bytes).digest('base64')}`;

/** Of the two ways in which most programs write JSON, whether or not the body is one of them. */
function jsonDigests(body: Buffer): DigestFacts['digests'] {
  const writings = bodyWritings(Buffer.concat([body, Buffer.from(' ')]));
  return writings
    .filter(({ id }) => id === 'json-compact' || id === 'json-indented-2')
    .map(({ name, bytes }) => ({ of: name, value: hashOf(bytes) }));
}
