import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CheckResult, RunFooter, RunHeader, RunRecord } from '../checks/verdict.ts';

/** The file of a run folder that every report is built from. */
export const journalFile = 'journal.ndjson';

const format = 1;

/** One line of the journal. The format number stands in the first, so that an older tool can refuse a newer file. */
type JournalLine =
  | { readonly kind: 'header'; readonly format: number; readonly value: RunHeader }
  | { readonly kind: 'result'; readonly value: CheckResult }
  | { readonly kind: 'footer'; readonly value: RunFooter };

export interface Journal {
  header(header: RunHeader): void;
  result(result: CheckResult): void;
  footer(footer: RunFooter): void;
  close(): void;
}

/** A run folder that cannot be read as a run, with what to do about it. */
export class JournalError extends Error {
  readonly dir: string;

  constructor(dir: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JournalError';
    this.dir = dir;
  }
}

/**
 * Starts the journal of a new run; one that stands in the folder already is replaced.
 * Lines are written synchronously, because a killed process loses whatever still waits in memory.
 */
export function openJournal(dir: string): Journal {
  try {
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, journalFile), '');
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    throw new JournalError(dir, `The reports cannot be written to ${dir}: ${told}. Give another folder.`, {
      cause: error,
    });
  }
  const file = openSync(join(dir, journalFile), 'a');
  let open = true;
  const append = (line: JournalLine): void => {
    // After an interruption some checks still end; what falls after the footer is no part of the run.
    if (open) appendFileSync(file, `${JSON.stringify(line)}\n`);
  };
  return {
    header: (value) => append({ kind: 'header', format, value }),
    result: (value) => append({ kind: 'result', value }),
    footer: (value) => append({ kind: 'footer', value }),
    close: () => {
      if (!open) return;
      open = false;
      closeSync(file);
    },
  };
}

/** Reads a run back: complete, interrupted or killed. */
export function readJournal(dir: string): RunRecord {
  const lines = readLines(dir);
  const [first, ...rest] = lines;
  if (first === undefined || first.kind !== 'header') {
    throw new JournalError(
      dir,
      `${join(dir, journalFile)} does not begin with a run. Give the folder that a run was written to.`,
    );
  }
  if (first.format !== format) {
    throw new JournalError(
      dir,
      `${join(dir, journalFile)} has format ${first.format}, this version reads format ${format}. Read it with the version that wrote it.`,
    );
  }
  const results = rest.flatMap((line) => (line.kind === 'result' ? [line.value] : []));
  const footer = rest.flatMap((line) => (line.kind === 'footer' ? [line.value] : [])).at(-1);
  return { header: first.value, results, ...(footer === undefined ? {} : { footer }) };
}

function readLines(dir: string): JournalLine[] {
  const path = join(dir, journalFile);
  const lines = readText(dir, path).split('\n');
  // Every whole line ends in a newline, so what follows the last one is either nothing or torn by a kill.
  lines.pop();
  return lines.map((line, index) => {
    const parsed = parseLine(line);
    if (parsed === undefined) {
      throw new JournalError(dir, `${path} is damaged in line ${index + 1}. Run the checks again.`);
    }
    return parsed;
  });
}

function readText(dir: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new JournalError(
      dir,
      `${dir} holds no run: ${journalFile} is missing or cannot be read. Give the folder that a run was written to.`,
      { cause },
    );
  }
}

function parseLine(line: string): JournalLine | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return isJournalLine(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isJournalLine(value: unknown): value is JournalLine {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    (value.kind === 'header' || value.kind === 'result' || value.kind === 'footer') &&
    'value' in value &&
    typeof value.value === 'object' &&
    value.value !== null
  );
}

/** A killed run has no footer: its last verdict tells how long it lasted. */
export function runDuration({ header, results, footer }: RunRecord): number {
  if (footer !== undefined) return footer.durationMs;
  const start = Date.parse(header.startedAt);
  const ends = results.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs);
  return Math.max(0, ends.reduce((latest, end) => Math.max(latest, end), start) - start);
}

/** A killed run never told how many requests it sent: the recorded exchanges are the least. */
export function runRequests({ results, footer }: RunRecord): number {
  return footer?.requests ?? results.reduce((sum, { exchanges }) => sum + exchanges.length, 0);
}
