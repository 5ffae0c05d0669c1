import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { tlsKeys } from '../../proof/tls-keys.ts';
import { bankUnderTest } from '../bank-under-test.test.data.ts';
import { OpenConnections } from './open-connections.ts';

const { ca, server: keys } = await tlsKeys();
const tls = { cert: keys.certificatePem, key: keys.privateKeyPem };

const secure = (port: number): Socket => connectTls({ port, host: 'localhost', ca: ca.certificatePem });
const plain = (port: number): Socket => connect(port, 'localhost').on('error', () => undefined);

/** By whichever end, and however. */
const closed = (socket: Socket): Promise<unknown> =>
  socket.closed ? Promise.resolve() : new Promise((resolve) => socket.once('close', resolve));

/** What comes back, up to the end of the connection. */
async function answerOn(socket: Socket, path = '/nowhere'): Promise<string> {
  let text = '';
  socket
    .on('error', () => undefined)
    .on('data', (part: Buffer) => {
      text += part.toString('latin1');
    });
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await closed(socket);
  return text;
}

test.each([
  ['without TLS', () => createServer(), plain],
  ['with TLS', () => createTlsServer(tls), secure],
])('who is one too many gets the place of nobody who waits for an answer, %s', async (_, create, open) => {
  const server = create();
  new OpenConnections({ ofAll: 3, ofOneSource: 2 }).keepThoseOf(server);
  let answer = (): void => undefined;
  server.on('request', ({ url }, response) => {
    if (url === '/later') answer = () => response.end('answered');
    else response.end();
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const waiting = answerOn(open(port), '/later');
  await once(server, 'request');
  for (let time = 0; time < 3; time += 1) {
    const slow = plain(port).resume();
    await once(server, 'connection');
    expect(await answerOn(open(port))).toContain('200 OK');
    await closed(slow);
  }
  answer();
  expect(await waiting).toContain('answered');
  server.close();
});

test.each([
  ['says nothing', ''],
  ['begins its handshake and stops', Buffer.from([22, 3, 1, 2, 0])],
])('a connection to the bank that %s is closed when its time is over', async (_, begun) => {
  const { bank } = await bankUnderTest({ requestTimeoutMs: 100 });
  const silent = plain((await bank.listen({ tls })).port).resume();
  silent.write(begun);
  await closed(silent);
  await bank.close();
});

test('the bank answers after hundreds of silent connections, some given up and most still open', async () => {
  const { bank } = await bankUnderTest({ requestTimeoutMs: 60_000 });
  const { port } = await bank.listen({ tls });
  const silent: Socket[] = [];
  for (let count = 0; count < 600; count += 1) {
    const socket = plain(port).resume();
    await once(socket, 'connect');
    silent.push(count % 4 === 0 ? socket.end() : socket);
  }
  expect(await answerOn(secure(port))).toContain('404');
  for (const socket of silent) socket.destroy();
  await bank.close();
});
