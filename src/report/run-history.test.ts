import {
  appendFileSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../target/target-folder.test.data.ts';
import { type HistoryPoint, pointOf, readEarlierRuns, rememberRun } from './run-history.ts';
import { failing, judge } from './synthetic-run.test.data.ts';

describe('the history of a target', () => {
  const dir = testFolder();
  const path = join(dir, 'history', 'bank.jsonl');

  const run = (day: number): HistoryPoint => ({
    uuid: `run-${day}`,
    timestamp: day,
    verdict: 'conformant',
    requirements: { pass: 3 },
    checks: { 'DIG-01': 'pass' },
  });
  const days = (day: number) => readEarlierRuns(path, run(day)).map(({ timestamp }) => timestamp);

  test('is empty at first', async () => {
    expect(days(1)).toEqual([]);
  });

  test('holds the earlier runs in their order, whatever order they were reported in', async () => {
    for (const day of [2, 1, 3]) rememberRun(path, run(day));
    expect(days(4)).toEqual([1, 2, 3]);
    expect(days(2)).toEqual([1]);
  });

  test('holds a run once, however often its report is built', async () => {
    rememberRun(path, run(1));
    rememberRun(path, run(1));
    expect(days(2)).toEqual([1]);
    expect(readdirSync(join(dir, 'history'))).toEqual(['bank.jsonl']);
  });

  test('keeps the last 50, and loses no more than a damaged line', async () => {
    for (let day = 1; day <= 52; day += 1) rememberRun(path, run(day));
    appendFileSync(path, '{"uuid":"torn');
    expect(days(99)).toEqual(Array.from({ length: 50 }, (_, index) => index + 3));
  });

  test('passes over lines that nobody of ours has written', async () => {
    rememberRun(path, run(1));
    const strange = [
      { ...run(2), verdict: '<script>' },
      { ...run(3), timestamp: 1e300 },
      { ...run(4), requirements: { pass: -1 } },
      { ...run(5), requirements: { '"><b>': 1 } },
      { ...run(6), checks: { 'DIG-01': 'fine' } },
      { uuid: 'run-7', timestamp: 7 },
      null,
    ];
    appendFileSync(path, strange.map((value) => `${JSON.stringify(value)}\n`).join(''));
    expect(days(99)).toEqual([1]);
  });

  test('is not written over a file that was named by mistake', async () => {
    const other = join(dir, 'bank.yaml');
    writeFileSync(other, 'name: My bank\n');
    expect(() => rememberRun(other, run(1))).toThrow(/holds something else than a history/);
    expect(readFileSync(other, 'utf8')).toBe('name: My bank\n');
    expect(() => rememberRun(dir, run(1))).toThrow(/no ordinary file/);
    appendFileSync(other, '\n'.repeat(20_001));
    expect(() => rememberRun(other, run(1))).toThrow(/more than 20000 lines/);
    expect(readEarlierRuns(other, run(1))).toEqual([]);
  });

  test('goes on where another version has begun it, or an empty file is there', async () => {
    const older = join(dir, 'older.jsonl');
    writeFileSync(older, '{"uuid":"a","timestamp":1}\n');
    rememberRun(older, run(2));
    const empty = join(dir, 'empty.jsonl');
    writeFileSync(empty, '\n');
    rememberRun(empty, run(2));
    for (const file of [older, empty])
      expect(readEarlierRuns(file, run(3)).map(({ uuid }) => uuid)).toEqual(['run-2']);
  });

  test('takes the place of no device, and leaves a link a link', async () => {
    rememberRun('/dev/null', run(1));
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    writeFileSync(join(dir, 'shared.jsonl'), '');
    symlinkSync(join(dir, 'shared.jsonl'), join(dir, 'link.jsonl'));
    rememberRun(join(dir, 'link.jsonl'), run(1));
    expect(lstatSync(join(dir, 'link.jsonl')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(dir, 'shared.jsonl'), 'utf8')).toContain('run-1');
  });

  test('tells of a run its verdict, its requirements by verdict, and that of each check', () => {
    const broken = failing;
    expect(pointOf(broken, judge(broken))).toMatchObject({
      timestamp: Date.parse('2026-03-01T10:00:00.000Z'),
      verdict: 'non-conformant',
      requirements: { pass: 2, fail: 1, 'not-tested': 2 },
      checks: { 'DIG-01': 'pass', 'DIG-02': 'pass', 'AMT-01': 'fail' },
    });
  });
});
