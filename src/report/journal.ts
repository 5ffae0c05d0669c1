import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import {
  type CheckResult,
  defaultRuns,
  type RunFooter,
  type RunHeader,
  type RunRecord,
} from '../checks/verdict.ts';
import { isDeeperThan, isObject } from '../spec/json.ts';
import {
  BoundedFileError,
  evidenceBounds,
  keepWithin,
  modeOfRun,
  readJsonLines,
} from '../target/bounded-file.ts';
import { Redactor } from '../tpp/redaction.ts';
import { isFooter, isHeader, isResult } from './journal-shape.ts';
import { makeFolder } from './write-files.ts';

/** The file of a run folder that every report is built from. */
export const journalFile = 'journal.ndjson';

/**
 * What a run leaves next to its journal. All of it is made at the end: until then, and after a kill for good, what an
 * earlier run left in the folder would pass for the verdict of this one.
 */
const madeAtTheEnd = [
  'attestation.dsse.json',
  'attestation.tsr',
  // What earlier versions have left.
  'attestation.json',
  'summary.json',
  'junit.xml',
  'requirements.html',
  'report.html',
  'allure.html',
  'certificate.html',
  'badge.svg',
  'exchanges.ndjson',
  'allure-results',
] as const;

const namesOfRun: ReadonlySet<string> = new Set([journalFile, ...madeAtTheEnd]);

/** Whether a run leaves this in its folder, by its path there. Whatever else stands in it is somebody else's. */
export const isOfRun = (path: string): boolean => namesOfRun.has(path) || path.startsWith('allure-results/');

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
  override readonly name: string = 'JournalError';
  readonly dir: string;

  constructor(dir: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.dir = dir;
  }
}

/** The journal cannot be written any further; what was written before it stands. */
export class JournalWriteError extends JournalError {
  override readonly name = 'JournalWriteError';
}

/**
 * Starts the journal of a new run; one that stands in the folder already is replaced, and its reports are removed.
 * Nothing gets into it, or into any report made of it, past the redactor.
 * Lines are written synchronously, because a killed process loses whatever still waits in memory.
 */
export function openJournal(
  dir: string,
  redactor: Redactor,
  write: (file: number, line: string) => void = writeSync,
): Journal {
  const path = join(dir, journalFile);
  const file = created(dir, path);
  const { ino } = fstatSync(file);
  const flush = flusher(file);
  let open = true;
  let size = 0;
  let verdicts = 0;
  const append = (line: JournalLine): void => {
    // After an interruption some checks still end; what falls after the footer is no part of the run.
    if (!open) return;
    try {
      // Whoever has the file open may write to it after it was removed, and nobody would ever read it.
      if (statSync(path).ino !== ino) throw new Error('the file was replaced');
      const text = `${JSON.stringify(redacted(line, redactor))}\n`;
      const lineBytes = Buffer.byteLength(text);
      keepWithin(evidenceBounds, { bytes: size + lineBytes, lineBytes });
      write(file, text);
    } catch (cause) {
      open = false;
      throw broken(dir, cause, { file, size, verdicts });
    }
    size = fstatSync(file).size;
    if (line.kind === 'result') verdicts += 1;
    flush();
  };
  return {
    header: (value) => append({ kind: 'header', format, value }),
    result: (value) => append({ kind: 'result', value }),
    footer: (value) => append({ kind: 'footer', value }),
    close: () => {
      if (!open) return;
      open = false;
      fdatasyncSync(file);
      closeSync(file);
    },
  };
}

/** Writes the journal of a run that is there as a whole. */
export function writeJournal(dir: string, { header, results, footer }: RunRecord): void {
  const journal = openJournal(dir, new Redactor());
  journal.header(header);
  for (const result of results) journal.result(result);
  if (footer !== undefined) journal.footer(footer);
  journal.close();
}

function created(dir: string, path: string): number {
  try {
    makeFolder(dir);
    // Removed, not emptied: it may be a link to somewhere else, or somebody's to read.
    rmSync(path, { force: true });
    for (const name of madeAtTheEnd) rmSync(join(dir, name), { recursive: true, force: true });
    return openSync(path, 'wx', modeOfRun);
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    throw new JournalError(dir, `The reports cannot be written to ${dir}: ${told}. Give another folder.`, {
      cause: error,
    });
  }
}

/** Half a line is taken back, so that what stands there is whole. */
function broken(
  dir: string,
  cause: unknown,
  { file, size, verdicts }: { file: number; size: number; verdicts: number },
): JournalWriteError {
  try {
    ftruncateSync(file, size);
    closeSync(file);
  } catch {
    // Reading passes over half a line as well.
  }
  const told = cause instanceof Error ? cause.message : String(cause);
  return new JournalWriteError(
    dir,
    `The run was ended: its journal in ${dir} cannot be written any more (${told}). The ${verdicts} verdicts before are in it, unless the folder itself is gone. See to the disk, and run again.`,
    { cause },
  );
}

/** Brings what was written to the disk itself, without anybody waiting for it, and one time for all that came meanwhile. */
function flusher(file: number): () => void {
  let isUnderWay = false;
  let isDue = false;
  const flush = (): void => {
    if (isUnderWay) {
      isDue = true;
      return;
    }
    isUnderWay = true;
    isDue = false;
    fdatasync(file, (error) => {
      isUnderWay = false;
      // A file system that cannot flush has done what it can; a file that was closed has been flushed.
      if (error === null && isDue) flush();
    });
  };
  return flush;
}

