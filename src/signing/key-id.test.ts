import { describe, expect, it } from 'vitest';
import vectors from '../../fixtures/vectors/signatures.json' with { type: 'json' };
import { readCertificate } from './certificate.ts';
import { compareKeyId, formatKeyId, parseKeyId } from './key-id.ts';
import { parseSignatureHeader } from './signature-header.ts';

const certificate = { serialNumber: '0A1B', issuer: 'CN=Test CA,C=NO' };

it.each(vectors)('matches the certificate of the vector: $name', (vector) => {
  const { keyId } = parseSignatureHeader(vector.signatureHeader);
  expect(compareKeyId(keyId, readCertificate(vector.certificateBase64))).toBe('same');
});

it('is written as SN and CA', () => {
  const keyId = { serialNumber: '0A1B', issuer: 'CN=Test CA,C=NO' };
  expect(formatKeyId(keyId)).toBe('SN=0A1B,CA=CN=Test CA,C=NO');
  expect(parseKeyId(formatKeyId(keyId))).toEqual(keyId);
});

it.each(['', 'SN=1', 'SN=1,CA=', 'SN=,CA=CN=x', 'CA=CN=x,SN=1', 'sn=1,ca=CN=x', 'SN=1, CA=CN=x'])(
  'does not read "%s"',
  (text) => {
    expect(parseKeyId(text)).toBeUndefined();
    expect(compareKeyId(text, certificate)).toBe('malformed');
  },
);

describe('compareKeyId', () => {
  const issued = { serialNumber: '0A1B', issuer: 'CN=Ås,O=Acme\\, \\"Inc\\",C=NO' };

  it.each([
    ['verbatim', 'SN=0A1B,CA=CN=Ås,O=Acme\\, \\"Inc\\",C=NO'],
    ['without leading zeros', 'SN=A1B,CA=CN=Ås,O=Acme\\, \\"Inc\\",C=NO'],
    ['with hexadecimal pairs', 'SN=0A1B,CA=CN=\\C3\\85s,O=Acme\\, \\"Inc\\",C=NO'],
    ['escaped once more as a quoted-string', 'SN=0A1B,CA=CN=Ås,O=Acme\\\\, \\\\\\"Inc\\\\\\",C=NO'],
    ['hexadecimal pairs escaped once more', 'SN=0A1B,CA=CN=\\\\C3\\\\85s,O=Acme\\\\, \\\\\\"Inc\\\\\\",C=NO'],
  ])('understands the issuer %s', (_, text) => {
    expect(compareKeyId(text, issued)).toBe('same');
  });

  it('tells what differs', () => {
    expect(compareKeyId('SN=0A1C,CA=CN=Ås,C=NO', issued)).toBe('other-serial-number');
    expect(compareKeyId('SN=0a1b,CA=CN=Ås,O=Acme\\, \\"Inc\\",C=NO', issued)).toBe('other-serial-number');
    expect(compareKeyId('SN=0A1B,CA=C=NO,O=Acme\\, \\"Inc\\",CN=Ås', issued)).toBe('other-issuer');
    expect(compareKeyId('SN=0A1B,CA=not a name', issued)).toBe('other-issuer');
  });
});
