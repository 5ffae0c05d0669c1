import { generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { signText } from '../../src/signing/signature.ts';
import type { SignatureParts } from '../../src/signing/signature-header.ts';

export function flipOneBit(parts: SignatureParts): SignatureParts {
  const bytes = Buffer.from(parts.signature, 'base64');
  const middle = Math.floor(bytes.length / 2);
  bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle);
  return { ...parts, signature: bytes.toString('base64') };
}

let strangeKey: Promise<KeyObject> | undefined;

/** A key that no certificate of the target knows; made once, because making one takes half a second. */
export function otherKey(): Promise<KeyObject> {
  strangeKey ??= promisify(generateKeyPair)('rsa', { modulusLength: 2048 }).then(
    ({ privateKey }) => privateKey,
  );
  return strangeKey;
}

export const signedWithAnotherKey =
  (key: KeyObject) =>
  (text: string): Promise<string> =>
    signText(text, key);

export const signedWithAnotherHash =
  (hash: 'sha1' | 'sha512') =>
  async (text: string, key: KeyObject): Promise<string> =>
    sign(hash, Buffer.from(text), key).toString('base64');
