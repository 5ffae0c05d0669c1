import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { testFolder } from '../target/target-folder.test.data.ts';
import { keepCompiledCode } from './compile-cache.ts';

const place = testFolder();

const folderGiven = (
  environment: NodeJS.ProcessEnv = {},
  temporary: string = place,
): readonly (string | undefined)[] => {
  const given: (string | undefined)[] = [];
  keepCompiledCode((folder) => given.push(folder), environment, temporary);
  return given;
};
const own = (): string => join(place, `xs2a-conformance-code-${process.getuid?.()}`);

it('is kept in a folder of this user alone, again and again', () => {
  expect(folderGiven()).toEqual([own()]);
  expect(statSync(own()).mode & 0o777).toBe(0o700);
  expect(folderGiven()).toEqual([own()]);
});

it('is not kept where others may write, or where somebody has laid a link', () => {
  mkdirSync(own());
  chmodSync(own(), 0o777);
  expect(folderGiven()).toEqual([]);
  rmSync(own(), { recursive: true });
  symlinkSync(tmpdir(), own());
  expect(folderGiven()).toEqual([]);
});

it('is not kept where there is no place for it', () => {
  const file = join(place, 'a-file');
  writeFileSync(file, '');
  expect(folderGiven({}, file)).toEqual([]);
});

it('is kept where the variable of Node says', () => {
  expect(folderGiven({ NODE_COMPILE_CACHE: '/somewhere' })).toEqual([undefined]);
});
