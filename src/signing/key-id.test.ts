import { expect, it } from 'vitest';
import vectors from '../../fixtures/vectors/signatures.json' with { type: 'json' };
import { readCertificate } from './certificate.ts';
import { sameDistinguishedName } from './distinguished-name.ts';
import { formatKeyId, parseKeyId } from './key-id.ts';
import { parseSignatureHeader } from './signature-header.ts';

it.each(vectors)('matches the certificate of the vector: $name', (vector) => {
  const { keyId } = parseSignatureHeader(vector.signatureHeader);
  const { serialNumber, issuer } = readCertificate(vector.certificateBase64);
  const written = parseKeyId(keyId);
  expect(written?.serialNumber).toBe(serialNumber);
  expect(sameDistinguishedName(written?.issuer ?? '', issuer)).toBe(true);
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
  },
);
