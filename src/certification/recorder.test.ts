import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Bank } from '../bank/bank.ts';
import { createTppKeys, type TppKeys } from '../proof/tpp/certify.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { controlPaths, createCertificationBank } from './certification-bank.ts';
import {
  openRecorder,
  type Recorder,
  RecordingError,
  RecordingWriteError,
  readRecording,
  writeRedactedRecording,
} from './recorder.ts';
import { type RecordedExchange, recordingFile, unredactedFolder } from './recording.ts';

let keys: TppKeys;
beforeAll(async () => {
  keys = await createTppKeys();
});

const dir = testFolder();
const path = join(unredactedFolder(dir), recordingFile);
const end = { at: '2026-03-03T11:00:00.000Z', reason: 'finish' } as const;
let recorder: Recorder;
let bank: Bank;
let finished: boolean;
beforeEach(async () => {
  finished = false;
  recorder = openRecorder(dir, {
    tool: { name: 'test', version: '1' },
    startedAt: '2026-03-03T10:00:00.000Z',
    baseUrl: 'https://bank.example/psd2',
    trustedAuthorities: keys.authorities,
  });
  bank = await createCertificationBank({
    trustedAuthorities: keys.authorities,
    signer: keys.bankSigner,
    prefix: '/psd2',
    record: (exchange) => recorder.exchange(exchange),
    progress: () => ({ so: 'far' }),
    finishToken: 'word',
    onFinish: () => {
      finished = true;
    },
  });
});
afterEach(() => {
  recorder.close();
  rmSync(unredactedFolder(dir), { recursive: true });
});

const get = (url: string, headers: readonly (readonly [string, string])[] = []) =>
  bank.inject({ method: 'GET', url, headers });

const post = (path: string, body: string) =>
  bank.inject({ method: 'POST', url: `/psd2/${path}`, headers: [], body: Buffer.from(body) });

test('a recording that is a pipe is told, and not waited for', () => {
  recorder.close();
  rmSync(path);
  execFileSync('mkfifo', [path]);
  expect(() => readRecording(dir)).toThrow(RecordingError);
});

