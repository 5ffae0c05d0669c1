import { type KeyObject, sign, verify } from 'node:crypto';
import { decodeBase64 } from './base64.ts';

/**
 * Base64(RSA-SHA256(text)), with the padding of PKCS #1 v1.5 that the name rsa-sha256 stands for. The
 * callback form signs on the thread pool: signing is the cost of a request, and the event loop stays free.
 */
export function signText(text: string, key: KeyObject): Promise<string> {
  return new Promise((resolve, reject) => {
    sign('sha256', Buffer.from(text, 'utf8'), key, (error, signature) => {
      if (error) reject(error);
      else resolve(signature.toString('base64'));
    });
  });
}

export function verifyText(text: string, signatureBase64: string, publicKey: KeyObject): boolean {
  const signature = decodeBase64(signatureBase64);
  if (signature === undefined || publicKey.asymmetricKeyType !== 'rsa') return false;
  return verify('sha256', Buffer.from(text, 'utf8'), publicKey, signature);
}
