import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCertificateAuthority } from './certificate-authority.ts';
import { holdsKey, IdentityError, readIdentity } from './identity.ts';
import { privateKeyPem, signText, verifyText } from './signature.ts';

const ca = await createCertificateAuthority({ modulusLength: 512 });
const tpp = await ca.issueTpp();
const certificatePem = tpp.certificate.x509.toString();
const keyPem = privateKeyPem(tpp.privateKey);

describe('readIdentity', () => {
  it('joins a certificate and its key, which can sign', async () => {
    const identity = readIdentity('tpp', certificatePem, keyPem);
    expect(identity.name).toBe('tpp');
    expect(verifyText('text', await signText('text', identity), identity.certificate.publicKey)).toBe(true);
  });

  it('tells an identity whose key is at hand from one that only signs', () => {
    const { privateKey: _, ...device } = readIdentity('tpp', certificatePem, keyPem);
    expect([holdsKey(readIdentity('tpp', certificatePem, keyPem)), holdsKey(device)]).toEqual([true, false]);
  });

  it('takes an encrypted key with its passphrase', () => {
    const encrypted = tpp.privateKey
      .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
      .toString();
    expect(readIdentity('tpp', certificatePem, encrypted, 'secret').certificate.subject).toBe(
      tpp.certificate.subject,
    );
    expect(() => readIdentity('tpp', certificatePem, encrypted, 'wrong')).toThrow('passphrase may be wrong');
    expect(() => readIdentity('tpp', certificatePem, encrypted)).toThrow('give its passphrase');
  });

  it.each([
    ['a certificate that is none', 'x', keyPem, 'neither PEM nor DER'],
    ['a key in place of the certificate', keyPem, keyPem, 'holds PRIVATE KEY'],
    ['a key that is none', certificatePem, 'x', 'private key cannot be read'],
    ['a certificate in place of the key', certificatePem, certificatePem, 'private key cannot be read'],
    [
      'the key of another certificate',
      certificatePem,
      ca.privateKeyPem,
      'does not belong to its certificate',
    ],
    [
      'a key that is not RSA',
      certificatePem,
      privateKeyPem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
      'of type ec',
    ],
  ])('refuses %s', (_, certificate, key, message) => {
    const attempt = () => readIdentity('my seal', certificate, key);
    expect(attempt).toThrow(IdentityError);
    expect(attempt).toThrow(message);
    expect(attempt).toThrow('"my seal"');
  });
});
