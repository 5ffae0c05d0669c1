import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import authorities from '../../fixtures/vectors/authorities.json' with { type: 'json' };
import { isIssuedBy, readCertificateFields } from './certificate.ts';
import {
  createCertificateAuthority,
  loadCertificateAuthority,
  subjectWithCommaAndNorwegianLetters,
} from './certificate-authority.ts';
import { sameDistinguishedName } from './distinguished-name.ts';
import { IdentityError } from './identity.ts';
import { privateKeyPem } from './rsa-key.ts';

const now = new Date('2031-05-17T10:00:00Z');
const ca = await createCertificateAuthority({ modulusLength: 512, now });

it('has a name that every tool prints alike', () => {
  expect(ca.certificate.subject).toBe('CN=XS2A Test CA,O=XS2A Conformance,C=NO');
  expect(ca.certificate.issuer).toBe(ca.certificate.subject);
  expect(ca.certificate.x509.ca).toBe(true);
});

describe('issueTpp', () => {
  it('carries roles, authorisation number and a validity around now', async () => {
    const { name, certificate } = await ca.issueTpp();
    expect(name).toBe('Test TPP');
    expect(certificate).toMatchObject({
      issuer: ca.certificate.subject,
      subject: 'CN=Test TPP,2.5.4.97=PSDNO-FSA-123456,O=Test TPP AS,C=NO',
      roles: ['PSP_PI', 'PSP_AI'],
      authorisationNumber: 'PSDNO-FSA-123456',
      notBefore: new Date('2031-05-16T10:00:00Z'),
      notAfter: new Date('2032-05-16T10:00:00Z'),
    });
    expect(isIssuedBy(certificate, ca.certificate)).toBe(true);
  });

  it('gives serial numbers that every tool prints alike', async () => {
    const { privateKey: key } = await ca.issueTpp();
    for (let count = 0; count < 50; count += 1) {
      const { certificate } = await ca.issueTpp({ key });
      expect(certificate.serialNumber).toMatch(/^[1-7][0-9A-F]{31}$/);
    }
  });

  it.each([
    ['A1B2C3', 'A1B2C3'],
    ['a1b', '0A1B'],
    ['0001', '01'],
    ['FFFFFFFF', 'FFFFFFFF'],
  ])('takes the serial number %s', async (serialNumber, printed) => {
    expect((await ca.issueTpp({ serialNumber })).certificate.serialNumber).toBe(printed);
  });

  it('takes a name, roles, a validity beyond 2049 and a key', async () => {
    const first = await ca.issueTpp();
    const options = {
      name: 'mine',
      commonName: 'Blåbær',
      organisation: 'Ås, AS',
      authorisationNumber: 'PSDNO-FSA-1',
      roles: ['PSP_IC'],
      notBefore: new Date('2049-12-31T23:59:59Z'),
      notAfter: new Date('2050-01-01T00:00:00Z'),
      key: first.privateKey,
    } as const;
    const { name, certificate, privateKey } = await ca.issueTpp(options);
    expect(name).toBe('mine');
    expect(privateKey).toBe(first.privateKey);
    expect(certificate).toMatchObject({
      subject: 'CN=Blåbær,2.5.4.97=PSDNO-FSA-1,O=Ås\\, AS,C=NO',
      roles: ['PSP_IC'],
      notBefore: options.notBefore,
      notAfter: options.notAfter,
    });
  });
});

it('issues server certificates for names and addresses', async () => {
  const server = new X509Certificate((await ca.issueServer(['bank.example', '10.0.0.1'])).certificatePem);
  expect(server.checkHost('bank.example')).toBe('bank.example');
  for (const address of ['10.0.0.1', '127.0.0.1', '::1']) expect(server.checkIP(address)).toBe(address);
  expect(server.checkHost('other.example')).toBeUndefined();
});

it('can have a comma and Norwegian letters in its name', async () => {
  const odd = await createCertificateAuthority({
    modulusLength: 512,
    subject: subjectWithCommaAndNorwegianLetters,
  });
  const { certificate } = await odd.issueTpp();
  expect(certificate.issuer).toBe('CN=Ås Test CA,O=Bank\\, Sør-Trøndelag & Ås AS,C=NO');
  expect(isIssuedBy(certificate, odd.certificate)).toBe(true);
});

describe('loadCertificateAuthority', () => {
  it('issues what the authority itself would have issued', async () => {
    const loaded = loadCertificateAuthority(ca.certificatePem, ca.privateKeyPem, { modulusLength: 512 });
    expect(isIssuedBy((await loaded.issueTpp()).certificate, ca.certificate)).toBe(true);
  });

  it.each(authorities)(
    'repeats the name of an authority made with OpenSSL byte for byte: $name',
    async (vector) => {
      const loaded = loadCertificateAuthority(vector.certificatePem, vector.privateKeyPem, {
        modulusLength: 512,
      });
      const { certificate } = await loaded.issueTpp();
      const { subjectDer } = readCertificateFields(loaded.certificate.x509.raw);
      expect(sameDistinguishedName(certificate.issuer, vector.subject)).toBe(true);
      expect(certificate.x509.raw.includes(subjectDer)).toBe(true);
      expect(isIssuedBy(certificate, loaded.certificate)).toBe(true);
    },
  );

  it('refuses a certificate that is not of an authority', async () => {
    const { certificate, privateKey } = await ca.issueTpp();
    const attempt = () => loadCertificateAuthority(certificate.x509.toString(), privateKeyPem(privateKey));
    expect(attempt).toThrow(IdentityError);
    expect(attempt).toThrow('not one of an authority');
  });

  it('refuses a key that is not that of the authority', () => {
    const [other] = authorities;
    expect(() => loadCertificateAuthority(ca.certificatePem, other?.privateKeyPem ?? '')).toThrow(
      'does not belong to its certificate',
    );
  });
});
