import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isWritable, writeReadings } from './write-readings.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'readings-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test.skipIf(process.platform === 'win32')(
  'readings leave the mode of a target file and links to it alone',
  () => {
    const file = join(dir, 'bank.yaml');
    const link = join(dir, 'link.yaml');
    writeFileSync(file, 'name: Bank\n');
    chmodSync(file, 0o600);
    symlinkSync('bank.yaml', link);
    writeReadings(link, { basketLimit: '10' });
    expect(readFileSync(file, 'utf8')).toBe('name: Bank\ninterpretations:\n  basketLimit: "10"\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readdirSync(dir).toSorted()).toEqual(['bank.yaml', 'link.yaml']);
  },
);

test.skipIf(process.platform === 'win32')(
  'a target file is kept whole where the new one cannot be written',
  () => {
    const file = join(dir, 'bank.yaml');
    writeFileSync(file, 'name: Bank\n');
    // Nothing can be written next to it.
    writeFileSync(join(dir, `bank.yaml.${process.pid}.part`), 'of somebody else');
    expect(() => writeReadings(file, { basketLimit: '10' })).toThrow('EEXIST');
    expect(readFileSync(file, 'utf8')).toBe('name: Bank\n');
  },
);

test.skipIf(process.platform === 'win32')(
  'a pipe, a folder and nothing are no files to write readings into',
  () => {
    const file = join(dir, 'bank.yaml');
    writeFileSync(file, '');
    execFileSync('mkfifo', [join(dir, 'pipe')]);
    expect([file, dir, join(dir, 'pipe'), join(dir, 'none')].map(isWritable)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  },
);
