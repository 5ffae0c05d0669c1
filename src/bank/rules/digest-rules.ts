import type { BankDesign } from '../design/design.ts';
import type { Rule } from '../design/route.ts';
import { oncePerRequest, rule } from '../design/rule.ts';
import type { DigestVerdict } from '../design/signing-design.ts';

export function digestRules(design: BankDesign): readonly Rule[] {
  const verdictOn = oncePerRequest(design.judgeDigest);
  const on = (requirement: string, name: string, verdict: DigestVerdict, text: string): Rule =>
    rule(requirement, name, 'digest', (request) =>
      verdictOn(request) === verdict ? { text, path: 'Digest' } : undefined,
    );
  return [
    on(
      'DIG-06',
      'Digest is SHA-256 or SHA-512',
      'unknown-algorithm',
      'The Digest is SHA-256=… or SHA-512=….',
    ),
    on('DIG-07', 'Digest is Base64', 'malformed', 'The Digest is not <algorithm>=<Base64>.'),
    on(
      'DIG-05',
      'Digest is of the bytes sent',
      'of-reserialised-json',
      'The Digest is that of the JSON written anew; it is taken over the exact bytes sent.',
    ),
    on(
      'DIG-03',
      'a SHA-256 Digest is that of the body',
      'mismatch-sha-256',
      'The Digest is not the hash of the body.',
    ),
    on(
      'DIG-10',
      'a SHA-512 Digest is that of the body',
      'mismatch-sha-512',
      'The Digest is not the hash of the body.',
    ),
  ];
}
