import { verifyDigest } from '../../signing/digest.ts';
import type { BankDesign } from '../design.ts';
import type { BankRequest, Rule } from '../route.ts';
import { oncePerRequest } from './once-per-request.ts';
import { ruleMaker } from './rule.ts';

export type DigestVerdict =
  | 'absent'
  | 'verified'
  | 'malformed'
  | 'unknown-algorithm'
  | 'mismatch-sha-256'
  | 'mismatch-sha-512'
  /** The hash of the JSON written anew: a TPP's most common mistake, and a bank's. */
  | 'of-reserialised-json';

/** Over the exact bytes of the body (Common request headers, Digest). Checked wherever a request carries one. */
export function judgeDigest(request: BankRequest): DigestVerdict {
  const header = request.header('digest');
  if (header === undefined) return 'absent';
  const verdict = verifyDigest(header, request.bytes);
  if (verdict.ok) return 'verified';
  if (verdict.reason !== 'mismatch') return verdict.reason;
  if (isOfReserialisedJson(header, request)) return 'of-reserialised-json';
  return /sha-512=/i.test(header) ? 'mismatch-sha-512' : 'mismatch-sha-256';
}

function isOfReserialisedJson(header: string, { body }: BankRequest): boolean {
  if (body === undefined) return false;
  try {
    return [JSON.stringify(body), JSON.stringify(body, null, 2)].some(
      (text) => verifyDigest(header, Buffer.from(text)).ok,
    );
  } catch (error) {
    // A body can be nested deeper than it can be written.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

export function digestRules(design: BankDesign): readonly Rule[] {
  const verdictOn = oncePerRequest(design.judgeDigest);
  const rule = (requirement: string, name: string, verdict: DigestVerdict, text: string): Rule =>
    ruleMaker(design.refusals)(requirement, name, 'digest', (request) =>
      verdictOn(request) === verdict ? { text, path: 'Digest' } : undefined,
    );
  return [
    rule(
      'DIG-06',
      'Digest is SHA-256 or SHA-512',
      'unknown-algorithm',
      'The Digest is SHA-256=… or SHA-512=….',
    ),
    rule('DIG-07', 'Digest is Base64', 'malformed', 'The Digest is not <algorithm>=<Base64>.'),
    rule(
      'DIG-05',
      'Digest is of the bytes sent',
      'of-reserialised-json',
      'The Digest is that of the JSON written anew; it is taken over the exact bytes sent.',
    ),
    rule(
      'DIG-03',
      'a SHA-256 Digest is that of the body',
      'mismatch-sha-256',
      'The Digest is not the hash of the body.',
    ),
    rule(
      'DIG-10',
      'a SHA-512 Digest is that of the body',
      'mismatch-sha-512',
      'The Digest is not the hash of the body.',
    ),
  ];
}
