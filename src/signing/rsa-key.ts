import { createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

export interface RsaKeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const generate = promisify(generateKeyPair);

/** A new key, made on the thread pool. 2048 bits take about half a second, 512 a few milliseconds. */
export function generateRsaKey(modulusLength: number): Promise<RsaKeyPair> {
  return generate('rsa', { modulusLength });
}

export function keyPairOf(privateKey: KeyObject): RsaKeyPair {
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

export function privateKeyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
