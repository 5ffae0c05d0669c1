import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import vectors from '../../fixtures/vectors/certificates.json' with { type: 'json' };
import serials from '../../fixtures/vectors/serials.json' with { type: 'json' };
import {
  CertificateError,
  isIssuedBy,
  isUpperCaseHex,
  readCertificate,
  sameSerialNumber,
  serialNumberOf,
} from './certificate.ts';
import { createCertificateAuthority, createTwinOfIssuer } from './certificate-authority.ts';

const [vector] = vectors;
if (vector === undefined) throw new Error('There are no certificate vectors.');
const der = Buffer.from(vector.base64, 'base64');

describe.each(vectors)('$name', (expected) => {
  const certificate = readCertificate(expected.certificatePem);

  it('is read as OpenSSL reads it', () => {
    expect(certificate).toMatchObject({
      base64: expected.base64,
      serialNumber: '2A01',
      issuer: 'CN=Test CA,O=Test Bank,C=NO',
      subject: 'CN=Test TPP,2.5.4.97=PSDNO-FSA-123456,O=Test TPP AS,C=NO',
      authorisationNumber: expected.authorisationNumber,
      notBefore: new Date(expected.notBefore),
      notAfter: new Date(expected.notAfter),
      fingerprint256: expected.fingerprint256,
    });
  });

  it('is issued by its authority', () => {
    expect(isIssuedBy(certificate, readCertificate(expected.authorityPem))).toBe(true);
    expect(isIssuedBy(certificate, new X509Certificate(expected.authorityPem))).toBe(true);
    expect(isIssuedBy(certificate, certificate)).toBe(false);
  });
});

describe('readCertificate', () => {
  it.each([
    ['PEM', vector.certificatePem],
    ['PEM with text around it', `subject=x\n${vector.certificatePem}\n${vector.authorityPem}`],
    ['PEM with Windows line ends', vector.certificatePem.replaceAll('\n', '\r\n')],
    ['base64', vector.base64],
    ['DER', der],
    ['DER in a Uint8Array', new Uint8Array(der)],
    ['the bytes of a PEM file', Buffer.from(vector.certificatePem)],
  ])('takes %s', (_, input) => {
    expect(readCertificate(input).fingerprint256).toBe(vector.fingerprint256);
  });

  it('tells by which algorithm its issuer has signed it', () => {
    // sha256WithRSAEncryption (RFC 4055, 5), as OpenSSL makes them by default.
    expect(readCertificate(vector.certificatePem).signatureAlgorithm).toBe('1.2.840.113549.1.1.11');
  });

  it('parses the same content once', () => {
    expect(readCertificate(vector.base64)).toBe(readCertificate(vector.base64));
    expect(readCertificate(der)).toBe(readCertificate(new Uint8Array(der)));
  });

  it.each([
    ['nothing', '', 'neither PEM nor DER'],
    ['text', 'certificate', 'neither PEM nor DER'],
    ['base64 of something else', 'YWJjZGVm', 'not an X.509 certificate'],
    ['a private key', '-----BEGIN PRIVATE KEY-----\nYWJj\n-----END PRIVATE KEY-----', 'holds PRIVATE KEY'],
    ['PEM that is cut short', vector.certificatePem.slice(0, 500), 'complete "BEGIN CERTIFICATE" block'],
    ['DER that is cut short', der.subarray(0, -1), 'not an X.509 certificate'],
    ['DER with bytes behind it', Buffer.concat([der, Buffer.from([0, 0])]), 'not exactly one DER value'],
  ])('refuses %s', (_, input, message) => {
    const attempt = () => readCertificate(input);
    expect(attempt).toThrow(CertificateError);
    expect(attempt).toThrow(message);
  });
});

it('is not issued by an authority of the same name', async () => {
  const ca = await createCertificateAuthority({ modulusLength: 512 });
  const twin = await createTwinOfIssuer(ca.certificate, { modulusLength: 1024 });
  const { certificate } = await ca.issueTpp();
  expect(twin.certificate.subject).toBe(ca.certificate.subject);
  expect(isIssuedBy(certificate, ca.certificate)).toBe(true);
  expect(isIssuedBy(certificate, twin.certificate)).toBe(false);
});

it.each(serials)('is what OpenSSL prints: $name', ({ certificatePem, serialNumber }) => {
  expect(serialNumberOf(new X509Certificate(certificatePem))).toBe(serialNumber);
});

describe('sameSerialNumber', () => {
  it.each([
    ['A1B', '0A1B'],
    ['A1B', '000A1B'],
    ['00A1B2C3', 'A1B2C3'],
    ['0', '00'],
  ])('takes %s for %s', (a, b) => {
    expect(sameSerialNumber(a, b)).toBe(true);
    expect(sameSerialNumber(b, a)).toBe(true);
  });

  it.each([
    ['a1b', 'A1B'],
    ['a1b', 'a1b'],
    ['A1B', 'A1B0'],
    ['A1B', '0xA1B'],
    ['A1B', 'A1:B'],
    ['', ''],
    ['A1B', ' A1B'],
    ['2587', 'A1B'],
  ])('does not take "%s" for "%s"', (a, b) => {
    expect(sameSerialNumber(a, b)).toBe(false);
  });
});

it('knows upper-case hexadecimal', () => {
  expect(isUpperCaseHex('0A1B')).toBe(true);
  for (const text of ['', 'a1b', 'A1G', 'A1B\n', '0xA1']) expect(isUpperCaseHex(text)).toBe(false);
});
