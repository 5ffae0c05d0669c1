import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { embeddedPki } from '../runner/embedded-pki.ts';
import { type ConsoleUnderTest, consoleUnderTest } from './console-under-test.test.data.ts';

let subject: ConsoleUnderTest;
beforeAll(async () => {
  subject = await consoleUnderTest(await embeddedPki(), undefined, 500);
});
afterAll(() => subject.close());

/** Begins a request, and goes on with it by a byte now and then. */
async function drip(beginning: string, { origin } = subject): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'connect');
  socket.write(beginning);
  const drops = setInterval(() => socket.write('x'), 50);
  socket.once('close', () => clearInterval(drops));
  return socket;
}

it.each([
  ['nothing', ''],
  ['its headers', 'GET /console HTTP/1.1\r\nHost: localhost\r\nX-Name: '],
  [
    'its body',
    'POST /console/api/clock HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{',
  ],
])('a request that never comes to the end of %s gives its place back', async (_, beginning) => {
  const socket = await drip(beginning);
  if (!socket.destroyed) await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

it('more of them than there are places keep nobody out', async () => {
  const patient = await consoleUnderTest(await embeddedPki(), undefined, 60_000);
  const begun = 'GET /console HTTP/1.1\r\nHost: localhost\r\nX-Name: ';
  const slow = await Promise.all(Array.from({ length: 300 }, () => drip(begun, patient)));
  expect((await fetch(patient.running.url)).status).toBe(200);
  for (const socket of slow) socket.destroy();
  await patient.close();
});
