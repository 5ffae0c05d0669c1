import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { testFolder } from '../target/target-folder.test.data.ts';
import { ArchiveError, packRun, unpackRun } from './run-archive.ts';

const root = testFolder();
const archive = join(root, 'run.tar.gz');
const out = join(root, 'out');
beforeEach(() => mkdirSync(out));

const long = `allure-results/${'a'.repeat(60)}/${'b'.repeat(60)}.json`;
const contents: Readonly<Record<string, string>> = {
  'journal.ndjson': 'æøå 😀\n'.repeat(200),
  'summary.json': '',
  'allure-results/1-result.json': 'x'.repeat(512),
  [long]: 'long name',
};

function pack(): Buffer {
  const dir = join(root, 'in');
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return packRun(dir, Object.keys(contents));
}

describe('a packed run', () => {
  test('is unpacked as it was, whatever its files are called and hold', () => {
    writeFileSync(archive, pack());
    unpackRun(archive, out);
    for (const [path, text] of Object.entries(contents)) {
      expect(readFileSync(join(out, path), 'utf8')).toBe(text);
    }
  });

  test('is the same file for the same run', () => {
    expect(pack().equals(pack())).toBe(true);
  });

  test('is one that tar reads, and that tar could have made', () => {
    writeFileSync(archive, pack());
    const listed = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n');
    expect(listed.toSorted()).toEqual(
      Object.keys(contents)
        .map((path) => `run/${path}`)
        .toSorted(),
    );
    execFileSync('tar', ['-xzf', archive, '-C', root]);
    execFileSync('tar', ['--format=ustar', '-czf', archive, '-C', root, 'run']);
    unpackRun(archive, out);
    expect(readFileSync(join(out, long), 'utf8')).toBe('long name');
  });

  test('holds no file that could not be unpacked', () => {
    const dir = join(root, 'in');
    mkdirSync(dir);
    writeFileSync(join(dir, 'a b'), '');
    expect(() => packRun(dir, ['a b'])).toThrow('is no name of a file of a run');
  });
});

/** One entry as an attacker writes it. */
interface Entry {
  readonly name: string;
  readonly kind?: string;
  readonly size?: string;
  readonly body?: string;
  readonly sum?: string;
}

function entry({ name, kind = '0', size, body = '', sum }: Entry): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 'latin1');
  header.write(size ?? `${body.length.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write(kind, 156, 'latin1');
  header.write('/etc/passwd', 157, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  header.fill(' ', 148, 156);
  const total = header.reduce((added, byte) => added + byte, 0);
  header.write(sum ?? `${total.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return Buffer.concat([header, Buffer.from(body), Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

const tarOf = (...entries: readonly Entry[]): Buffer =>
  gzipSync(Buffer.concat([...entries.map(entry), Buffer.alloc(1024)]));

test.each([
  ['a link', (place: string) => symlinkSync(join(root, 'secret'), place)],
  ['a pipe', (place: string) => execFileSync('mkfifo', [place])],
  ['a folder', (place: string) => mkdirSync(place)],
])('%s in the folder of a stranger is not packed, nor what it leads to', (_, lay) => {
  writeFileSync(join(root, 'secret'), 'of the reader');
  lay(join(root, 'exchanges.ndjson'));
  expect(() => packRun(root, ['exchanges.ndjson'])).toThrow(/exchanges\.ndjson is no ordinary file/);
});

describe('an archive from a stranger', () => {
  const good: Entry = { name: 'run/summary.json', body: '{}' };

  test.each<[string, readonly Entry[], string]>([
    ['a way out of the folder', [{ name: 'run/../../evil' }], 'no name of a file'],
    ['an absolute name', [{ name: '/etc/evil' }], 'outside of its folder'],
    ['a name outside of its folder', [{ name: 'other/evil' }], 'outside of its folder'],
    ['a file in place of its folder', [{ name: 'run' }], 'no name of a file'],
    ['a backslash', [{ name: 'run/..\\evil' }], 'no name of a file'],
    ['a hidden file', [{ name: 'run/.npmrc' }], 'no name of a file'],
    ['a drive or stream of Windows', [{ name: 'run/a:b' }], 'no name of a file'],
    ['a control character', [{ name: 'run/a\u001b[2J' }], 'no name of a file'],
    ['folders in folders without end', [{ name: `run/${'a/'.repeat(20)}a` }], 'no name of a file'],
    ['a symbolic link', [{ name: 'run/link', kind: '2' }], 'no ordinary file'],
    ['a hard link', [{ name: 'run/link', kind: '1' }], 'no ordinary file'],
    ['a device', [{ name: 'run/null', kind: '3' }], 'no ordinary file'],
    ['a longer name than its own', [{ name: 'run/x', kind: 'L', body: 'run/y' }], 'no ordinary file'],
    ['attributes of another format', [{ name: 'run/x', kind: 'x', body: '11 path=y\n' }], 'no ordinary file'],
    ['a name twice', [good, good], 'twice'],
    ['a name twice, in other letters', [good, { ...good, name: 'run/SUMMARY.json' }], 'twice'],
    ['a size beyond its end', [{ name: 'run/x', size: '00000100000\0' }], 'ends in the middle'],
    ['a size beyond all bounds', [{ name: 'run/x', size: '77777777777\0' }], 'too large'],
    ['a size that is none', [{ name: 'run/x', size: '-1\0' }], 'a number is none'],
    ['a wrong sum', [{ ...good, sum: '000001\0 ' }], 'sum of a header'],
    ['nothing', [], 'is empty'],
  ])('that holds %s is refused', (_, entries, message) => {
    writeFileSync(archive, tarOf(...entries));
    expect(() => unpackRun(archive, out)).toThrow(ArchiveError);
    rmSync(out, { recursive: true });
    mkdirSync(out);
    expect(() => unpackRun(archive, out)).toThrow(message);
    expect(readdirSync(root).toSorted()).toEqual(['out', 'run.tar.gz']);
    expect(existsSync(join(root, 'evil'))).toBe(false);
  });

  test('that holds something after its end is refused', () => {
    const tar = gunzipSync(tarOf(good));
    writeFileSync(archive, gzipSync(Buffer.concat([tar, entry(good)])));
    expect(() => unpackRun(archive, out)).toThrow('after its end');
  });

  test('that holds nothing but zeros is called empty', () => {
    writeFileSync(archive, gzipSync(Buffer.alloc(64 * 2 ** 20)));
    expect(() => unpackRun(archive, out)).toThrow('The archive is empty.');
  });

  test('that would fill the memory is refused before it does', () => {
    // A gigabyte of nothing is a megabyte when it is packed.
    const zeros = gzipSync(Buffer.alloc(64 * 2 ** 20));
    writeFileSync(archive, Buffer.concat(Array.from({ length: 9 }, () => zeros)));
    expect(() => unpackRun(archive, out)).toThrow('cannot be unpacked');
  });

  test.each([
    ['no archive', Buffer.from('{}')],
    ['half of one', pack.bind(undefined)],
  ])('that is %s is refused', (_, content) => {
    writeFileSync(archive, typeof content === 'function' ? content() : content);
    if (typeof content === 'function') truncateSync(archive, 100);
    expect(() => unpackRun(archive, out)).toThrow('cannot be unpacked');
  });

  test('writes through no link that stands in the folder already', () => {
    const victim = join(root, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, join(out, 'summary.json'));
    writeFileSync(archive, tarOf(good));
    expect(() => unpackRun(archive, out)).toThrow();
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });
});
