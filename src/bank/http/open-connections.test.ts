import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tlsKeys } from '../../proof/tls-keys.ts';
import { bankUnderTest } from '../bank-under-test.test.data.ts';
import { OpenConnections } from './open-connections.ts';

let keys: Awaited<ReturnType<typeof tlsKeys>>;
let tls: { cert: string; key: string };
const servers: Server[] = [];
beforeAll(async () => {
  keys = await tlsKeys();
  tls = { cert: keys.server.certificatePem, key: keys.server.privateKeyPem };
});
afterAll(() => {
  for (const server of servers) server.close();
});

const asked = 'GET /nowhere HTTP/1.1\r\nHost: x\r\n';

/** By whichever end, and however. */
const closed = (socket: Socket): Promise<unknown> =>
  socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve));

/** What comes back, up to the end of the connection. */
async function answerOn(socket: Socket, request = `${asked}Connection: close\r\n\r\n`): Promise<string> {
  let text = '';
  socket
    .on('error', () => undefined)
    .on('data', (part: Buffer) => {
      text += part.toString('latin1');
    });
  socket.write(request);
  await closed(socket);
  return text;
}
const secure = (port: number): Socket =>
  connectTls({ port, host: '127.0.0.1', servername: 'localhost', ca: keys.ca.certificatePem });
const plain = (port: number): Socket => connect(port, '127.0.0.1');

test.each([
  ['without TLS', () => createServer(), plain],
  ['with TLS', () => createTlsServer(tls), secure],
])(
  'who is one too many gets the place of who waits for nothing, and of nobody else, %s',
  async (_, create, open) => {
    const server = create();
    servers.push(server);
    new OpenConnections({ ofAll: 3, ofOneSource: 2 }).keepThoseOf(server);
    let answer = (): void => undefined;
    server.on('request', ({ url }, response) => {
      if (url === '/later') answer = () => response.end('answered');
      else response.end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const waiting = answerOn(open(port), 'GET /later HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await once(server, 'request');
    for (let time = 0; time < 3; time += 1) {
      const slow = plain(port)
        .on('error', () => undefined)
        .resume();
      await once(server, 'connection');
      expect(await answerOn(open(port))).toContain('200 OK');
      await closed(slow);
    }
    answer();
    expect(await waiting).toContain('answered');
  },
);

test.each([
  ['says nothing', ''],
  ['begins its handshake and stops', Buffer.from([22, 3, 1, 2, 0])],
])('a connection to the bank that %s is closed when its time is over', async (_, begun) => {
  const { bank } = await bankUnderTest({ requestTimeoutMs: 100 });
  const { port } = await bank.listen({ host: '127.0.0.1', tls });
  const silent = plain(port)
    .on('error', () => undefined)
    .resume();
  silent.write(begun);
  await closed(silent);
  expect(silent.destroyed).toBe(true);
  await bank.close();
});

test('the bank answers after hundreds of silent connections, some given up and most still open', async () => {
  const { bank } = await bankUnderTest({ requestTimeoutMs: 60_000 });
  const { port } = await bank.listen({ host: '127.0.0.1', tls });
  const silent: Socket[] = [];
  for (let count = 0; count < 600; count += 1) {
    const socket = plain(port)
      .on('error', () => undefined)
      .resume();
    await once(socket, 'connect');
    if (count % 4 === 0) socket.end();
    else silent.push(socket);
  }
  expect(await answerOn(secure(port))).toContain('404');
  for (const socket of silent) socket.destroy();
  await bank.close();
});
