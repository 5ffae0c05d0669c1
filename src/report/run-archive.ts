import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/** A file that is no packed run, or not one that could be ours. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

/** What a packed run can hold at most; more is none. */
const most = {
  packedBytes: 256 * 2 ** 20,
  bytes: 512 * 2 ** 20,
  files: 20_000,
  depth: 6,
  name: 200,
} as const;

/** The folder that everything stands in, so that unpacking it by hand leaves one folder. */
const top = 'run';

const block = 512;

/**
 * Packs files of a run folder into one `.tar.gz` (POSIX.1-1988 ustar), by their paths with slashes. The same files give
 * the same bytes: no times, owners or rights of this machine are told.
 */
export function packRun(dir: string, paths: readonly string[]): Buffer {
  const parts = paths.toSorted().flatMap((path) => {
    refuseStrangeName(path);
    const content = readOrdinary(join(dir, path), path);
    const padding = Buffer.alloc((block - (content.length % block)) % block);
    return [headerOf(`${top}/${path}`, content.length), content, padding];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]), { level: 9 });
}

/** The folder may be a stranger's: a link would pack what it leads to, which is the reader's own, and a pipe has no end. */
function readOrdinary(place: string, path: string): Buffer {
  let file: number;
  try {
    // Windows knows no such flags.
    const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    file = openSync(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (cause) {
    throw new ArchiveError(`${path} is no ordinary file, or cannot be read, and is not packed.`, { cause });
  }
  try {
    if (!fstatSync(file).isFile()) throw new ArchiveError(`${path} is no ordinary file, and is not packed.`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

function headerOf(path: string, size: number): Buffer {
  const header = Buffer.alloc(block);
  const [prefix, name] = splitName(path);
  header.write(name, 0, 'latin1');
  header.write('0000640\0', 100, 'latin1');
  header.write('0000000\0', 108, 'latin1');
  header.write('0000000\0', 116, 'latin1');
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  header.write('00000000000\0', 136, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  header.write(prefix, 345, 'latin1');
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

/** A name has a hundred letters; what is longer stands as folder and file (ustar). */
function splitName(path: string): readonly [string, string] {
  if (path.length <= 100) return ['', path];
  const slash = path.indexOf('/', path.length - 101);
  if (slash === -1 || slash > 155) throw new ArchiveError(`The name of ${path} is too long to be packed.`);
  return [path.slice(0, slash), path.slice(slash + 1)];
}

/** The sum of all bytes, with the eight of the sum itself as spaces. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

/**
 * Unpacks a run into an empty folder. The file may come from anybody: it is bounded before it is unpacked and while it is
 * read, and only ordinary files with ordinary names get out of it. A link could lead anywhere, and a name out of the folder.
 */
export function unpackRun(file: string, dir: string): void {
  const tar = unzipped(file);
  const seen = new Set<string>();
  let at = 0;
  for (; at + block <= tar.length; ) {
    const header = tar.subarray(at, at + block);
    at += block;
    if (header.every((byte) => byte === 0)) break;
    const { path, size, isFolder } = readHeader(header);
    if (at + size > tar.length) throw new ArchiveError(`The archive ends in the middle of ${path}.`);
    const content = tar.subarray(at, at + size);
    at += Math.ceil(size / block) * block;
    if (isFolder) continue;
    // Some file systems take two names for one that differ in their letters only.
    const known = path.toLowerCase();
    if (seen.has(known)) throw new ArchiveError(`The archive holds ${path} twice.`);
    seen.add(known);
    if (seen.size > most.files) throw new ArchiveError(`The archive holds more than ${most.files} files.`);
    writeNew(join(dir, path), content);
  }
  if (!isEmpty(tar.subarray(at))) {
    throw new ArchiveError('The archive holds something after its end.');
  }
  if (seen.size === 0) throw new ArchiveError('The archive is empty.');
}

/** Whether there is nothing but zeros, of which a small file may hold half a gigabyte: each byte is that before it. */
const isEmpty = (bytes: Buffer): boolean =>
  bytes.length === 0 || (bytes[0] === 0 && bytes.subarray(1).equals(bytes.subarray(0, -1)));

function unzipped(file: string): Buffer {
  const found = statSync(file);
  if (!found.isFile() || found.size > most.packedBytes) {
    throw new ArchiveError(`${file} is no ordinary file, or larger than a packed run can be.`);
  }
  try {
    return gunzipSync(readFileSync(file), { maxOutputLength: most.bytes });
  } catch (cause) {
    const told = cause instanceof Error ? cause.message : String(cause);
    throw new ArchiveError(
      `${file} cannot be unpacked (${told}). Give a run folder, or the .tar.gz that the command attest has packed.`,
      { cause },
    );
  }
}

interface Entry {
  readonly path: string;
  readonly size: number;
  readonly isFolder: boolean;
}

function readHeader(header: Buffer): Entry {
  const text = (from: number, length: number): string =>
    header.toString('latin1', from, from + length).replace(/\0[\s\S]*$/, '');
  if (numberIn(text(148, 8)) !== checksumOf(header)) {
    throw new ArchiveError('The archive is damaged: the sum of a header does not fit.');
  }
  const prefix = header.toString('latin1', 257, 262) === 'ustar' ? text(345, 155) : '';
  const full = `${prefix === '' ? '' : `${prefix}/`}${text(0, 100)}`.replace(/^\.\//, '').replace(/\/$/, '');
  const kind = text(156, 1);
  const isFolder = kind === '5';
  if (!isFolder && kind !== '0' && kind !== '') {
    throw new ArchiveError(
      `The archive holds ${shown(full)}, which is no ordinary file: links and the like are not unpacked.`,
    );
  }
  const size = numberIn(text(124, 12));
  if (size > most.bytes || (isFolder && size > 0)) throw new ArchiveError(`${shown(full)} is too large.`);
  const [folder, ...rest] = full.split('/');
  if (folder !== top && full !== '.') {
    throw new ArchiveError(`The archive holds ${shown(full)} outside of its folder ${top}.`);
  }
  const path = rest.join('/');
  if (!isFolder) refuseStrangeName(path);
  return { path, size, isFolder };
}

function numberIn(octal: string): number {
  const digits = octal.trim();
  if (!/^[0-7]{1,11}$/.test(digits)) throw new ArchiveError('The archive is damaged: a number is none.');
  return Number.parseInt(digits, 8);
}

/** Reports have plain names; whatever is more could lead somewhere else, on this system or another. */
function refuseStrangeName(path: string): void {
  const parts = path.split('/');
  const isPlain = parts.every((part) => /^\w[\w.-]*$/.test(part) && !part.endsWith('.'));
  if (!isPlain || parts.length > most.depth || path.length > most.name) {
    throw new ArchiveError(`${shown(path)} is no name of a file of a run.`);
  }
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 120));

function writeNew(path: string, content: Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'wx', 0o600);
  try {
    for (let written = 0; written < content.length; ) {
      written += writeSync(file, content, written, content.length - written);
    }
  } finally {
    closeSync(file);
  }
}
