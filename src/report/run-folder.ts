import {
  closeSync,
  existsSync,
  lstatSync,
  openSync,
  readFileSync,
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
      const file = open(mark, 'wx', 0o600);
      writeSync(file, JSON.stringify(ourselves()));
      closeSync(file);
      return () => rmSync(mark, { force: true });
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      const holder = holderOf(mark);
      if (holder === undefined || isGone(holder)) rmSync(mark, { force: true });
      else throw inUse(dir, mark, holder);
    }
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

/** When a process began, in ticks since the machine did (proc(5), field 22 of stat). */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
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
