import { describe, expect, it } from 'vitest';
import vectors from '../../fixtures/vectors/signatures.json' with { type: 'json' };
import { readCertificate } from './certificate.ts';
import { sameDistinguishedName } from './distinguished-name.ts';
import { encodeWord } from './encoded-word.ts';
import {
  formatKeyId,
  formatSignatureHeader,
  parseKeyId,
  parseSignatureHeader,
  SignatureFormatError,
  type SignatureParts,
} from './signature-header.ts';

const parts: SignatureParts = {
  keyId: 'SN=4F3A,CA=CN=Test CA,O=Acme\\, Inc,C=NO',
  algorithm: 'rsa-sha256',
  headers: ['date', 'x-request-id'],
  signature: 'YWJj+/==',
};
const header =
  'keyId="SN=4F3A,CA=CN=Test CA,O=Acme\\, Inc,C=NO",algorithm="rsa-sha256",headers="date x-request-id",signature="YWJj+/=="';
const specifiedOrder = ['keyId', 'algorithm', 'headers', 'signature'];

describe.each(vectors)('$name', (vector) => {
  const vectorParts: SignatureParts = {
    keyId: vector.keyId,
    algorithm: 'rsa-sha256',
    headers: vector.headers.map(([name = '']) => name),
    signature: vector.signature,
  };

  it('is written as the vector has it', () => {
    expect(formatSignatureHeader(vectorParts)).toBe(vector.signatureHeader);
  });

  it('is read from the vector', () => {
    expect(parseSignatureHeader(vector.signatureHeader)).toEqual({
      ...vectorParts,
      partOrder: specifiedOrder,
      wasEncoded: vector.signatureHeader.startsWith('=?'),
    });
  });
});

describe('formatSignatureHeader', () => {
  it('writes a distinguished name with escapes verbatim', () => {
    expect(formatSignatureHeader(parts)).toBe(header);
  });

  it('keeps an escaped quote and an escaped backslash, which delimit themselves', () => {
    const keyId = 'SN=1,CA=O=\\"x\\" \\\\';
    expect(parseSignatureHeader(formatSignatureHeader({ ...parts, keyId })).keyId).toBe(keyId);
  });

  it('escapes a value that would end its part too early', () => {
    expect(formatSignatureHeader({ ...parts, keyId: 'a"b' })).toContain('keyId="a\\"b",');
    expect(formatSignatureHeader({ ...parts, keyId: 'a\\' })).toContain('keyId="a\\\\",');
  });

  it('becomes an encoded word when a character is outside ASCII', () => {
    const written = formatSignatureHeader({ ...parts, keyId: 'SN=1,CA=CN=Ås' });
    expect(written).toMatch(/^=\?utf-8\?B\?[A-Za-z0-9+/=]+\?=$/);
    expect(parseSignatureHeader(written)).toMatchObject({ keyId: 'SN=1,CA=CN=Ås', wasEncoded: true });
  });
});

describe('parseSignatureHeader', () => {
  it('reads commas, spaces, equal signs and escapes inside values', () => {
    expect(parseSignatureHeader(header)).toEqual({ ...parts, partOrder: specifiedOrder, wasEncoded: false });
  });

  it('reads parts in another order, and reports the order', () => {
    const parsed = parseSignatureHeader(
      'signature="YQ==", headers="date" ,algorithm="rsa-sha256",keyId="SN=1,CA=CN=x"',
    );
    expect(parsed.partOrder).toEqual(['signature', 'headers', 'algorithm', 'keyId']);
    expect(parsed.headers).toEqual(['date']);
  });

  it('reads an encoded word in the Q encoding and ISO-8859-1', () => {
    const keyId = 'SN=1,CA=CN=Ås';
    const word = encodeWord(header.replace(parts.keyId, keyId), 'iso-8859-1', 'Q');
    expect(parseSignatureHeader(word)).toMatchObject({ keyId, wasEncoded: true });
  });

  it.each([
    ['an empty value', '', 'empty'],
    ['white space', '  ', 'empty'],
    ['a missing part', header.replace('algorithm="rsa-sha256",', ''), 'no part "algorithm"'],
    ['a part that comes twice', `${header},keyId="x"`, '"keyId" more than once'],
    ['an unknown part', `${header},created="1"`, 'unknown part "created"'],
    ['an unquoted value', header.replace('"rsa-sha256"', 'rsa-sha256'), 'name="value"'],
    ['garbage', 'garbage', 'name="value" at "garbage"'],
    ['a scheme in front', `Signature ${header}`, 'name="value"'],
    ['a value that does not end', header.slice(0, -1), 'name="value"'],
    ['a comma at the end', `${header},`, 'name="value"'],
    ['a quote without a backslash', header.replace('Acme\\, Inc', '"Acme, Inc"'), 'name="value"'],
    ['an empty part', header.replace('YWJj+/==', ''), '"signature" of the Signature header is empty'],
    ['two spaces between names', header.replace('date x', 'date  x'), 'single space'],
    ['a broken encoded word', '=?utf-8?B?*?=', 'not base64'],
  ])('refuses %s', (_, value, problem) => {
    const attempt = () => parseSignatureHeader(value);
    expect(attempt).toThrow(SignatureFormatError);
    expect(attempt).toThrow(expect.objectContaining({ problem: expect.stringContaining(problem) }));
  });

  it('reads a long value that does not end without trying it again from every place', () => {
    // Whoever goes back at each backslash is not done within the time of a test.
    expect(() => parseSignatureHeader(`keyId="${'\\a'.repeat(2_000_000)}`)).toThrow(SignatureFormatError);
  });
});

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
