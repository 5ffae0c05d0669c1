import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readEarlierRuns, rememberRun } from './run-history.ts';

describe('the history of a target', () => {
  let dir: string;
  let path: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'history-'));
    path = join(dir, 'history', 'bank.jsonl');
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const run = (day: number) => ({ uuid: `run-${day}`, timestamp: day });
  const days = async (day: number) =>
    (await readEarlierRuns(path, run(day))).map(({ timestamp }) => timestamp);

  test('is empty at first', async () => {
    expect(await days(1)).toEqual([]);
  });

  test('holds the earlier runs in their order, whatever order they were reported in', async () => {
    for (const day of [2, 1, 3]) await rememberRun(path, run(day));
    expect(await days(4)).toEqual([1, 2, 3]);
    expect(await days(2)).toEqual([1]);
  });

  test('holds a run once, however often its report is built', async () => {
    await rememberRun(path, run(1));
    await rememberRun(path, run(1));
    expect(await days(2)).toEqual([1]);
    expect(readdirSync(join(dir, 'history'))).toEqual(['bank.jsonl']);
  });

  test('keeps the last 50, and loses no more than a damaged line', async () => {
    for (let day = 1; day <= 52; day += 1) await rememberRun(path, run(day));
    appendFileSync(path, '{"uuid":"torn');
    expect(await days(99)).toEqual(Array.from({ length: 50 }, (_, index) => index + 3));
  });
});
