import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import authorities from '../../fixtures/vectors/authorities.json' with { type: 'json' };
import { isIssuedBy, readCertificateFields } from './certificate.ts';
import {
  createCertificateAuthority,
  createTestPki,
  loadCertificateAuthority,
  subjectWithCommaAndNorwegianLetters,
  type TestPki,
} from './certificate-authority.ts';
import { sameDistinguishedName } from './distinguished-name.ts';
import { IdentityError } from './identity.ts';
import { privateKeyPem } from './signature.ts';

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

const pki = await createTestPki({ hostnames: ['localhost', 'bank.example'] });

it('gives a TPP with both roles that the authority vouches for', () => {
  expect(pki.tpp.certificate.roles).toEqual(['PSP_PI', 'PSP_AI']);
  expect(isIssuedBy(pki.tpp.certificate, pki.ca.certificate)).toBe(true);
});

it.each(['127.0.0.1', 'localhost', 'bank.example'])(
  "is accepted by Node's TLS for %s",
  async (servername) => {
    expect(await handshake(pki, servername)).toBe(true);
  },
);

it("is refused by Node's TLS for another host", async () => {
  await expect(handshake(pki, 'other.example')).rejects.toThrow(/altnames/);
});

it('is made of 512 bits in no time, for proofs that stay in one process', async () => {
  const fast = await createTestPki({ modulusLength: 512 });
  expect(fast.tpp.privateKey.asymmetricKeyDetails?.modulusLength).toBe(512);
});

it.skipIf(!hasOpenssl())('is accepted by openssl verify', () => {
  const folder = mkdtempSync(join(tmpdir(), 'test-pki-'));
  try {
    const files = {
      ca: pki.ca.certificatePem,
      tpp: pki.tpp.certificate.x509.toString(),
      server: pki.server.certificatePem,
    };
    for (const [name, pem] of Object.entries(files)) writeFileSync(join(folder, `${name}.pem`), pem);
    const output = execFileSync(
      'openssl',
      ['verify', '-x509_strict', '-CAfile', 'ca.pem', 'tpp.pem', 'server.pem'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    expect(output).toBe('tpp.pem: OK\nserver.pem: OK\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Connects to a server with the PKI's certificate, asking it for the given host, and with the TPP's own. */
function handshake({ ca, server, tpp }: TestPki, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const listener = createServer(
      { cert: server.certificatePem, key: server.privateKeyPem, ca: ca.certificatePem, requestCert: true },
      (socket) => socket.end(),
    );
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      const client = connect(
        {
          port,
          host: '127.0.0.1',
          ca: ca.certificatePem,
          cert: tpp.certificate.x509.toString(),
          key: tpp.privateKey.export({ type: 'pkcs8', format: 'pem' }),
          ...(host === '127.0.0.1' ? {} : { servername: host }),
        },
        () => {
          resolve(client.authorized);
          client.end();
          listener.close();
        },
      );
      client.on('error', (error) => {
        listener.close();
        reject(error);
      });
    });
  });
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
