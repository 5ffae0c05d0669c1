import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import vectors from '../../fixtures/vectors/signatures.json' with { type: 'json' };
import { readCertificate } from './certificate.ts';
import { signText, signWith, verifyText } from './signature.ts';

describe.each(vectors)('$name', (vector) => {
  const privateKey = createPrivateKey(vector.privateKeyPem);
  const { publicKey } = readCertificate(vector.certificateBase64);

  it('is signed as OpenSSL signs it', async () => {
    expect(await signText(vector.signingString, { sign: signWith(privateKey) })).toBe(vector.signature);
  });

  it("verifies OpenSSL's signature, and over no other text", () => {
    expect(verifyText(vector.signingString, vector.signature, publicKey)).toBe(true);
    expect(verifyText(`${vector.signingString}\n`, vector.signature, publicKey)).toBe(false);
    expect(verifyText(vector.signingString.replace('GMT', 'UTC'), vector.signature, publicKey)).toBe(false);
  });
});

describe('verifyText', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  const signer = { sign: signWith(privateKey) };

  it('verifies letters outside ASCII as UTF-8', async () => {
    expect(verifyText('a: å', await signText('a: å', signer), publicKey)).toBe(true);
  });

  it('refuses a signature by another key', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 1024 });
    expect(verifyText('text', await signText('text', { sign: signWith(other.privateKey) }), publicKey)).toBe(
      false,
    );
  });

  it('refuses base64 that is damaged, cut short or not base64 at all', async () => {
    const signature = await signText('text', signer);
    for (const damaged of [
      '',
      '*',
      ` ${signature}`,
      `${signature}=`,
      signature.slice(4),
      signature.replace(/=+$/, ''),
    ]) {
      expect(verifyText('text', damaged, publicKey)).toBe(false);
    }
  });

  it('refuses a key that is not RSA', () => {
    const { publicKey: ec } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(verifyText('text', 'YWJj', ec)).toBe(false);
  });

  it('works with 512 bits, which in-process proofs use', async () => {
    const small = generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey;
    expect(
      verifyText('text', await signText('text', { sign: signWith(small) }), createPublicKey(small)),
    ).toBe(true);
  });
});

it('rejects where the key cannot sign', async () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 512 });
  await expect(signText('text', { sign: signWith(publicKey) })).rejects.toThrow();
});
