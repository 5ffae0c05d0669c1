import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encode, integer, nullValue, objectIdentifier, octetString, sequence } from './asn1.ts';
import { decryptionProblem } from './key-effort.ts';

type Value = ReturnType<typeof sequence>;

const number = (value: number): Value => integer(value.toString(16));
const salt = octetString(Buffer.alloc(8, 1));
const algorithm = (oid: string, ...parameters: Value[]): Value =>
  sequence(objectIdentifier(oid), sequence(...parameters));
const hmacSha256 = sequence(objectIdentifier('1.2.840.113549.2.9'), nullValue());
const aes = sequence(objectIdentifier('2.16.840.1.101.3.4.1.42'), octetString(Buffer.alloc(16)));
const pbes2 = (makesKey: Value): Value => algorithm('1.2.840.113549.1.5.13', makesKey, aes);
const pbkdf2 = (rounds: number): Value =>
  pbes2(algorithm('1.2.840.113549.1.5.12', salt, number(rounds), number(32), hmacSha256));
const scrypt = (count: number, size: number, times: number): Value =>
  pbes2(algorithm('1.3.6.1.4.1.11591.4.11', salt, number(count), number(size), number(times)));

const block = (bytes: Buffer): string =>
  `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
const pemOf = (encryption: Value): string =>
  block(encode(sequence(encryption, octetString(Buffer.alloc(64)))));

const tooLong = 'To decrypt its private key takes too long';

describe('a private key that says how much work it takes to decrypt', () => {
  it.each([
    ['PBKDF2, two billion rounds', pbkdf2(2 ** 31 - 1)],
    ['PBKDF2, more rounds than fit a number', pbkdf2(2 ** 52)],
    ['scrypt that takes much room', scrypt(2 ** 30, 8, 1)],
    ['scrypt that goes on and on', scrypt(2 ** 14, 8, 30_000)],
    ['what PKCS #12 has', algorithm('1.2.840.113549.1.12.1.3', salt, number(2 ** 31 - 1))],
    ['what PKCS #5 had', algorithm('1.2.840.113549.1.5.3', salt, number(2 ** 31 - 1))],
  ])('is left alone: %s', (_, encryption) => {
    expect(decryptionProblem(pemOf(encryption))).toContain(tooLong);
    expect(decryptionProblem(`${pemOf(pbkdf2(2048))}${pemOf(encryption)}`)).toContain(tooLong);
  });

  it.each([
    ['what openssl does', pbkdf2(2048)],
    ['a million rounds', pbkdf2(1_000_000)],
    ['scrypt as openssl has it', scrypt(2 ** 14, 8, 1)],
    ['what PKCS #12 has', algorithm('1.2.840.113549.1.12.1.3', salt, number(2048))],
  ])('is tried where it is little: %s', (_, encryption) => {
    expect(decryptionProblem(pemOf(encryption))).toBeUndefined();
  });

  it('is left alone where it does not tell', () => {
    for (const bytes of [
      Buffer.of(),
      Buffer.from('3080', 'hex'),
      Buffer.alloc(200_000, Buffer.from('3083030d3a', 'hex')),
    ])
      expect(decryptionProblem(block(bytes))).toContain('cannot be told');
  });

  it('opens what Node encrypts', () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
    });
    expect(decryptionProblem(privateKey)).toBeUndefined();
  });
});
