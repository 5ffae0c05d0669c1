import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FolderInUseError, holdFolder } from './run-folder.ts';

let dir: string;
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'folder-')), 'reports', 'latest');
});
afterEach(() => rmSync(join(dir, '../..'), { recursive: true }));

test('a folder is for one run at a time, and free when it has ended', () => {
  const release = holdFolder(dir);
  expect(() => holdFolder(dir)).toThrow(FolderInUseError);
  expect(() => holdFolder(`${dir}/`)).toThrow(/Another run writes to .*process \d+.*--out/);
  holdFolder(`${dir}-2`)();
  release();
  holdFolder(dir)();
  expect(existsSync(`${dir}.lock`)).toBe(false);
});

test('what a killed run has left holds nobody up', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  holdFolder(dir)();
  for (const left of [
    { pid, host: hostname(), started: '1' },
    // Another process has its number now.
    { pid: process.pid, host: hostname(), started: '1' },
    'nonsense',
  ]) {
    writeFileSync(`${dir}.lock`, JSON.stringify(left));
    holdFolder(dir)();
  }
});

test('a run on another machine cannot be seen, and counts as running', () => {
  holdFolder(dir)();
  writeFileSync(`${dir}.lock`, JSON.stringify({ pid: 1, host: 'another', started: '' }));
  expect(() => holdFolder(dir)).toThrow(/remove .*latest\.lock/);
});

test('a place where nothing can be written is told', () => {
  expect(() => holdFolder('/dev/null/reports')).toThrow(/cannot be written to .*Give another folder/);
});
