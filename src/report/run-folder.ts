import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from './write-files.ts';

/** A run folder that somebody else writes to. */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
}

/** Where a folder is: one may be reached by several names. */
export const placeOf = (dir: string): string => (existsSync(dir) ? realpathSync(dir) : dir);

/** Who holds a folder. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Tells a process from a later one with the same number; empty where the system does not say. */
  readonly started: string;
}

/** Inside the folder, where nothing can be put next to it. */
export const innerMark = '.lock';

/** What is said where a place is not ours to write to. */
const notOurs: ReadonlySet<string | undefined> = new Set(['EACCES', 'EPERM', 'EROFS']);

/**
 * Takes a run folder for this process, until the function that it returns is called: two runs that write to one folder
 * would leave the reports of neither. The mark stands next to the folder, because all that is inside is attested; where
 * only the folder itself is ours, as a volume of a container is, it stands inside. One that a killed process has left
 * holds nobody up.
 */
export function holdFolder(dir: string, open: typeof openSync = openSync): () => void {
  const folder = resolve(dir);
  // Told now and not after minutes of asking the bank.
  if (isFile(folder)) throw notWritable(dir, new Error('it is a file, not a folder'));
  try {
    makeFolder(dirname(folder));
    return takeMark(dir, `${folder}.lock`, open);
  } catch (error) {
    if (error instanceof FolderInUseError) throw error;
    if (!notOurs.has(codeOf(error)) || !existsSync(folder)) throw notWritable(dir, error);
  }
  try {
    return takeMark(dir, join(folder, innerMark), open);
  } catch (error) {
    throw error instanceof FolderInUseError ? error : notWritable(dir, error);
  }
}

function takeMark(dir: string, mark: string, open: typeof openSync): () => void {
  for (;;) {
    try {
      putMark(mark, open);
      return () => rmSync(mark, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      const holder = holderOf(mark);
      if (holder === undefined || isGone(holder)) removeLeftMark(mark, open);
      else throw inUse(dir, mark, holder);
    }
  }
}

/** Where the file system knows no second name of a file. */
const noLinks: ReadonlySet<string | undefined> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP']);

/** Puts the mark there with all that it says: one that is still empty would be taken for what a killed run has left. */
function putMark(mark: string, open: typeof openSync): void {
  const draft = `${mark}.${randomUUID()}`;
  try {
    write(draft, open);
    linkSync(draft, mark);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'link' || !noLinks.has(codeOf(error))) throw error;
    write(mark, open);
  } finally {
    rmSync(draft, { force: true });
  }
}

function write(path: string, open: typeof openSync): void {
  const file = open(path, 'wx', 0o600);
  try {
    writeSync(file, JSON.stringify(ourselves()));
  } finally {
    closeSync(file);
  }
}

/** Milliseconds after which nobody is about to remove a mark any more: it takes less than one. */
const longestRemoval = 5_000;

/**
 * Removes a mark that nobody holds. One at a time, and who has waited looks again: else the mark that goes would be that
 * of somebody who has just removed the same one.
 */
function removeLeftMark(mark: string, open: typeof openSync): void {
  const turn = `${mark}.remove`;
  try {
    closeSync(open(turn, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const since = statSync(turn, { throwIfNoEntry: false })?.mtimeMs;
    // The clock may have been put back since.
    if (since !== undefined && Math.abs(Date.now() - since) > longestRemoval) rmSync(turn, { force: true });
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return;
  }
  try {
    const holder = holderOf(mark);
    if (holder === undefined || isGone(holder)) rmSync(mark, { force: true });
  } finally {
    rmSync(turn, { force: true });
  }
}

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Where something above it is a file, that is told when the folder is made. */
function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    return false;
  }
}

const ourselves = (): Holder => ({ pid: process.pid, host: hostname(), started: startOf(process.pid) });

function holderOf(mark: string): Holder | undefined {
  try {
    // What is no ordinary file may have no end.
    if (!lstatSync(mark).isFile()) return undefined;
    const { pid, host, started } = JSON.parse(readFileSync(mark, 'utf8')) as Partial<Holder>;
    return typeof pid === 'number' && typeof host === 'string'
      ? { pid, host, started: String(started) }
      : undefined;
  } catch {
    // Written by nobody of ours, or just removed.
    return undefined;
  }
}

function isGone({ pid, host, started }: Holder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else is there all the same.
    if (codeOf(error) !== 'EPERM') return true;
  }
  return startOf(pid) !== started;
}

/** Ended, and still listed because its parent never asks: in a container without an init, for as long as that runs. */
const endedStates: ReadonlySet<string | undefined> = new Set(['Z', 'X']);

/** When a process began, in ticks since the machine did (proc(5), fields 3 and 22 of stat); empty when it has ended. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return endedStates.has(fields[0]) ? '' : (fields[19] ?? '');
  } catch {
    return '';
  }
}

const inUse = (dir: string, mark: string, { pid, host }: Holder): FolderInUseError =>
  new FolderInUseError(
    `Another run writes to ${dir} (process ${pid} on ${host}). Wait for it, or give another folder with --out. If there is none, remove ${mark}.`,
  );

function notWritable(dir: string, cause: unknown): FolderInUseError {
  const told = cause instanceof Error ? cause.message : String(cause);
  return new FolderInUseError(`The reports cannot be written to ${dir}: ${told}. Give another folder.`, {
    cause,
  });
}
