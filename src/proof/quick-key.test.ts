import { createPublicKey, sign, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCertificateAuthority } from '../signing/certificate-authority.ts';
import { quickKey } from './quick-key.ts';

test.each([512, 768])('a quick key of %i bits signs as any other RSA key', async (modulusLength) => {
  const key = quickKey(modulusLength);
  const publicKey = createPublicKey(key);
  expect(publicKey.asymmetricKeyDetails).toEqual({ modulusLength, publicExponent: 65_537n });
  const data = Buffer.from('date: Thu, 01 Jan 1970 00:00:00 GMT');
  for (let time = 0; time < 50; time += 1) {
    const text = Buffer.concat([data, Buffer.from([time])]);
    expect(verify('sha256', text, publicKey, sign('sha256', text, key))).toBe(true);
    expect(verify('sha256', data, publicKey, sign('sha256', text, key))).toBe(false);
  }
  const ca = await createCertificateAuthority({ modulusLength: 512 });
  expect((await ca.issueTpp({ key })).certificate.x509.checkPrivateKey(key)).toBe(true);
});