/** Words of our own stay as they are: a short value of a custom header may occur in them by chance. */
function redacted(line: JournalLine, redactor: Redactor): JournalLine {
  if (line.kind === 'result') {
    const { id, title, suite, requirements, held, notReached, level, verdict } = line.value;
    const others = { ...(held && { held }), ...(notReached && { notReached }) };
    return {
      ...line,
      value: { ...redactor.value(line.value), id, title, suite, requirements, ...others, level, verdict },
    };
  }
  if (line.kind === 'footer') return redactor.value(line);
  const { tool, catalogue, planned, interpretations, target, fingerprints } = line.value;
  const shown = redactor.value(line.value);
  return {
    ...line,
    value: {
      ...shown,
      tool,
      catalogue,
      planned,
      interpretations,
      ...(fingerprints === undefined ? {} : { fingerprints }),
      target: { ...shown.target, name: new Redactor().text(target.name), environment: target.environment },
    },
  };
}

/** Reads a run back: complete, interrupted or killed. */
export function readJournal(dir: string): RunRecord {
  const { lines, damagedLines } = readLines(dir);
  const [first, ...rest] = lines;
  if (damagedLines[0] === 1) throw damaged(dir);
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
  if (!isHeader(first.value)) throw damaged(dir);
  const { value: header } = first;
  const results = rest.flatMap((line) =>
    line.kind === 'result' ? [{ ...line.value, reproduce: commandFor(line.value.id, header) }] : [],
  );
  const footer = rest.flatMap((line) => (line.kind === 'footer' ? [line.value] : [])).at(-1);
  return {
    header,
    results,
    ...(footer === undefined ? {} : { footer }),
    ...(damagedLines.length === 0 ? {} : { damagedLines }),
  };
}

/** How the embedded bank is named in reports, whatever its port was. */
export const embeddedAddress = 'https://localhost';

export const isOfEmbeddedBank = ({ targetFile, target }: RunHeader): boolean =>
  targetFile === undefined && target.baseUrl === embeddedAddress;

/**
 * The flag that names the bank of a run folder. Not the file that the folder names: it may come from anybody, and a
 * target file decides what runs on the machine of whoever copies the command.
 */
export const targetFlagFor = (header: RunHeader): string =>
  header.side === 'tpp' || isOfEmbeddedBank(header) ? '' : ' --target <your target file>';

/** People copy it into their shell, and the folder may come from anybody: it is made of what was tried alone. */
export function commandFor(id: string, header: RunHeader): string {
  const { side, seed, runs } = header;
  if (side === 'tpp') return 'npx xs2a-conformance certify-tpp';
  return `npx xs2a-conformance run${targetFlagFor(header)}${runs === defaultRuns ? '' : ` --runs ${runs}`} --only ${id} --seed ${seed}`;
}

const damaged = (dir: string): JournalError =>
  new JournalError(dir, `${join(dir, journalFile)} is damaged in line 1. Run the checks again.`);

interface ReadLines {
  readonly lines: readonly JournalLine[];
  /** Numbers of the lines that say nothing. What stands in the others is as good as before. */
  readonly damagedLines: readonly number[];
}

function readLines(dir: string): ReadLines {
  const lines: JournalLine[] = [];
  const damagedLines: number[] = [];
  let number = 0;
  try {
    for (const { text, value } of readJsonLines(join(dir, journalFile), evidenceBounds)) {
      // Every whole line ends in a newline: what follows the last one was torn by a kill.
      if (!text.endsWith('\n')) break;
      number += 1;
      const line = journalLine(text, value);
      // One run has one header and ends with its footer. Two journals in one file would lend each other their verdicts.
      const isOfOther = lines.at(-1)?.kind === 'footer' || (line?.kind === 'header' && number > 1);
      if (line === undefined || isOfOther) damagedLines.push(number);
      else lines.push(line);
    }
  } catch (cause) {
    throw unreadable(dir, journalFile, cause);
  }
  return { lines, damagedLines };
}

/** What is too large for a file of a run is told as what it is: to others it would only be a file that was changed. */
export const unreadable = (dir: string, name: string, cause: unknown): JournalError =>
  new JournalError(
    dir,
    cause instanceof BoundedFileError
      ? `${join(dir, name)} is not read: ${cause.message}, and no run leaves that. Give the folder that a run was written to.`
      : `${dir} holds no run: ${name} is missing or cannot be read. Give the folder that a run was written to.`,
    { cause },
  );

/** Far more than a line of ours needs. */
const deepest = 32;

function journalLine(text: string, value: unknown): JournalLine | undefined {
  if (isDeeperThan(deepest, value) || !isJournalLine(value)) return undefined;
  // A member that is there twice is read by one program as the first, by another as the second.
  return JSON.stringify(value) === text.trimEnd() ? value : undefined;
}

function isJournalLine(value: unknown): value is JournalLine {
  if (!isObject(value)) return false;
  if (value.kind === 'result') return isResult(value.value);
  if (value.kind === 'footer') return isFooter(value.value);
  // What it says is asked later: a newer version may have other things to tell, and is named by its format.
  return value.kind === 'header' && isObject(value.value);
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
