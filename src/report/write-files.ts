import {
  closeSync,
  constants,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { BoundedFileError, modeOfRun, type PipePatience, patience, pause } from '../target/bounded-file.ts';

/** A report that cannot be written: the disk is full, or the folder is gone or not ours. */
export class ReportWriteError extends Error {
  override readonly name = 'ReportWriteError';
}

/** Writes a file as a whole: whoever reads it, or loses the disk meanwhile, has the one before or the new one. */
export function writeWhole(path: string, text: string | Uint8Array): void {
  try {
    putInPlace(path, text, modeOfRun);
  } catch (error) {
    throw asWriteError(error);
  }
}

/** The same for a place that the user has named, of which the file system says itself what is wrong with it. */
export function writeNamed(path: string, text: string | Uint8Array, mode = 0o666): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // What is no file is written to, not replaced: a pipe, a terminal. A link stays one.
  if (found !== undefined && !found.isFile()) writeThrough(path, Buffer.from(text));
  else putInPlace(found === undefined ? path : realpathSync(path), text, mode, `.${process.pid}.part`);
}

/** A key, for its owner alone, even where a file stood that others may read. A link of that name is replaced as well. */
export const writeKey = (path: string, pem: string): void =>
  putInPlace(path, pem, 0o600, `.${process.pid}.part`);

/** A certificate, or a key, which its name tells. */
export const writePem = (path: string, pem: string): void =>
  (path.endsWith('.key') ? writeKey : writeNamed)(path, pem);

/** A pipe that nobody reads, or no longer, would hold the command up for ever, deaf to signals. */
export function writeThrough(path: string, bytes: Buffer, waits: PipePatience = patience): void {
  const file = openToWrite(path, waits.unopenedMs);
  try {
    let waited = 0;
    for (let at = 0; at < bytes.length; ) {
      const written = whenReady(() => writeSync(file, bytes, at), 'EAGAIN');
      if (written === undefined && waited > waits.silentMs)
        throw new BoundedFileError('nobody reads the pipe any more');
      waited = written === undefined ? waited + pause() : 0;
      at += written ?? 0;
    }
  } finally {
    closeSync(file);
  }
}

function openToWrite(path: string, patienceMs: number): number {
  // Windows knows no such flag, and no such pipes.
  const flags = constants.O_WRONLY | (constants.O_NONBLOCK ?? 0);
  for (let waited = 0; waited <= patienceMs; waited += pause()) {
    const file = whenReady(() => openSync(path, flags), 'ENXIO');
    if (file !== undefined) return file;
  }
  throw new BoundedFileError('it is a pipe that nobody reads');
}

/** Nothing where the other side is not ready, which the system says by a code. */
function whenReady<T>(act: () => T, code: string): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  }
}

/** A folder of reports is held by one process; a file that the user names may be written by several at a time. */
function putInPlace(path: string, text: string | Uint8Array, mode: number, ending = '.part'): void {
  const draft = `${path}${ending}`;
  try {
    // Removed, not emptied: in a folder from somebody else it may be a link to anywhere.
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { flag: 'wx', mode });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** What the file system says, as a sentence; our own faults stay what they are. */
export function asWriteError(error: unknown): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (error instanceof ReportWriteError || code === undefined || syscall === undefined) return error;
  return new ReportWriteError(
    `The reports cannot be written (${message}). The journal of the run stands: see to the disk, and build them with the command report.`,
    { cause: error },
  );
}

/**
 * Makes a folder with all above it, one after the other. The recursive way of Node never ends where the system says that
 * a folder is not there and cannot be made either, as in /proc.
 */
export function makeFolder(dir: string): void {
  const path = resolve(dir);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return;
  if (dirname(path) !== path && found === undefined) makeFolder(dirname(path));
  try {
    mkdirSync(path);
  } catch (error) {
    // Somebody else may have made it at the same time.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
