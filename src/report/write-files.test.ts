import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, test } from 'vitest';
import { testFolder } from '../target/target-folder.test.data.ts';
import {
  asWriteError,
  makeFolder,
  ReportWriteError,
  writeKey,
  writeNamed,
  writeThrough,
  writeWhole,
} from './write-files.ts';

const dir = testFolder();

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

test('a file that the user has named is the one before where the new one cannot be written, and a link stays one', () => {
  const path = join(dir, 'bank.sarif');
  const link = join(dir, 'link');
  writeFileSync(path, 'before');
  symlinkSync(path, link);
  writeNamed(link, 'after', 0o600);
  expect(readFileSync(path, 'utf8')).toBe('after');
  expect(readdirSync(dir).toSorted()).toEqual(['bank.sarif', 'link']);
  expect(() => writeNamed(join(dir, 'gone', 'x'), '')).toThrow('ENOENT');
});

test.runIf(existsSync('/dev/full'))('what is no file is written to, and not replaced', () => {
  expect(() => writeNamed('/dev/full', 'x')).toThrow('ENOSPC');
  expect(existsSync('/dev/full.part')).toBe(false);
});

test.skipIf(process.platform === 'win32')(
  'a pipe is written to as a whole, and not waited for where nobody reads it',
  async () => {
    const pipe = join(dir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => writeThrough(pipe, Buffer.from('x'), { unopenedMs: 40, silentMs: 40 })).toThrow(
      'it is a pipe that nobody reads',
    );
    const copy = join(dir, 'copy');
    const reader = spawn('cp', [pipe, copy], { stdio: 'ignore' });
    writeNamed(pipe, 'y'.repeat(300_000));
    await once(reader, 'exit');
    expect(readFileSync(copy, 'utf8')).toBe('y'.repeat(300_000));
  },
);

test.skipIf(process.platform === 'win32')(
  'a key is its owner’s alone, whatever stood there before, and goes where no link leads',
  () => {
    const [key, elsewhere, link] = ['tpp.key', 'elsewhere', 'ca.key'].map((name) => join(dir, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(key, 'old', { mode: 0o644 });
    writeFileSync(elsewhere, 'not ours');
    symlinkSync(elsewhere, link);
    for (const path of [key, link]) {
      writeKey(path, 'PEM');
      expect(readFileSync(path, 'utf8')).toBe('PEM');
      expect(lstatSync(path).isFile() && lstatSync(path).mode & 0o777).toBe(0o600);
    }
    expect(readFileSync(elsewhere, 'utf8')).toBe('not ours');
  },
);

test('a fault of our own stays one', () => {
  const fault = new TypeError('undefined is not a function');
  expect(asWriteError(fault)).toBe(fault);
});

const folder = testFolder('all tests');

it('makes a folder with all above it, and leaves one that is there', () => {
  makeFolder(join(folder, 'a/b/c'));
  makeFolder(join(folder, 'a/b/c'));
  expect(existsSync(join(folder, 'a/b/c'))).toBe(true);
});

it('says so where a file stands in the way', () => {
  writeFileSync(join(folder, 'file'), '');
  expect(() => makeFolder(join(folder, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(folder, 'file/below'))).toThrow(/ENOTDIR|EEXIST/);
});

it.runIf(existsSync('/proc/self'))('comes to an end where nothing can be made', () => {
  expect(() => makeFolder('/proc/nothing/here')).toThrow('ENOENT');
});
