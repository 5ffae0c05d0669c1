import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import net, { createServer as createSocketServer } from 'node:net';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestPki, type TestPki } from '../signing/certificate-authority.ts';
import { closing, listening } from './http-proxy.test.data.ts';
import { type Transport, TransportError, type WireRequest } from './transport.ts';
import { type UndiciTransportOptions, undiciTransport } from './undici-transport.ts';

const transportTo = (origin: string, options: Partial<UndiciTransportOptions> = {}): Transport =>
  closing(undiciTransport({ origin, connections: 4, ...options }));

const toServer = async (
  server: net.Server,
  options: Partial<UndiciTransportOptions> = {},
  host = 'http://127.0.0.1',
): Promise<Transport> => transportTo(`${host}:${await listening(server)}`, options);
const serve = (answer: RequestListener): Promise<Transport> => toServer(createServer(answer));

/** Tells what came over the wire: method, target, headers and body. */
const echo: RequestListener = (incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', () => {
    const { method, url, rawHeaders } = incoming;
    const body = Buffer.concat(chunks).toString('latin1');
    response.writeHead(201, { 'X-Kept': 'as-it-is' });
    response.end(JSON.stringify({ method, url, rawHeaders, body }));
  });
};

/** How many connections were opened. */
function counting(server: net.Server): () => number {
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  return () => connections;
}

const request = (changes: Partial<WireRequest> = {}): WireRequest => ({
  method: 'GET',
  target: '/v1/accounts?a=b',
  headers: [['Host', 'bank.example']],
  body: undefined,
  ...changes,
});

const troubleOf = async (sending: Promise<unknown>): Promise<TransportError> => {
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TransportError)) throw new Error('It got an answer.', { cause: error });
  return error;
};

it('gives each address of a host far away the time to answer', async () => {
  const connect = vi.spyOn(net, 'connect');
  try {
    await (await serve((_, response) => response.end())).send(request(), 5_000);
    expect(connect).toHaveBeenCalledWith(expect.objectContaining({ autoSelectFamilyAttemptTimeout: 1_500 }));
  } finally {
    connect.mockRestore();
  }
});

describe('a server that says 100 Continue unasked', () => {
  it('loses the first request, and answers those that follow', async () => {
    const transport = await serve((incoming, response) => {
      response.writeContinue();
      echo(incoming, response);
    });
    expect(await troubleOf(transport.send(request(), 1000))).toMatchObject({
      kind: 'reset',
      isUnsent: false,
      message: 'the bank said 100 Continue unasked',
    });
    const sent = request({
      method: 'POST',
      headers: [
        ['Host', 'bank.example'],
        ['x-doubled', 'a'],
        ['X-Doubled', 'b'],
      ],
      body: Buffer.from('{"a":1}'),
    });
    const { status, headers, body } = await transport.send(sent, 1000);
    expect(status).toBe(201);
    expect(headers).toContainEqual(['X-Kept', 'as-it-is']);
    const seen = JSON.parse(body.toString());
    expect(seen).toMatchObject({ method: 'POST', url: '/v1/accounts?a=b', body: '{"a":1}' });
    expect(seen.rawHeaders.slice(0, 6)).toEqual(sent.headers.flat());
    await transport.rest?.();
    expect((await transport.send(request(), 1000)).status).toBe(201);
  });

  it('has its time, and may be gone', async () => {
    let isSilent = false;
    const server = createServer((_, response) => {
      response.writeContinue();
      if (!isSilent) response.end();
    });
    const transport = await toServer(server);
    await troubleOf(transport.send(request(), 1000));
    isSilent = true;
    expect(await troubleOf(transport.send(request(), 50))).toMatchObject({ kind: 'timeout' });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(await troubleOf(transport.send(request(), 1000))).toMatchObject({
      kind: 'refused',
      isUnsent: true,
    });
  });
});

