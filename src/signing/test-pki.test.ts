import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { expect, it } from 'vitest';
import { isIssuedBy } from './certificate.ts';
import { createTestPki, type TestPki } from './test-pki.ts';

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
