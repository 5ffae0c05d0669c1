import { X509Certificate } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Server } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { createTestPki, type TestPki } from '../signing/certificate-authority.ts';
import { handshake, probeTls, reach } from './connection-probe.ts';
import { closing, listening, startProxy, type TestProxy } from './http-proxy.test.data.ts';
import { type Transport, TransportError } from './transport.ts';
import { undiciTransport } from './undici-transport.ts';

let pki: TestPki;
beforeAll(async () => {
  pki = await createTestPki();
});

const withTls = (answer: RequestListener): Server =>
  createTlsServer({ cert: pki.server.certificatePem, key: pki.server.privateKeyPem }, answer);

const greet: RequestListener = (_, response) => {
  response.end('hello');
};

/** No name server knows it: only by way of the proxy is it reached. */
const bank = 'bank.invalid';

function transportBy(proxy: string, origin = `https://${bank}`): Transport {
  return closing(
    undiciTransport({
      origin,
      connections: 1,
      proxy,
      tls: { ca: pki.ca.certificatePem, rejectUnauthorized: false },
    }),
  );
}

const get = (transport: Transport): Promise<{ readonly status: number; readonly body: Buffer }> =>
  transport.send(
    { method: 'GET', target: '/v1/accounts', headers: [['Host', bank]], body: undefined },
    5_000,
  );

const troubleOf = (transport: Transport): Promise<unknown> =>
  get(transport).then(
    () => undefined,
    (error: unknown) => error,
  );

const proxyTo = async (server: Server, statusOf?: () => number): Promise<TestProxy> =>
  closing(await startProxy(await listening(server), statusOf));

describe('requests by way of a proxy', () => {
  it.each([
    ['with TLS', `https://${bank}`, () => withTls(greet), `${bank}:443`],
    ['without', `http://${bank}:8080`, () => createServer(greet), `${bank}:8080`],
  ])('reach the bank %s, the second on the same connection', async (_, origin, server, authority) => {
    const proxy = await proxyTo(server());
    const transport = transportBy(proxy.address, origin);
    expect(String((await get(transport)).body)).toBe('hello');
    expect((await get(transport)).status).toBe(200);
    expect(proxy.asked).toEqual([{ authority, credentials: undefined }]);
  });

  it('reach a bank that says 100 Continue unasked', async () => {
    const proxy = await proxyTo(
      withTls((request, response) => {
        response.writeContinue();
        greet(request, response);
      }),
    );
    const transport = transportBy(proxy.address);
    expect(await troubleOf(transport)).toBeInstanceOf(TransportError);
    expect(String((await get(transport)).body)).toBe('hello');
    expect(proxy.asked.map(({ authority }) => authority)).toEqual([`${bank}:443`, `${bank}:443`]);
  });

  it('tell it who the user is', async () => {
    const proxy = await proxyTo(withTls(greet));
    await get(transportBy(proxy.address.replace('//', '//kari:p%40ss@')));
    expect(proxy.asked[0]?.credentials).toBe(`Basic ${Buffer.from('kari:p@ss').toString('base64')}`);
  });

  it.each([
    [407, /answers 407 when it is asked for bank\.invalid:443$/],
    [503, /answers 503 when it is asked for bank\.invalid:443$/],
  ])('fail as trouble of the proxy where it answers %d, and have not left', async (status, said) => {
    const proxy = await proxyTo(withTls(greet), () => status);
    const trouble = await troubleOf(transportBy(proxy.address.replace('//', '//kari:secret@')));
    expect(trouble).toMatchObject({ kind: 'proxy', isUnsent: true, message: expect.stringMatching(said) });
    expect(String(trouble)).not.toContain('secret');
  });

  it('fail as trouble of the proxy where there is none', async () => {
    const gone = await startProxy(1);
    await gone.close();
    expect(await troubleOf(transportBy(gone.address))).toMatchObject({
      kind: 'proxy',
      isUnsent: true,
      message: expect.stringMatching(
        /^the proxy http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/,
      ),
    });
  });
});

describe('a look at the connection by way of a proxy', () => {
  const wayBy = (proxy: string) => ({ baseUrl: `https://${bank}/psd2`, proxy, timeoutMs: 5_000 });

  it('finds the bank, its certificate and its versions of TLS', async () => {
    const way = wayBy((await proxyTo(withTls(greet))).address);
    expect(await reach(way)).toBeGreaterThanOrEqual(0);
    expect((await probeTls(way, {})).certificate.fingerprint256).toBe(
      new X509Certificate(pki.server.certificatePem).fingerprint256,
    );
    expect(await handshake(way, 'TLSv1.3', undefined)).toMatchObject({ outcome: 'connected' });
    expect(await handshake(way, 'TLSv1.1', undefined)).toMatchObject({ outcome: 'refused' });
  });

  it('knows nothing of a bank to which the proxy does not lead', async () => {
    const way = wayBy((await proxyTo(withTls(greet), () => 403)).address);
    await expect(reach(way)).rejects.toThrow(/answers 403/);
    expect(await handshake(way, 'TLSv1.3', undefined)).toMatchObject({ outcome: 'unreachable' });
  });
});
