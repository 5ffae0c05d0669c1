import {
  appendFileSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CertificateError } from '../signing/certificate.ts';
import { textAt } from '../spec/json.ts';
import type { ProfileId } from '../spec/profiles.ts';
import {
  BoundedFileError,
  evidenceBounds,
  keepWithin,
  modeOfRun,
  readJsonLines,
} from '../target/bounded-file.ts';
import { askedFor } from './provocations.ts';
import { namesOperations } from './recorded-operation.ts';
import {
  type FailedConnection,
  type ReachedBound,
  type RecordedExchange,
  type RecordingEnd,
  type RecordingLine,
  type RecordingStart,
  recordingFile,
  recordingFormat,
  unredactedFolder,
} from './recording.ts';
import { isRecordingLine } from './recording-shape.ts';
import { redactorFor, Session } from './session.ts';

/** Keeps what a TPP sends. */
export interface Recorder {
  exchange(exchange: RecordedExchange): void;
  failedConnection(connection: FailedConnection): void;
  bound(bound: ReachedBound): void;
  end(end: RecordingEnd): void;
  close(): void;
}

/** What the TPP sends cannot be kept any further; what was kept before it stands. */
export class RecordingWriteError extends Error {
  override readonly name = 'RecordingWriteError';
}

/**
 * Records next to the folder of the run. Lines are written synchronously, and the bank answers only afterwards: whatever a
 * TPP has an answer to is in the file, even when the process is killed. The file is the owner's alone, because it
 * holds everything unredacted.
 */
