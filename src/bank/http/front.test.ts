import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it } from 'vitest';
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
