import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asWriteError, ReportWriteError, writeWhole } from './write-whole.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'whole-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('a report replaces the one before, and leaves nothing else', () => {
  const path = join(dir, 'summary.json');
  writeFileSync(path, 'before');
  writeWhole(path, 'after');
  expect(readFileSync(path, 'utf8')).toBe('after');
  expect(readdirSync(dir)).toEqual(['summary.json']);
});

test('a link that somebody left in the folder leads nowhere', () => {
  const elsewhere = join(dir, 'elsewhere');
  writeFileSync(elsewhere, 'not ours');
  for (const name of ['summary.json', 'summary.json.part']) symlinkSync(elsewhere, join(dir, name));
  writeWhole(join(dir, 'summary.json'), 'after');
  expect(readFileSync(elsewhere, 'utf8')).toBe('not ours');
  expect(readFileSync(join(dir, 'summary.json'), 'utf8')).toBe('after');
});

test('a folder that is gone is told in a sentence', () => {
  expect(() => writeWhole(join(dir, 'gone', 'summary.json'), '')).toThrow(ReportWriteError);
  expect(() => writeWhole(join(dir, 'gone', 'summary.json'), '')).toThrow(/journal of the run stands/);
});

test('a fault of our own stays one', () => {
  const fault = new TypeError('undefined is not a function');
  expect(asWriteError(fault)).toBe(fault);
});
