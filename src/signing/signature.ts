import {
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';
import { decodeBase64 } from './digest.ts';

interface RsaKeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const generate = promisify(generateKeyPair);

/** A new key, made on the thread pool. 2048 bits take about half a second, 512 a few milliseconds. */
export function generateRsaKey(modulusLength: number): Promise<RsaKeyPair> {
  return generate('rsa', { modulusLength });
}

/** A key for TLS: made in no time, and quicker in every handshake than RSA. */
export function generateEcKey(): Pick<RsaKeyPair, 'publicKey' | 'privateKey'> {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

export function keyPairOf(privateKey: KeyObject): RsaKeyPair {
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

export function privateKeyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** What requests are signed with is sha256; the others are sent to a bank that must refuse them. */
export type SignatureHash = 'sha256' | 'sha1' | 'sha512';

/** An RSA signature with the padding of PKCS #1 v1.5, which is what the name rsa-sha256 stands for. */
export type Sign = (data: Buffer, hash: SignatureHash) => Promise<Buffer>;

/** The callback form signs on the thread pool: signing is the cost of a request, and the event loop stays free. */
export const signWith =
  (key: KeyObject): Sign =>
  (data, hash) =>
    new Promise((resolve, reject) => {
      sign(hash, data, key, (error, signature) => {
        if (error) reject(error);
        else resolve(signature);
      });
    });

/** Base64(RSA-SHA256(text)) */
export async function signText(
  text: string,
  signer: { readonly sign: Sign },
  hash: SignatureHash = 'sha256',
): Promise<string> {
  return (await signer.sign(Buffer.from(text, 'utf8'), hash)).toString('base64');
}

export function verifyText(text: string, signatureBase64: string, publicKey: KeyObject): boolean {
  const signature = decodeBase64(signatureBase64);
  if (signature === undefined || publicKey.asymmetricKeyType !== 'rsa') return false;
  return verify('sha256', Buffer.from(text, 'utf8'), publicKey, signature);
}
