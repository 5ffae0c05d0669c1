import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const megabyte = 1024 * 1024;

/** Certificates, keys and requests are small; what goes on after so much is none, and may have no end. */
const mostBytes = 16 * megabyte;

/** Why a file was not read or written to its end: a part of a sentence, such as `it has more than 16 MB`. */
export class BoundedFileError extends Error {
  override readonly name = 'BoundedFileError';
}

/** How long a pipe is waited for: one that nobody has opened to write, and one whose writer is still at work. */
export interface PipePatience {
  readonly unopenedMs: number;
  readonly silentMs: number;
}

export const patience: PipePatience = { unopenedMs: 5_000, silentMs: 120_000 };

/**
 * Reads a file that somebody has named, which may be a device that never ends, or a pipe: `<(...)` keeps secrets from the
 * disk. A pipe that nobody writes to would hold the command up for ever. 0 is standard input.
 */
export function readBounded(file: string | 0, most = mostBytes, waits: PipePatience = patience): Buffer {
  // Windows knows no such flag, and no such pipes.
  const descriptor = file === 0 ? 0 : openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const next = file !== 0 && fstatSync(descriptor).isFIFO() ? pipeReader(descriptor, waits) : readSync;
    const parts: Buffer[] = [];
    for (let length = 0; ; ) {
      const part = Buffer.alloc(64 * 1024);
      const read = next(descriptor, part);
      if (read === 0) return Buffer.concat(parts);
      length += read;
      if (length > most) throw new BoundedFileError(`it has more than ${most / megabyte} MB`);
      parts.push(part.subarray(0, read));
    }
  } finally {
    if (descriptor !== 0) closeSync(descriptor);
  }
}

type Read = (descriptor: number, part: Buffer) => number;

/** Before the first byte an end says that there is no writer yet, or none any more. */
function pipeReader(descriptor: number, { unopenedMs, silentMs }: PipePatience): Read {
  let anything = false;
  return (_, part) => {
    let unopened = 0;
    for (let waited = 0; waited <= silentMs; waited += pause()) {
      const read = readNow(descriptor, part);
      if (read === 0 && anything) return 0;
      if (read !== undefined && read > 0) {
        anything = true;
        return read;
      }
      if (read === 0) unopened += pauseMs;
      if (unopened > unopenedMs) throw new BoundedFileError('it is a pipe that nobody writes to');
    }
    throw new BoundedFileError('it is a pipe whose writer says nothing');
  };
}

/** Nothing where a writer has not written yet. */
function readNow(descriptor: number, part: Buffer): number | undefined {
  try {
    return readSync(descriptor, part);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}

const pauseMs = 20;
const clock = new Int32Array(new SharedArrayBuffer(4));

/** Lets somebody else go on, and says how long that was. */
export function pause(): number {
  Atomics.wait(clock, 0, 0, pauseMs);
  return pauseMs;
}