describe('a request', () => {
  it('goes over the wire as it is: method, target, headers in order and doubled, body', async () => {
    const headers = [
      ['Host', 'bank.example'],
      ['X-Request-ID', 'first'],
      ['Date', 'today'],
      ['X-Request-ID', 'second'],
    ] as const;
    const sent = request({ method: 'POST', headers, body: Buffer.from([0x7b, 0xff, 0x7d]) });
    const seen = JSON.parse(String((await (await serve(echo)).send(sent, 2000)).body));
    expect(seen).toMatchObject({ method: 'POST', url: '/v1/accounts?a=b', body: '{\u00ff}' });
    expect(seen.rawHeaders.join('|')).toContain('X-Request-ID|first|Date|today|X-Request-ID|second');
    expect(seen.rawHeaders.join('|')).toMatch(/Host\|bank\.example/i);
  });

  it('that cannot be written is our own fault, and no trouble on the way', async () => {
    const transport = await serve((_, response) => response.end());
    const sending = transport.send(request({ headers: [['PSU-ID', 'line\nbreak']] }), 2000);
    await expect(sending).rejects.not.toBeInstanceOf(TransportError);
  });
});

describe('a response', () => {
  it('comes with status, headers in order and doubled, and the bytes of its body', async () => {
    const transport = await serve((_, response) => {
      response.writeHead(401, ['X-Twice', 'a', 'Content-Type', 'text/plain', 'X-Twice', 'b']);
      response.end(Buffer.from([0xff, 0x00, 0x01]));
    });
    const { status, headers, body } = await transport.send(request(), 2000);
    expect(status).toBe(401);
    expect(headers.filter(([name]) => /^(x-twice|content-type)$/i.test(name))).toEqual([
      ['X-Twice', 'a'],
      ['Content-Type', 'text/plain'],
      ['X-Twice', 'b'],
    ]);
    expect(body).toEqual(Buffer.from([0xff, 0x00, 0x01]));
  });

  it('has headers without the white space around their values', async () => {
    const transport = await serve((incoming) =>
      incoming.socket.end('HTTP/1.1 200 OK\r\nX-Spaced: \t a b  \t\r\nContent-Length: 0\r\n\r\n'),
    );
    const { headers } = await transport.send(request(), 2000);
    expect(headers).toContainEqual(['X-Spaced', 'a b']);
  });

  it.each([
    ['is not followed when it redirects', 302, { Location: '/elsewhere' }],
    ['may have no body', 204, {}],
  ])('%s', async (_, status, headers) => {
    const transport = await serve((__, response) => response.writeHead(status, headers).end());
    const got = await transport.send(request(), 2000);
    expect([got.status, got.body.length]).toEqual([status, 0]);
  });
});

it.each([
  [undefined, 1],
  [20, 2],
])('a connection that idles for %s ms is left: %s in all', async (idleMs, expected) => {
  const server = createServer((_, response) => response.end('here'));
  const connections = counting(server);
  const transport = await toServer(server, idleMs === undefined ? {} : { idleMs });
  await transport.send(request(), 2000);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await transport.send(request(), 2000);
  expect(connections()).toBe(expected);
});

describe('trouble', () => {
  it('is a time-out when no answer comes, and the connection serves no one else', async () => {
    const server = createServer((incoming, response) => {
      if (incoming.url !== '/silent') response.end('here');
    });
    const connections = counting(server);
    const transport = await toServer(server, { connections: 1 });
    const error = await troubleOf(transport.send(request({ target: '/silent' }), 80));
    expect(error).toMatchObject({ kind: 'timeout', message: 'no answer within 80 ms' });
    expect((await transport.send(request(), 2000)).body.toString()).toBe('here');
    expect(connections()).toBe(2);
  });

  it('is given up before its time is over where it is seen to be lost', async () => {
    const transport = await serve(() => {});
    const error = await troubleOf(transport.send(request(), 60_000, { afterMs: 20, isLost: () => true }));
    expect(error.kind).toBe('timeout');
    expect(error.message).toMatch(/^no answer within \d+ ms, while others were answered$/);
  });

  it.each<[string, string, () => Promise<Transport>, object, number?]>([
    [
      'a time-out when the body stops half-way',
      'timeout',
      () =>
        serve((_, response) => {
          response.writeHead(200, { 'Content-Length': '10' });
          response.write('half');
        }),
      {},
      80,
    ],
    [
      'a reset when the connection is cut off',
      'reset',
      () => serve((incoming) => incoming.socket.destroy()),
      { isUnsent: false },
    ],
    [
      'a reset when the body is cut off',
      'reset',
      () =>
        serve((incoming, response) => {
          response.writeHead(200, { 'Content-Length': '10' });
          response.write('half', () => incoming.socket.destroy());
        }),
      {},
    ],
    ['a matter of names when the host is unknown', 'dns', async () => transportTo('http://bank.invalid'), {}],
    [
      'one of protocol when the other side speaks no HTTP',
      'protocol',
      () =>
        toServer(
          createSocketServer((socket) => {
            socket.on('error', () => {}).resume();
            socket.end('220 mail.example ESMTP\r\n');
          }),
        ),
      {},
    ],
  ])('is %s', async (_, kind, transportOf, more, timeoutMs = 5000) => {
    const transport = await transportOf();
    expect(await troubleOf(transport.send(request(), timeoutMs))).toMatchObject({ kind, ...more });
  });

  it('is refused when nothing listens', async () => {
    const server = createSocketServer();
    const port = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    for (const host of ['127.0.0.1', 'localhost']) {
      expect((await troubleOf(transportTo(`http://${host}:${port}`).send(request(), 2000))).kind).toBe(
        'refused',
      );
    }
  });
});

