import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { inspect, promisify } from 'node:util';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { build, commandFile } from '../../cli/built-command.test.data.ts';
import { badRequests } from './bad-request.ts';
import { type BadRequestsResult, badRequestLines, isHeld } from './send-bad-requests.ts';

beforeAll(build, 120_000);

test('the reference bank answers bad requests, and never with a failure of its own', async () => {
  const proof = join(commandFile, '../../proof/main.js');
  const { stdout } = await promisify(execFile)(process.execPath, [proof, '--bad-requests', '500']);
  expect(stdout).toMatch(/^Bad requests {2}500 sent .*: 0 answered wrongly, no crash$/m);
  for (const kind of ['wire', 'headers', 'JSON', 'signatures', 'forms']) expect(stdout).toContain(`${kind} `);
}, 240_000);

test('bad requests follow from the seed', () => {
  const draw = () => inspect(fc.sample(badRequests, { seed: 5, numRuns: 50 }), { depth: 9 });
  expect(draw()).toBe(draw());
});

const memory = (...heaps: readonly number[]) =>
  heaps.map((heapMegabytes) => ({ heapMegabytes, residentMegabytes: 100 }));
const held: BadRequestsResult = {
  seed: 1,
  counts: { JSON: { '4xx': 2 } },
  sent: 2,
  wrong: [],
  memory: memory(10, 40, 50, 52, 51),
  seconds: 1,
};

test('an answer of 5xx, a crash and memory that keeps growing are told apart from what is held', () => {
  expect(isHeld(held)).toBe(true);
  expect(isHeld({ ...held, wrong: ['500: The bank failed'] })).toBe(false);
  expect(isHeld({ ...held, crash: 'RangeError' })).toBe(false);
  expect(isHeld({ ...held, memory: memory(10, 40, 100, 200, 300) })).toBe(false);
  expect(badRequestLines({ ...held, crash: 'RangeError' }).join('\n')).toContain('The bank crashed');
});