export function openRecorder(
  dir: string,
  start: RecordingStart,
  write: (file: number, line: string) => void = appendFileSync,
): Recorder {
  const folder = unredactedFolder(dir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = createdAnew(join(folder, recordingFile));
  let open = true;
  let size = 0;
  let lines = 0;
  const append = (line: RecordingLine): void => {
    if (!open) return;
    try {
      const text = `${JSON.stringify(line)}\n`;
      const lineBytes = Buffer.byteLength(text);
      keepWithin(evidenceBounds, { bytes: size + lineBytes, lines: lines + 1, lineBytes });
      write(file, text);
    } catch (cause) {
      open = false;
      takeBack(file, size);
      throw broken(dir, cause);
    }
    size = fstatSync(file).size;
    lines += 1;
  };
  append({ kind: 'start', format: recordingFormat, value: start });
  return {
    exchange: (value) => append({ kind: 'exchange', value }),
    failedConnection: (value) => append({ kind: 'handshake', value }),
    bound: (value) => append({ kind: 'bound', value }),
    end: (value) => append({ kind: 'end', value }),
    close: () => {
      if (!open) return;
      open = false;
      closeSync(file);
    },
  };
}

/** Half a line is taken back, so that what stands there is whole. */
function takeBack(file: number, size: number): void {
  try {
    ftruncateSync(file, size);
    closeSync(file);
  } catch {
    // Reading passes over half a line as well.
  }
}

function broken(dir: string, cause: unknown): RecordingWriteError {
  const told = cause instanceof Error ? cause.message : String(cause);
  return new RecordingWriteError(
    `The certification was ended: what the TPP sends cannot be recorded in ${unredactedFolder(dir)} any more (${told}). What came before is in it: see to the disk, and judge it with certify-tpp --judge ${dir}.`,
    { cause },
  );
}

/** Removed, not emptied: what stands there may be a link to somewhere else, or somebody's to read. */
function createdAnew(path: string, mode = 0o600): number {
  rmSync(path, { force: true });
  return openSync(path, 'wx', mode);
}

/** A folder that holds no recording that can be read, with what to do about it. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/**
 * Reads back what was recorded of a run, whether the certification ended or was killed. The TPP is judged by other
 * profiles than it was recorded for, where these are given.
 */
export function readRecording(dir: string, profiles?: readonly ProfileId[]): Session {
  const path = join(unredactedFolder(dir), recordingFile);
  const [first, ...rest] = linesOf(path);
  if (first?.kind !== 'start') {
    throw new RecordingError(`${path} ${noBeginning}`);
  }
  if (first.format !== recordingFormat) {
    throw new RecordingError(
      `${path} has format ${first.format}, this version reads format ${recordingFormat}. Read it with the version that wrote it.`,
    );
  }
  const session = begun(path, profiles === undefined ? first.value : { ...first.value, profiles });
  const isNamedRightly = namesOperations(session.prefix);
  for (const [index, line] of rest.entries()) {
    if (line.kind === 'exchange') {
      if (!isNamedRightly(line.value)) {
        throw new RecordingError(
          `${path} is damaged in line ${index + 2}: its operation is not the one at ${line.value.request.method} ${line.value.request.target}.`,
        );
      }
      if (line.value.number <= session.lastNumber) {
        throw new RecordingError(
          `${path} is damaged in line ${index + 2}: exchange ${line.value.number} does not come after exchange ${session.lastNumber}.`,
        );
      }
      const { recorded, json } = session.add(line.value);
      // It excuses what the TPP did: nothing but its amount brings it about.
      if (
        recorded.provocation !== undefined &&
        recorded.provocation !== askedFor({ ...recorded, body: json })
      ) {
        throw new RecordingError(
          `${path} is damaged in line ${index + 2}: no amount of the request asks for ${recorded.provocation}.`,
        );
      }
    }
    if (line.kind === 'handshake') session.addFailedConnection(line.value);
    if (line.kind === 'bound') session.bounds.push(line.value);
    if (line.kind === 'end') session.end = line.value;
  }
  session.isCutOff = session.end === undefined;
  return session;
}

/** What is trusted stands in the first line as PEM, which may be anything. */
function begun(path: string, start: RecordingStart): Session {
  try {
    return new Session(start);
  } catch (cause) {
    if (!(cause instanceof CertificateError)) throw cause;
    throw new RecordingError(`${path} is damaged in line 1: an authority in it is none.`, { cause });
  }
}

function linesOf(path: string): readonly RecordingLine[] {
  const lines: RecordingLine[] = [];
  for (const { text, value } of readingOf(path)) {
    // Every whole line ends in a newline: what follows the last one was torn by a kill, and never answered.
    if (!text.endsWith('\n')) break;
    const isFirst = lines.length === 0;
    if (isFirst && textAt(value, 'kind') !== 'start') throw new RecordingError(`${path} ${noBeginning}`);
    // One recording begins once: two of them in one file would lend each other what they show.
    if (!isRecordingLine(value, recordingFormat) || (value.kind === 'start') !== isFirst)
      throw new RecordingError(`${path} is damaged in line ${lines.length + 1}.`);
    lines.push(value);
  }
  return lines;
}

const noBeginning = 'does not begin with a certification. Give the folder of one.';

function* readingOf(path: string): ReturnType<typeof readJsonLines> {
  try {
    yield* readJsonLines(path, evidenceBounds);
  } catch (cause) {
    const why =
      cause instanceof BoundedFileError ? `is not read: ${cause.message}` : 'is missing or cannot be read';
    throw new RecordingError(
      `${path} ${why}. Give the folder of a certification; what was recorded of it stands next to it.`,
      { cause },
    );
  }
}

/** Writes what can be given away of a recording into the folder of the run. */
export function writeRedactedRecording(dir: string, session: Session): void {
  const redaction = redactorFor(session);
  const { tool, startedAt, baseUrl } = session.start;
  const lines = [
    { kind: 'start', value: { tool, startedAt, baseUrl, redacted: true } },
    ...session.exchanges.map(({ number, answer }) => ({
      kind: 'exchange',
      value: { number, ...redaction.exchange(answer.exchange) },
    })),
    ...session.failedConnections.map(({ source: _, ...value }) => ({ kind: 'handshake', value })),
    ...session.bounds.map((value) => ({ kind: 'bound', value })),
    ...(session.end === undefined ? [] : [{ kind: 'end', value: session.end }]),
  ];
  mkdirSync(dir, { recursive: true });
  const file = createdAnew(join(dir, recordingFile), modeOfRun);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  closeSync(file);
}
