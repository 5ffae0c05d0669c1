import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-folder-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
