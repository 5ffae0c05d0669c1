import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { readRecording } from '../certification/recorder.ts';
import { recordingFile, unredactedFolder } from '../certification/recording.ts';
import { type CertificateAuthority, createCertificateAuthority } from '../signing/certificate-authority.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { undiciTransport } from '../tpp/undici-transport.ts';
import { type Certification, journalCertification, startCertification } from './certification.ts';

let ca: CertificateAuthority;
beforeAll(async () => {
  ca = await createCertificateAuthority();
});

const start = (out: string, news: () => void = () => {}): Promise<Certification> =>
  startCertification({
    out,
    suites: [],
    ca,
    trustedAuthorities: [ca.certificatePem],
    listen: { port: 0, host: 'localhost' },
    prefix: '',
    hostnames: ['localhost'],
    until: [],
    listener: { exchange: () => {}, failedConnection: () => {}, news, bound: () => {} },
  });

const dir = join(testFolder(), 'run');
let certification: Certification;
beforeEach(async () => {
  certification = await start(dir);
});

const place = () => ({
  port: Number(new URL(certification.baseUrl).port),
  host: 'localhost',
  ca: ca.certificatePem,
});

const post = async (url: string): Promise<number> => {
  const { origin, pathname, search } = new URL(url);
  const transport = undiciTransport({ origin, connections: 1, tls: { ca: ca.certificatePem } });
  const target = pathname + search;
  const answer = await transport.send({ method: 'POST', target, headers: [], body: undefined }, 10_000);
  await transport.close();
  return answer.status;
};

test('is finished by whoever has its address, and leaves a recording that can be given away', async () => {
  expect(await post(certification.finishUrl.replace(/.$/, '?'))).toBe(403);
  expect(await post(`${certification.baseUrl}/v1/user`)).toBe(405);
  expect(await post(certification.finishUrl)).toBe(202);
  expect(await certification.ended).toBe('finish');
  await certification.close();
  await journalCertification(dir, certification.session, [], '');
  const lines = (folder: string) =>
    readFileSync(join(folder, recordingFile), 'utf8').trimEnd().split('\n').length;
  expect([lines(dir), lines(unredactedFolder(dir))]).toEqual([3, 3]);
  expect(existsSync(join(dir, 'journal.ndjson'))).toBe(true);
});

test('ends although connections never start TLS, never ask, or stop in the middle', async () => {
  const silent = connect(place());
  const [idle, half] = [connectTls(place()), connectTls(place())];
  await Promise.all([once(silent, 'connect'), once(idle, 'secureConnect'), once(half, 'secureConnect')]);
  half.write('POST /v1/user HTTP/1.1\r\nHost: localhost\r\nContent-Le');
  const sockets = [silent, idle, half];
  for (const socket of sockets) socket.on('error', () => {});
  const closed = Promise.all(
    sockets.map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))),
  );
  certification.end('signal');
  await certification.close();
  await closed;
  expect(certification.session.end).toMatchObject({ reason: 'signal' });
});

test('ends where what was seen cannot be told, and takes nothing else down with it', async () => {
  await certification.close();
  const broken = await start(`${dir}-2`, () => {
    throw new Error('nobody to tell it to');
  });
  await post(`${broken.baseUrl}/v1/user`);
  await expect(broken.ended).rejects.toThrow('nobody to tell it to');
  await broken.close();
});

test('keeps why a request could not be read as HTTP, and whence it came', async () => {
  const socket = connectTls(place());
  await once(socket, 'secureConnect');
  socket.end('POST /v1/user HTTP/1.1\r\nHost: localhost\r\nContent-Length: twelve\r\n\r\n');
  await once(socket.resume(), 'close');
  await certification.close();
  const [unread, ...others] = readRecording(dir).failedConnections;
  expect(others).toEqual([]);
  expect(unread).toMatchObject({ code: 'HPE_INVALID_CONTENT_LENGTH' });
  expect(unread?.source).toMatch(/127\.0\.0\.1|::1/);
});
