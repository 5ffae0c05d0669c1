import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBounded, readJsonLines, readLines } from './bounded-file.ts';
import { testFolder } from './target-folder.test.data.ts';

const folder = testFolder('all tests');

describe('a file of lines', () => {
  const most = { bytes: 200_000, lines: 4, lineBytes: 150_000, objects: 6 };
  const written = (text: string): string => {
    const file = join(folder, 'lines');
    writeFileSync(file, text);
    return file;
  };

  it('is read line by line, each as it is, however long and whatever is torn off the last', () => {
    const lines = ['{"a":"æ"}\n', '[]\n', `${'ø'.repeat(70_000)}\n`, 'torn'];
    expect([...readLines(written(lines.join('')), most)]).toEqual(lines);
    expect(Array.from(readJsonLines(written(lines.join('')), most), ({ value }) => value)).toEqual([
      { a: 'æ' },
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    ['x'.repeat(200_001), 'more than 0.19073486328125 MB'],
    ['\n'.repeat(5), 'more than 4 lines'],
    [`${'x'.repeat(150_001)}\n`, 'a line of it has more than'],
    ['{"a":[{}]}\n{"a":[[],{}]}\n', 'more than 6 objects and lists'],
  ])('is not read where it is larger than it can be', (text, why) => {
    expect(() => [...readJsonLines(written(text), most)]).toThrow(why);
  });

  it('has to be one', () => {
    expect(() => [...readLines(folder, most)]).toThrow('no ordinary file');
  });
});

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

  describe.runIf(process.platform !== 'win32')('and is a pipe', () => {
    const pipe = (name: string): string => {
      execFileSync('mkfifo', [join(folder, name)]);
      return join(folder, name);
    };
    const shortly = { unopenedMs: 100, silentMs: 300 };

    it('is not waited for longer than it takes somebody to open it', () => {
      const unread = pipe('unopened');
      expect(() => readBounded(unread, 1024, shortly)).toThrow('a pipe that nobody writes to');
    });

    it('is not waited for without end where its writer says nothing', () => {
      const silent = pipe('silent');
      const writer = spawn('sh', ['-c', 'exec 3> "$0"; exec sleep 10', silent]);
      expect(() => readBounded(silent, 1024, { unopenedMs: 5_000, silentMs: 300 })).toThrow(
        'a pipe whose writer says nothing',
      );
      writer.kill();
    });

    it('is read to its end, in whatever pieces its writer writes', () => {
      const slow = pipe('slow');
      spawn('sh', ['-c', 'exec 3> "$0"; printf one >&3; sleep 0.3; printf " two" >&3', slow]);
      expect(readBounded(slow, 1024, { unopenedMs: 5_000, silentMs: 5_000 }).toString()).toBe('one two');
    });
  });
});
