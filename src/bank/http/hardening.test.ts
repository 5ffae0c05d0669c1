import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { digestHeader } from '../../signing/digest.ts';
import {
  type BankUnderTest,
  bankUnderTest,
  domesticPath,
  domesticPayment,
} from '../bank-under-test.test.data.ts';
import type { RawRequest } from '../design/route.ts';

let subject: BankUnderTest;
beforeAll(async () => {
  subject = await bankUnderTest({ requestTimeoutMs: 60_000 });
});
const stillWorks = async () =>
  expect((await subject.call(domesticPath, { body: domesticPayment() })).status).toBe(201);

describe('a hostile request in process', () => {
  beforeEach(stillWorks);
  const json = (text: string) => ({ bytes: Buffer.from(text) });

  it.each([
    ['half an object', json('{"instructedAmount": {'), 'TRN-02'],
    ['bytes that are no UTF-8', { bytes: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]) }, 'TRN-13'],
    ['nothing', json(''), 'TRN-02'],
    ['an array', json('[]'), 'TRN-02'],
    ['null', json('null'), 'TRN-02'],
    ['XML', { bytes: Buffer.from('<a/>'), headers: { 'Content-Type': 'application/xml' } }, 'TRN-01'],
    [
      'another charset',
      { ...json('{}'), headers: { 'Content-Type': 'application/json; charset=iso-8859-1' } },
      'TRN-01',
    ],
    ['a prototype', json('{"__proto__": {"polluted": true}, "creditorName": "x"}'), 'ERR-06'],
    ['a prototype written otherwise', json('{"creditorAddress": {"\\u005f_proto__": {}}}'), 'ERR-06'],
    ['a very deep body', json(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`), 'ERR-06'],
    [
      'a very deep body and the digest of another',
      {
        ...json(`${'['.repeat(200_000)}${']'.repeat(200_000)}`),
        headers: { Digest: digestHeader(Buffer.from('{}')) },
      },
      'DIG-03',
    ],
    ['half a surrogate pair', json('{"creditorName": "\\ud83c"}'), 'TRN-06'],
    ['members named like methods', json('{"toString": 1, "constructor": {"prototype": 1}}'), 'NDC-01'],
  ])('with %s is refused', async (_, options, requirement) => {
    const answer = await subject.call(domesticPath, options);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(subject.refusedBy()).toBe(requirement);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each([
    'Date',
    'Digest',
    'Signature',
    'PSU-ID',
    'X-Request-ID',
    'TPP-Signature-Certificate',
    'Content-Type',
  ])('with %s twice is refused', async (name) => {
    const twice = (request: RawRequest): RawRequest => ({
      ...request,
      headers: request.headers.flatMap((header) => (header[0] === name ? [header, header] : [header])),
    });
    const answer = subject.call(domesticPath, { body: domesticPayment(), afterSigning: twice });
    expect(await subject.outcomeOf(answer)).toBe('400 ERR-06');
  });

  it.each([
    `${domesticPath}/..%2f..%2f..%2fetc%2fpasswd/status`,
    `${domesticPath}/../../../etc/passwd`,
    `${domesticPath}/%E0%A4%A/status`,
    `${domesticPath}/__proto__/status`,
    `${domesticPath}/constructor`,
    `${domesticPath}/%00`,
    `${domesticPath}//status`,
    '/v1/signing-baskets/__proto__',
    '/',
    '//',
    '*',
    '',
    `/v1/${'a'.repeat(5000)}`,
  ])('for %s finds nothing', async (path) => {
    expect((await subject.call(path, { method: 'GET' })).status).toBe(404);
  });

  it('may write letters of a path as their percent-encoding, and nothing else', async () => {
    const status = async (path: string) => (await subject.call(path, { method: 'GET' })).status;
    expect(await status('/v1/sandbox/%63ustomers')).toBe(await status('/v1/sandbox/customers'));
    expect(await status('/v1%2fsandbox/customers')).toBe(404);
    expect(await status('/v1/sandbox/%2563ustomers')).toBe(404);
  });
});

