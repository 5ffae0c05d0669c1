import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RecordingLine, recordingFile, recordingFormat } from './recording.ts';
import { Session } from './session.ts';

/** A folder that holds no recording that can be read, with what to do about it. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

/** Reads back what was recorded, whether the certification ended or was killed. */
export function readRecording(dir: string): Session {
  const path = join(dir, recordingFile);
  const [first, ...rest] = linesOf(path);
  if (first?.kind !== 'start') {
    throw new RecordingError(`${path} does not begin with a certification. Give the folder of one.`);
  }
  if (first.format !== recordingFormat) {
    throw new RecordingError(
      `${path} has format ${first.format}, this version reads format ${recordingFormat}. Read it with the version that wrote it.`,
    );
  }
  const session = new Session(first.value);
  for (const line of rest) {
    if (line.kind === 'exchange') session.add(line.value);
    if (line.kind === 'handshake') session.addFailedHandshake(line.value);
    if (line.kind === 'end') session.end = line.value;
  }
  return session;
}

function linesOf(path: string): readonly RecordingLine[] {
  const lines = textOf(path).split('\n');
  // Every whole line ends in a newline: what follows the last one was torn by a kill, and never answered.
  lines.pop();
  return lines.map((line, index) => {
    try {
      return JSON.parse(line) as RecordingLine;
    } catch {
      throw new RecordingError(`${path} is damaged in line ${index + 1}.`);
    }
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new RecordingError(`${path} is missing or cannot be read. Give the folder of a certification.`, {
      cause,
    });
  }
}
