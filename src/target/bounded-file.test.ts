import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readBounded } from './bounded-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'xs2a-bounded-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('a file that somebody has named', () => {
  it('is read as a whole, however many pieces that takes', () => {
    const file = join(folder, 'key');
    const content = 'æøå'.repeat(100_000);
    writeFileSync(file, content);
    expect(readBounded(file).toString('utf8')).toBe(content);
  });

  it.runIf(process.platform !== 'win32')('is not read for ever where it has no end', () => {
    expect(() => readBounded('/dev/zero')).toThrow('more than 16 MB');
  });

  it('has to be one', () => {
    expect(() => readBounded(folder)).toThrow('EISDIR');
    expect(() => readBounded(join(folder, 'none'))).toThrow('ENOENT');
  });
});
