import { appendFileSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FailedHandshake,
  type RecordedExchange,
  type RecordingEnd,
  type RecordingLine,
  type RecordingStart,
  recordingFile,
  recordingFormat,
} from './recording.ts';

/** Keeps what a TPP sends. */
export interface Recorder {
  exchange(exchange: RecordedExchange): void;
  handshake(handshake: FailedHandshake): void;
  end(end: RecordingEnd): void;
  close(): void;
}

/**
 * Records into the run's folder. Lines are written synchronously, and the bank answers only afterwards: whatever a
 * TPP has an answer to is in the file, even when the process is killed. The file is the owner's alone, because it
 * holds everything unredacted.
 */
export function openRecorder(dir: string, start: RecordingStart): Recorder {
  mkdirSync(dir, { recursive: true });
  const file = openSync(join(dir, recordingFile), 'w', 0o600);
  let open = true;
  const append = (line: RecordingLine): void => {
    if (open) appendFileSync(file, `${JSON.stringify(line)}\n`);
  };
  append({ kind: 'start', format: recordingFormat, value: start });
  return {
    exchange: (value) => append({ kind: 'exchange', value }),
    handshake: (value) => append({ kind: 'handshake', value }),
    end: (value) => append({ kind: 'end', value }),
    close: () => {
      if (!open) return;
      open = false;
      closeSync(file);
    },
  };
}
