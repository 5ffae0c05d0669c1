import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFolder } from '../target/target-folder.test.data.ts';
import { FolderInUseError, holdFolder, innerMark } from './run-folder.ts';

const dir = join(testFolder(), 'reports', 'latest');

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

test('a killed run whose parent never asks for its end holds nobody up', async () => {
  // Only where the system tells; elsewhere it goes on being listed as any other process.
  if (!existsSync('/proc/self/stat')) return;
  const parent = spawn('sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(line.toString());
    const fields = () =>
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
    await expect.poll(() => fields()[0], { timeout: 20_000 }).toBe('Z');
    holdFolder(dir)();
    writeFileSync(`${dir}.lock`, JSON.stringify({ pid, host: hostname(), started: fields()[19] }));
    holdFolder(dir)();
  } finally {
    parent.kill('SIGKILL');
  }
});

test('of two that find what a killed run has left, one gets the folder', () => {
  holdFolder(dir)();
  writeFileSync(`${dir}.lock`, JSON.stringify({ pid: process.pid, host: hostname(), started: '1' }));
  let other: (() => void) | undefined;
  const otherIsFirst: typeof openSync = (path, flags, mode) => {
    if (String(path).endsWith('.remove')) other ??= holdFolder(dir);
    return openSync(path, flags, mode);
  };
  expect(() => holdFolder(dir, otherIsFirst)).toThrow(/Another run writes to/);
  other?.();
  expect(readdirSync(join(dir, '..'))).toEqual([]);
});

test('one that was killed while it removed a mark holds nobody up either', () => {
  holdFolder(dir)();
  writeFileSync(`${dir}.lock`, 'nonsense');
  writeFileSync(`${dir}.lock.remove`, '');
  const long = new Date(Date.now() - 3_600_000);
  utimesSync(`${dir}.lock.remove`, long, long);
  holdFolder(dir)();
  expect(readdirSync(join(dir, '..'))).toEqual([]);
});

test('a mark is there with all that it says, or not at all', () => {
  const opened: string[] = [];
  holdFolder(dir, (path, flags, mode) => {
    opened.push(String(path));
    return openSync(path, flags, mode);
  })();
  expect(opened).toEqual([expect.stringMatching(/latest\.lock\.[\w-]+$/)]);
});

test('a run on another machine cannot be seen, and counts as running', () => {
  holdFolder(dir)();
  writeFileSync(`${dir}.lock`, JSON.stringify({ pid: 1, host: 'another', started: '' }));
  expect(() => holdFolder(dir)).toThrow(/remove .*latest\.lock/);
});

test('a place where nothing can be written is told', () => {
  expect(() => holdFolder('/dev/null/reports')).toThrow(/cannot be written to .*Give another folder/);
});

test('a folder in a place that is not ours is held from inside', () => {
  mkdirSync(dir, { recursive: true });
  const onlyInside: typeof openSync = (path, flags, mode) => {
    if (!String(path).startsWith(`${dir}/`)) throw Object.assign(new Error('no'), { code: 'EACCES' });
    return openSync(path, flags, mode);
  };
  const release = holdFolder(dir, onlyInside);
  expect(readdirSync(dir)).toEqual([innerMark]);
  expect(() => holdFolder(dir, onlyInside)).toThrow(/Another run writes to/);
  release();
  expect(readdirSync(dir)).toEqual([]);
  rmSync(dir, { recursive: true });
  expect(() => holdFolder(dir, onlyInside)).toThrow(/cannot be written to .*Give another folder/);
});
