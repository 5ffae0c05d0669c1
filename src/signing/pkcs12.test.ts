import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readIdentity } from './identity.ts';
import { Pkcs12Error, readPkcs12 } from './pkcs12.ts';

const vector = (name: string): Buffer =>
  readFileSync(new URL(`../../fixtures/vectors/keys/${name}`, import.meta.url));
const key = createPrivateKey(vector('tpp.pem'));

describe('readPkcs12', () => {
  it.each(['tpp.p12', 'tpp-legacy.p12'])('finds certificate and key of OpenSSL’s %s', (file) => {
    const { certificate, privateKey } = readPkcs12(vector(file), 'vector');
    expect(readIdentity('tpp', certificate, privateKey).privateKey.equals(key)).toBe(true);
  });

  it('tells a wrong passphrase from a file that is something else', () => {
    expect(() => readPkcs12(vector('tpp.p12'), 'other')).toThrow('Its passphrase is another one.');
    for (const other of [Buffer.alloc(0), Buffer.from('-----BEGIN'), vector('tpp.p12').subarray(0, 900)])
      expect(() => readPkcs12(other, 'vector')).toThrow(Pkcs12Error);
  });

  it('refuses what would take minutes to open, instead of seeming to hang', () => {
    // A salt and a count, in bytes that stand in another structure: 04 is OCTET STRING, 30 SEQUENCE, 02 INTEGER.
    const many = Buffer.from('300d040b30090402aabb02032dc6c0', 'hex');
    expect(() => readPkcs12(many, 'vector')).toThrow('takes 3000000 rounds of hashing');
  });
});
