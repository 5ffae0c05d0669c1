import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
import { bankUnderTest } from '../bank-under-test.test.data.ts';
import { closeWhereNothingCame } from './front.ts';

const keepAliveTimeout = 100;
const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** Stops everything here, as a machine does that is put to sleep. */
const stopFor = (milliseconds: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
};

it('answers a request that came before an idle connection was closed, and closes the one on which nothing came', async () => {
  const server = createServer({ keepAliveTimeout }, (_, response) =>
    setTimeout(() => response.end('answer'), 10),
  );
  server.on('timeout', closeWhereNothingCame).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  let answers = 0;
  socket.on('data', () => {
    answers += 1;
    if (answers > 1) return;
    // A turn later the server has begun to count how long the connection is idle.
    setImmediate(() => {
      socket.write(request);
      stopFor(20 * keepAliveTimeout);
    });
  });
  socket.write(request);
  await once(socket, 'close');
  expect(answers).toBe(2);
  server.close();
});

it('is told of no request that was broken off in the middle of its body', async () => {
  const told: string[] = [];
  const { bank } = await bankUnderTest({ onAnswer: ({ raw }) => told.push(raw.url) });
  const { port } = await bank.listen({ host: '127.0.0.1' });
  const begin = async (target: string, length: number): Promise<void> => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    const head = `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n`;
    socket.write(`${head}Connection: close\r\n\r\n{}`);
    if (length > 2) socket.destroySoon();
    socket.resume();
    await once(socket, 'close');
  };
  await begin('/v1/broken', 100);
  await begin('/v1/whole', 2);
  await bank.close();
  expect(told).toEqual(['/v1/whole']);
});
