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

const serve = async (answer: RequestListener): Promise<Transport> =>
  transportTo(`http://127.0.0.1:${await listening(createServer(answer))}`);

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
  const continuing = (): Promise<Transport> =>
    serve((incoming, response) => {
      response.writeContinue();
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { method, url, rawHeaders } = incoming;
        response.writeHead(201, { 'X-Kept': 'as-it-is' });
        response.end(JSON.stringify({ method, url, rawHeaders, body: Buffer.concat(chunks).toString() }));
      });
    });

  it('loses the first request, and answers those that follow', async () => {
    const transport = await continuing();
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
    const transport = transportTo(`http://127.0.0.1:${await listening(server)}`);
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
    let seen: unknown;
    const transport = await serve((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const { method, url, rawHeaders } = incoming;
        seen = { method, url, rawHeaders, body: Buffer.concat(chunks) };
        response.end();
      });
    });
    const body = Buffer.from([0x7b, 0xff, 0x7d]);
    await transport.send(
      request({
        method: 'POST',
        headers: [
          ['Host', 'bank.example'],
          ['X-Request-ID', 'first'],
          ['Date', 'today'],
          ['X-Request-ID', 'second'],
        ],
        body,
      }),
      2000,
    );
    expect(seen).toMatchObject({ method: 'POST', url: '/v1/accounts?a=b', body });
    const { rawHeaders } = seen as { rawHeaders: string[] };
    expect(rawHeaders.join('|')).toContain('X-Request-ID|first|Date|today|X-Request-ID|second');
    expect(rawHeaders.join('|')).toMatch(/Host\|bank\.example/i);
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

  it('is not followed when it redirects', async () => {
    const transport = await serve((_, response) => response.writeHead(302, { Location: '/elsewhere' }).end());
    expect((await transport.send(request(), 2000)).status).toBe(302);
  });

  it('may have no body', async () => {
    const transport = await serve((_, response) => response.writeHead(204).end());
    expect((await transport.send(request(), 2000)).body).toHaveLength(0);
  });
});

it.each([
  [undefined, 1],
  [20, 2],
])('a connection that idles for %s ms is left: %s in all', async (idleMs, expected) => {
  let connections = 0;
  const server = createServer((_, response) => response.end('here'));
  server.on('connection', () => {
    connections += 1;
  });
  const origin = `http://127.0.0.1:${await listening(server)}`;
  const transport = transportTo(origin, idleMs === undefined ? {} : { idleMs });
  await transport.send(request(), 2000);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await transport.send(request(), 2000);
  expect(connections).toBe(expected);
});

describe('trouble', () => {
  it('is a time-out when no answer comes, and the connection serves no one else', async () => {
    let connections = 0;
    const server = createServer((incoming, response) => {
      if (incoming.url !== '/silent') response.end('here');
    });
    server.on('connection', () => {
      connections += 1;
    });
    const transport = transportTo(`http://127.0.0.1:${await listening(server)}`, { connections: 1 });
    const error = await troubleOf(transport.send(request({ target: '/silent' }), 80));
    expect(error).toMatchObject({ kind: 'timeout', message: 'no answer within 80 ms' });
    expect((await transport.send(request(), 2000)).body.toString()).toBe('here');
    expect(connections).toBe(2);
  });

  it('is given up before its time is over where it is seen to be lost', async () => {
    const transport = await serve(() => {});
    const error = await troubleOf(transport.send(request(), 60_000, { afterMs: 20, isLost: () => true }));
    expect(error.kind).toBe('timeout');
    expect(error.message).toMatch(/^no answer within \d+ ms, while others were answered$/);
  });

  it('is a time-out when the body stops half-way', async () => {
    const transport = await serve((_, response) => {
      response.writeHead(200, { 'Content-Length': '10' });
      response.write('half');
    });
    expect((await troubleOf(transport.send(request(), 80))).kind).toBe('timeout');
  });

  it('is a reset when the connection is cut off', async () => {
    const transport = await serve((incoming) => incoming.socket.destroy());
    expect(await troubleOf(transport.send(request(), 2000))).toMatchObject({
      kind: 'reset',
      isUnsent: false,
    });
  });

  it('is a reset when the body is cut off', async () => {
    const transport = await serve((incoming, response) => {
      response.writeHead(200, { 'Content-Length': '10' });
      response.write('half', () => incoming.socket.destroy());
    });
    expect((await troubleOf(transport.send(request(), 2000))).kind).toBe('reset');
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

  it('is a matter of names when the host is unknown', async () => {
    const { kind } = await troubleOf(transportTo('http://bank.invalid').send(request(), 5000));
    expect(kind).toBe('dns');
  });

  it('is one of protocol when the other side speaks no HTTP', async () => {
    const server = createSocketServer((socket) => {
      socket.on('error', () => {}).resume();
      socket.end('220 mail.example ESMTP\r\n');
    });
    const { kind } = await troubleOf(
      transportTo(`http://127.0.0.1:${await listening(server)}`).send(request(), 2000),
    );
    expect(kind).toBe('protocol');
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

  const serveTls = async (): Promise<string> => {
    const { certificatePem: cert, privateKeyPem: key } = pki.server;
    return `https://localhost:${await listening(createTlsServer({ cert, key }, (_, response) => response.end('secret')))}`;
  };

  it('is taken from the authority that was given', async () => {
    const transport = transportTo(await serveTls(), { tls: { ca: pki.ca.certificatePem } });
    expect((await transport.send(secure, 5000)).body.toString()).toBe('secret');
  });

  it('that ends before it began has sent nothing', async () => {
    const port = await listening(createSocketServer((socket) => socket.destroy()));
    const trouble = await troubleOf(transportTo(`https://localhost:${port}`).send(secure, 5000));
    expect(trouble).toMatchObject({ kind: 'reset', isUnsent: true });
  });

  it('is trouble when nobody trusts the authority', async () => {
    expect((await troubleOf(transportTo(await serveTls()).send(secure, 5000))).kind).toBe('tls');
  });

  it('is trouble when the other side has none', async () => {
    const port = await listening(createServer((_, response) => response.end()));
    const { kind, message } = await troubleOf(transportTo(`https://localhost:${port}`).send(secure, 5000));
    expect(kind).toBe('protocol');
    expect(message).toBe('what answers there does not speak TLS');
  });

  it('is trouble when the other side takes no HTTP/1.1', async () => {
    const { certificatePem: cert, privateKeyPem: key } = pki.server;
    const port = await listening(createTlsServer({ cert, key, ALPNProtocols: ['h2'] }));
    const transport = transportTo(`https://localhost:${port}`, { tls: { ca: pki.ca.certificatePem } });
    const { kind, message } = await troubleOf(transport.send(secure, 5000));
    expect([kind, message]).toEqual(['protocol', expect.stringContaining('no HTTP/1.1')]);
  });

  it('is trouble when the certificate is for another host', async () => {
    const transport = transportTo(await serveTls(), { tls: { ca: pki.ca.certificatePem } });
    expect((await troubleOf(transport.send(request(), 5000))).kind).toBe('tls');
  });

  it('takes any certificate where the target says so', async () => {
    const transport = transportTo(await serveTls(), { tls: { rejectUnauthorized: false } });
    expect((await transport.send(secure, 5000)).status).toBe(200);
  });
});

describe('closing', () => {
  it('connections for a while lets requests open new ones', async () => {
    const ports = new Set<number | undefined>();
    const server = createServer((incoming, response) => {
      ports.add(incoming.socket.remotePort);
      response.end();
    });
    const transport = transportTo(`http://127.0.0.1:${await listening(server)}`, { connections: 1 });
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