describe('a hostile request on a socket', () => {
  let port: number;
  /** Of a bank that does not wait for long. Whoever is to get another answer than that asks the patient one. */
  let hastyPort: number;
  let hasty: BankUnderTest;
  beforeAll(async () => {
    ({ port } = await subject.bank.listen({ host: '127.0.0.1' }));
    hasty = await bankUnderTest({ requestTimeoutMs: 300 });
    hastyPort = (await hasty.bank.listen({ host: '127.0.0.1' })).port;
  });
  afterAll(() => Promise.all([subject.bank.close(), hasty.bank.close()]));
  beforeEach(stillWorks);

  /** Sends bytes as they are and gives all that comes back; who reads late does so once everything is sent. */
  async function exchange(parts: readonly (string | Buffer)[], to = port, readsLate = false) {
    const socket = connect(to, '127.0.0.1');
    socket.on('error', () => undefined);
    const chunks: Buffer[] = [];
    const read = () => socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    if (!readsLate) read();
    const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
    const failure = await new Promise((resolve) => socket.write(bytes, resolve));
    if (readsLate) read();
    if (!socket.closed) await once(socket, 'close').catch(() => undefined);
    return { received: Buffer.concat(chunks).toString('latin1'), failure };
  }
  /** The status line of the answer. */
  const send = async (parts: readonly (string | Buffer)[], readsLate = false) =>
    (await exchange(parts, port, readsLate)).received.split('\r\n')[0];
  const head = (extra: string) =>
    `POST ${domesticPath} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${extra}\r\n`;
  const asking = (target: string) => `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

  // What is found is refused for want of a signature.
  it.each([
    ['https://bank.example:8443/v1/accounts', 400],
    ['HTTP://bank.example/v1/nothing', 404],
    ['https://bank.example?x=1', 404],
    // Answered by the interface itself.
    [`${domesticPath}/%E0%A4%A/status`, 404],
  ])('for %s, which may be the whole address, is answered %i', async (target, status) => {
    expect(await send([asking(target)])).toContain(String(status));
  });

  const megabyte = Buffer.alloc(0x100000, 0x20);
  const tenMegabytes = Array.from({ length: 10 }, () => megabyte);
  const inChunks = [
    head('Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n'),
    ...tenMegabytes.flatMap((part) => ['100000\r\n', part, '\r\n']),
    '0\r\n\r\n',
  ];
  const withLength = [
    head('Content-Type: application/json\r\nContent-Length: 10485760\r\n'),
    ...tenMegabytes,
  ];

  it.each([
    ['10 MB', withLength],
    ['10 MB in chunks', inChunks],
  ])('with %s is answered 413', async (_, parts) => {
    expect(await send(parts)).toContain('413');
    expect(await send(parts, true)).toContain('413');
  });

  it.each([
    ['nothing on its connection', ''],
    ['a body that never ends', `${head('Content-Type: application/json\r\nContent-Length: 100\r\n')}{`],
    ['headers that never end', `POST ${domesticPath} HTTP/1.1\r\nHost: x\r\n`],
  ])('with %s is answered 408', async (_, text) => {
    expect((await exchange([text], hastyPort)).received).toContain('408');
  });

  it('with a header bomb is answered 431', async () => {
    expect(await send([head(`X-Bomb: ${'a'.repeat(200_000)}\r\n`)])).toContain('431');
    const many = Array.from({ length: 5000 }, (_, index) => `X-${index}: a\r\n`).join('');
    expect(await send([head(many)])).toContain('431');
  });

  it.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['a content type that is none', `${head('Content-Type: ;;;\r\nContent-Length: 2\r\n')}{}`],
    ['two lengths', `${head('Content-Length: 2\r\nContent-Length: 3\r\n')}{}`],
    ['no content type', `${head('Content-Length: 2\r\n')}{}`],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n'],
    [
      'a method that is not offered',
      `TRACE ${domesticPath} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    ],
  ])('of %s is answered 4xx', async (_, text) => {
    expect(await send([text])).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  it('that is no HTTP is told that its connection ends, with the whole of it read', async () => {
    // More than lies between the two ends: an end that is closed at once resets the connection, and the rest is lost.
    const { received, failure } = await exchange(['nonsense\r\n\r\n', Buffer.alloc(8 * 1024 * 1024)]);
    expect(failure).toBeFalsy();
    expect(received).toMatch(/^HTTP\/1\.1 400 .*\r\nConnection: close\r\n/s);
  });

  it('with too large a body does not keep the next one on its connection from an answer', async () => {
    const large = Buffer.alloc(2 * 1024 * 1024, 0x20);
    const first = `POST ${domesticPath} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${large.length}\r\n\r\n`;
    const { received } = await exchange([first, large, asking('/nowhere')]);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 404']);
  });
});
