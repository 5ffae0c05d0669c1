import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { objectsIn, parsedJson } from '../spec/json.ts';

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

/** How much a file of JSON lines can hold; more is none of ours, whoever wrote it. */
export interface LineBounds {
  readonly bytes: number;
  readonly lines: number;
  readonly lineBytes: number;
  /** Objects and lists, which take many times the memory that their text takes. */
  readonly objects: number;
}

/** The journal of a run, and the recording of a TPP: many times the largest that a bank or a TPP in trouble leaves. */
export const evidenceBounds: LineBounds = {
  bytes: 128 * megabyte,
  lines: 200_000,
  lineBytes: 8 * megabyte,
  objects: 5_000_000,
};

/** Of every file in the folder of a run: its group may read them, and nobody else learns what a bank has answered. */
export const modeOfRun = 0o640;

const newline = 0x0a;

/** Reads a file line by line. Each line has its newline, which the last one may lack: a killed process tore it. */
export function* readLines(file: string, most: LineBounds): Generator<string> {
  const descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = fstatSync(descriptor);
    // What is no ordinary file may have no end.
    if (!found.isFile()) throw new Error('it is no ordinary file');
    keepWithin(most, { bytes: found.size });
    let begun: Buffer[] = [];
    const sum = { bytes: 0, lines: 0, lineBytes: 0 };
    const add = (part: Buffer): void => {
      begun.push(part);
      sum.lineBytes += part.length;
      sum.bytes += part.length;
      keepWithin(most, sum);
    };
    const line = (): string => {
      const text = Buffer.concat(begun).toString('utf8');
      begun = [];
      sum.lineBytes = 0;
      return text;
    };
    for (;;) {
      const whole = Buffer.alloc(64 * 1024);
      const part = whole.subarray(0, readSync(descriptor, whole));
      if (part.length === 0) break;
      let from = 0;
      for (let at = part.indexOf(newline); at >= 0; at = part.indexOf(newline, from)) {
        sum.lines += 1;
        add(part.subarray(from, at + 1));
        yield line();
        from = at + 1;
      }
      if (from < part.length) add(part.subarray(from));
    }
    if (begun.length > 0) yield line();
  } finally {
    closeSync(descriptor);
  }
}

/** The same, and what each line says, which is a JSON object: undefined where it is none. */
export function* readJsonLines(
  file: string,
  most: LineBounds,
): Generator<{ readonly text: string; readonly value: unknown }> {
  let objects = 0;
  for (const text of readLines(file, most)) {
    const value = text.startsWith('{') ? parsedJson(text) : undefined;
    objects += objectsIn(value);
    keepWithin(most, { objects });
    yield { text, value };
  }
}

/** Whoever writes such a file keeps to what can be read again. */
export function keepWithin(most: LineBounds, sum: Partial<LineBounds>): void {
  const { bytes = 0, lines = 0, lineBytes = 0, objects = 0 } = sum;
  if (bytes > most.bytes) throw new BoundedFileError(`it has more than ${most.bytes / megabyte} MB`);
  if (lines > most.lines) throw new BoundedFileError(`it has more than ${most.lines} lines`);
  if (lineBytes > most.lineBytes)
    throw new BoundedFileError(`a line of it has more than ${most.lineBytes / megabyte} MB`);
  if (objects > most.objects)
    throw new BoundedFileError(`it has more than ${most.objects} objects and lists`);
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