describe('a recording', () => {
  test('holds an exchange when its answer is there, without being closed', async () => {
    await get('/psd2/v1/user', [['X-Request-ID', 'one']]);
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(2);
    expect(readRecording(dir).requests).toMatchObject([
      { operation: 'startUserFlow', status: 400, number: 1 },
    ]);
  });

  test('keeps bytes, repeated headers and their case', async () => {
    const body = Buffer.from([0x7b, 0xff, 0x7d]);
    const headers = [
      ['x-rEQUEST-id', 'one'],
      ['X-Request-ID', 'two'],
    ] as const;
    await bank.inject({ method: 'POST', url: '/psd2/v1/signing-baskets?a=1', headers, body });
    const [exchange] = readRecording(dir).exchanges;
    expect(exchange?.bytes).toEqual(body);
    expect(exchange?.headers.lines()).toEqual(headers);
    expect(exchange?.target).toBe('/psd2/v1/signing-baskets?a=1');
  });

  test('tells the TPP from a browser that asks for an icon', async () => {
    await get('/favicon.ico');
    await get('/psd2/v2/user', [['Signature', 'x']]);
    const { exchanges, requests } = readRecording(dir);
    expect(exchanges).toHaveLength(2);
    expect(requests.map(({ path }) => path)).toEqual(['/psd2/v2/user']);
  });

  test('ends at its last whole line when the process was killed while it wrote', async () => {
    await get('/psd2/v1/user');
    appendFileSync(path, '{"kind":"exchange","value":{"num');
    expect(readRecording(dir).exchanges).toHaveLength(1);
  });

  test('that holds an exchange twice, or out of its place, is damaged', async () => {
    await get('/psd2/v1/user', [['X-Request-ID', 'one']]);
    const [, line = ''] = readFileSync(path, 'utf8').split('\n');
    appendFileSync(path, `${line}\n`);
    expect(() => readRecording(dir)).toThrow(/damaged in line 3: exchange 1 does not come after exchange 1/);
  });

  test.each(['unknown', 'readBalances', '__proto__', 'page'])(
    'that calls a payment %s is damaged',
    async (operation) => {
      await post('v1/payments/norwegian-domestic-credit-transfers', '{}');
      expect(readRecording(dir).exchanges).toHaveLength(1);
      const text = readFileSync(path, 'utf8');
      const renamed = text.replace(/"operation":"\w+"/, `"operation":"${operation}"`);
      writeFileSync(path, renamed.replace(/"status":4\d\d/, '"status":201'));
      expect(() => readRecording(dir)).toThrow(/damaged in line 2: its operation/);
    },
  );

  test('that excuses a payment which asked for nothing is damaged', async () => {
    await post('v1/payments/norwegian-domestic-credit-transfers', '{}');
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace('"operation"', '"provocation":"refused-payment","operation"'));
    expect(() => readRecording(dir)).toThrow(/damaged in line 2: no amount/);
  });

  test('that has no end is cut off', async () => {
    await get('/psd2/v1/user');
    expect(readRecording(dir).isCutOff).toBe(true);
    recorder.end(end);
    expect(readRecording(dir).isCutOff).toBe(false);
  });

  test('that can be written no further keeps what is whole, and says what to do', () => {
    const start = readRecording(dir).start;
    let room = 5_000;
    const full = openRecorder(join(dir, 'full'), start, (file, line) => {
      room -= line.length;
      writeSync(file, room < 0 ? line.slice(0, 50) : line);
      if (room < 0) throw new Error('no space left');
    });
    expect(() => {
      for (let count = 0; count < 500; count += 1) full.end(end);
    }).toThrow(RecordingWriteError);
    expect(() => full.end(end)).not.toThrow();
    full.close();
    expect(readRecording(join(dir, 'full')).end).toEqual(end);
    const text = readFileSync(join(unredactedFolder(join(dir, 'full')), recordingFile), 'utf8');
    expect(text.endsWith('}\n')).toBe(true);
  });

  test('replaces what stands in its place, and follows no link', () => {
    const elsewhere = join(dir, 'elsewhere');
    writeFileSync(elsewhere, 'not ours');
    mkdirSync(unredactedFolder(join(dir, 'linked')));
    symlinkSync(elsewhere, join(unredactedFolder(join(dir, 'linked')), recordingFile));
    openRecorder(join(dir, 'linked'), readRecording(dir).start).close();
    expect(readFileSync(elsewhere, 'utf8')).toBe('not ours');
  });

  test('is the owner’s alone, because it is not redacted', () => {
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  test('takes nothing any more once it is closed', async () => {
    recorder.end(end);
    recorder.close();
    await get('/psd2/v1/user');
    expect(readRecording(dir)).toMatchObject({ exchanges: [], end: { reason: 'finish' } });
  });

  test('that no certification leaves is refused before it is read to its end', () => {
    writeFileSync(path, ' '.repeat(9_000_000));
    expect(() => readRecording(dir)).toThrow(/is not read: a line of it has more than 8 MB/);
  });

  test.each([
    ['{"kind":"exchange"}\n', 'does not begin'],
    ['{"kind":"start","format":99,"value":{}}\n', 'has format 99'],
    ['{"kind":"start","format":1,"value":{"baseUrl":"https://a"}}\n', 'damaged in line 1'],
  ])('that cannot be read says why: %s', (text, why) => {
    writeFileSync(path, text);
    expect(() => readRecording(dir)).toThrow(RecordingError);
    expect(() => readRecording(dir)).toThrow(why);
    expect(() => readRecording(join(dir, 'nowhere'))).toThrow('missing');
  });
});

test.each<[string, (line: { kind: string; value: RecordedExchange }) => unknown]>([
  ['of nonsense', () => undefined],
  ['of a kind that there is not', (line) => ({ ...line, kind: 'exchanged' })],
  ['without a request', ({ value: { request: _, ...value } }) => ({ kind: 'exchange', value })],
  [
    'with a header that is none',
    ({ kind, value }) => ({ kind, value: { ...value, request: { ...value.request, headers: [['Date']] } } }),
  ],
  ['without a time', ({ kind, value }) => ({ kind, value: { ...value, at: 'soon' } })],
  [
    'with a status in words',
    ({ kind, value }) => ({ kind, value: { ...value, response: { ...value.response, status: 'ok' } } }),
  ],
  ['that begins anew', () => ({ kind: 'start', format: 1, value: readRecording(dir).start })],
])('a recording with a line %s is damaged: nobody judges what is passed over', async (_, changed) => {
  await get('/psd2/v1/user');
  await get('/psd2/v1/user');
  const [start = '', first = '', second = ''] = readFileSync(path, 'utf8').split('\n');
  const line = JSON.stringify(changed(JSON.parse(first))) ?? 'nonsense';
  writeFileSync(path, `${[start, line, second].join('\n')}\n`);
  expect(() => readRecording(dir)).toThrow(RecordingError);
  expect(() => readRecording(dir)).toThrow('damaged in line 2');
});

test('the certification itself is asked and ended next to the interface, unrecorded', async () => {
  const asked = await get(`/psd2${controlPaths.progress}`);
  expect(JSON.parse(asked.body.toString())).toEqual({ so: 'far' });
  const finish = async (query: string): Promise<number> => {
    const url = `/psd2${controlPaths.finish}${query}`;
    const { status } = await bank.inject({ method: 'POST', url, headers: [] });
    await new Promise((resolve) => setImmediate(resolve));
    return status;
  };
  expect([await finish(''), await finish('?token=wor'), finished]).toEqual([403, 403, false]);
  expect(await finish('?token=word')).toBe(202);
  expect(finished).toBe(true);
  expect(readRecording(dir).exchanges).toEqual([]);
});

test('what can be given away is redacted, and holds every exchange', async () => {
  await post('sca/none', 'nationalId=01819010001');
  await get('/psd2/v1/user', [
    ['X-PSU-IDENTITY', '01819010001'],
    ['TPP-Signature-Certificate', keys.tpp.certificate.base64],
  ]);
  writeRedactedRecording(dir, readRecording(dir));
  const text = readFileSync(join(dir, recordingFile), 'utf8');
  expect(text.trimEnd().split('\n')).toHaveLength(3);
  expect(text.includes('01819010001')).toBe(false);
  expect(text.includes(keys.tpp.certificate.base64.slice(0, 100))).toBe(false);
});
