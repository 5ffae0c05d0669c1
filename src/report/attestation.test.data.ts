import type { KeyObject } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Attestation, attestationFile, payloadOf, statedHash } from './attestation.ts';
import { readSealed } from './read-attestation.ts';
import { type Envelope, envelopeText, publicPem, signed } from './signed-envelope.ts';

/** Attests other words in a folder, as whoever has a key can; without one nobody signs them. */
export function attestOtherwise(
  dir: string,
  change: (attestation: Attestation) => Attestation,
  key?: KeyObject,
): void {
  const { publicKey: _, ...before } = change(readSealed(dir).attestation);
  const stated = { ...before, ...(key && { publicKey: publicPem(key) }) };
  const payload = payloadOf({ ...stated, statement: statedHash(stated) });
  writeFileSync(
    join(dir, attestationFile),
    envelopeText(payload, key && { key, value: signed(payload, key) }),
  );
}

/** Changes the envelope of a folder as a text, or the statement in it, and leaves the signature as it is. */
export const editEnvelope = (dir: string, change: (text: string) => string): void => {
  const path = join(dir, attestationFile);
  const before = readFileSync(path, 'utf8');
  const text = change(before);
  if (text === before) throw new Error('Nothing was changed.');
  writeFileSync(path, text);
};

export const editStatement = (dir: string, change: (text: string) => string): void =>
  editEnvelope(dir, (text) => {
    const { payload } = JSON.parse(text) as Envelope;
    const changed = change(Buffer.from(payload, 'base64').toString('utf8'));
    return text.replace(payload, Buffer.from(changed).toString('base64'));
  });
