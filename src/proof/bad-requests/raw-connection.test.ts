import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { RawConnection } from './raw-connection.ts';

const longestMs = 400;
const request = Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
const answer = (headers = ''): string => `HTTP/1.1 200 OK\r\n${headers}Content-Length: 0\r\n\r\n`;

/** Stops everything here, as a machine does that is put to sleep: what comes in meanwhile lies ready. */
const stopFor = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

let server: Server | undefined;
let connection: RawConnection | undefined;
afterEach(() => {
  connection?.close();
  server?.close();
});

/** A connection to a server that does so with each request, and is told which request of its connection it is. */
async function connectionTo(onRequest: (socket: Socket, number: number) => void): Promise<RawConnection> {
  server = createServer((socket) => {
    let number = 0;
    socket.on('error', () => {});
    socket.on('data', () => {
      number += 1;
      onRequest(socket, number);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  connection = new RawConnection((server.address() as AddressInfo).port, longestMs);
  return connection;
}

test('an answer that came while the sender was stopped is an answer', async () => {
  const kept = await connectionTo((socket) => {
    socket.write(answer());
    stopFor(2 * longestMs);
  });
  expect((await kept.ask(request)).status).toBe(200);
});

test('a connection that nobody used while the sender was stopped can be used again', async () => {
  const kept = await connectionTo((socket) => socket.write(answer()));
  await kept.ask(request);
  // A timer of the same length that began after all others of that connection: it is the next to be overdue.
  const next = new Promise((resolve) => setTimeout(resolve, longestMs)).then(() => kept.ask(request));
  stopFor(2 * longestMs);
  expect(await next).toMatchObject({ status: 200 });
});

test('a connection is not used for longer than the other side says that it keeps it', async () => {
  const kept = await connectionTo((socket) => {
    socket.write(answer('Keep-Alive: timeout=1\r\n'));
    setTimeout(() => socket.destroy(), 1000);
  });
  await kept.ask(request);
  stopFor(1100);
  expect((await kept.ask(request)).status).toBe(200);
});

test('how long a connection is kept counts from the request, whenever its answer is read', async () => {
  const kept = await connectionTo((socket, number) => {
    if (number > 1) return;
    socket.write(answer('Keep-Alive: timeout=1\r\n'));
    stopFor(1100);
    socket.end();
  });
  const first = await kept.ask(request);
  expect([first, await kept.ask(request)].map(({ status }) => status)).toEqual([200, 200]);
});

test('who gets no answer is told so, and the next one goes out on a connection of its own', async () => {
  const kept = await connectionTo((socket, number) => {
    if (number !== 2) socket.write(answer());
  });
  const statuses = [await kept.ask(request), await kept.ask(request), await kept.ask(request)];
  expect(statuses.map(({ status }) => status)).toEqual([200, undefined, 200]);
});