describe('TLS', () => {
  // undici asks for the certificate of the host that the request names.
  const secure = request({ headers: [['Host', 'localhost']] });
  let pki: TestPki;
  beforeAll(async () => {
    // TLS refuses shorter keys.
    pki = await createTestPki({ hostnames: ['localhost'] });
  });

  const trusting = () => ({ tls: { ca: pki.ca.certificatePem } });
  const own: RequestListener = (_, response) => response.end('secret');
  const tlsServer = (options: object = {}): net.Server =>
    createTlsServer({ cert: pki.server.certificatePem, key: pki.server.privateKeyPem, ...options }, own);
  const toTls = (server: net.Server, options: Partial<UndiciTransportOptions> = {}): Promise<Transport> =>
    toServer(server, options, 'https://localhost');

  it('is taken from the authority that was given', async () => {
    const transport = await toTls(tlsServer(), trusting());
    expect((await transport.send(secure, 5000)).body.toString()).toBe('secret');
  });

  it('takes any certificate where the target says so', async () => {
    const transport = await toTls(tlsServer(), { tls: { rejectUnauthorized: false } });
    expect((await transport.send(secure, 5000)).status).toBe(200);
  });

  it.each<[string, () => Promise<Transport>, object, WireRequest?]>([
    [
      'ends before it began, and has sent nothing',
      () => toTls(createSocketServer((socket) => socket.destroy())),
      { kind: 'reset', isUnsent: true },
    ],
    ['is of an authority that nobody trusts', () => toTls(tlsServer()), { kind: 'tls' }],
    [
      'is none',
      () => toTls(createServer(own)),
      { kind: 'protocol', message: 'what answers there does not speak TLS' },
    ],
    [
      'takes no HTTP/1.1',
      () => toTls(tlsServer({ ALPNProtocols: ['h2'] }), trusting()),
      { kind: 'protocol', message: expect.stringContaining('no HTTP/1.1') },
    ],
    ['has a certificate for another host', () => toTls(tlsServer(), trusting()), { kind: 'tls' }, request()],
  ])('is trouble when that of the other side %s', async (_, transportOf, trouble, sent = secure) => {
    const transport = await transportOf();
    expect(await troubleOf(transport.send(sent, 5000))).toMatchObject(trouble);
  });
});

describe('closing', () => {
  it('connections for a while lets requests open new ones', async () => {
    const ports = new Set<number | undefined>();
    const server = createServer((incoming, response) => {
      ports.add(incoming.socket.remotePort);
      response.end();
    });
    const transport = await toServer(server, { connections: 1 });
    await transport.send(request(), 2000);
    await transport.send(request(), 2000);
    expect(ports.size).toBe(1);
    await transport.rest?.();
    await transport.send(request(), 2000);
    expect(ports.size).toBe(2);
  });

  it('ends what is under way', async () => {
    const transport = await serve(() => {});
    const sending = troubleOf(transport.send(request(), 5000));
    await transport.close();
    expect(await sending).toBeInstanceOf(TransportError);
  });
});
