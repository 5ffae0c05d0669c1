import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type RunRecord, type Verdict, verdicts } from '../checks/verdict.ts';
import { member } from '../spec/json.ts';
import { readJsonLines } from '../target/bounded-file.ts';
import { runUuid } from './allure-result.ts';
import type { Outcome, OverallVerdict } from './outcome.ts';
import { overallVerdicts } from './profile-results.ts';
import { type Tally, tallyOf, verdictOrder } from './requirement-results.ts';
import { makeFolder, writeNamed } from './write-files.ts';

/** What a later run wants to know of an earlier one. One line of the history file, which a build server may keep. */
export interface HistoryPoint {
  readonly uuid: string;
  /** When it started, in milliseconds. */
  readonly timestamp: number;
  readonly verdict: OverallVerdict;
  /** How many requirements have which verdict. */
  readonly requirements: Tally;
  /** The verdict of each check, by its id. */
  readonly checks: Readonly<Record<string, Verdict>>;
}

export const pointOf = ({ header, results }: RunRecord, outcome: Outcome): HistoryPoint => ({
  uuid: runUuid(header),
  timestamp: Date.parse(header.startedAt) || 0,
  verdict: outcome.verdict,
  requirements: tallyOf(outcome.requirements),
  checks: Object.fromEntries(results.map(({ id, verdict }) => [id, verdict])),
});

/** What a history can hold; more is none of ours. */
const most = { runs: 50, checks: 20_000 } as const;
const bounds = { bytes: 20 * 2 ** 20, lines: 20_000, lineBytes: 2 * 2 ** 20, objects: 100_000 } as const;

/** The runs before this one. The run itself is left out, since a report may be built again and again. */
export function readEarlierRuns(path: string, { uuid, timestamp }: HistoryPoint): readonly HistoryPoint[] {
  try {
    const points = linesIn(path).filter(isHistoryPoint).slice(-most.runs);
    return points.filter((point) => point.uuid !== uuid && point.timestamp < timestamp);
  } catch {
    return [];
  }
}

/** Adds a run, or replaces it where it was there already. What is no history is left as it is: it was named by mistake. */
export function rememberRun(path: string, point: HistoryPoint): void {
  const found = statSync(path, { throwIfNoEntry: false });
  // Such as /dev/null, by which a user says that nothing is to be kept.
  if (found?.isCharacterDevice() === true) return;
  const lines = found === undefined ? [] : linesIn(path);
  if (lines.length > 0 && !lines.some(isLineOfHistory))
    throw new Error(`${path} holds something else than a history, and is left as it is`);
  const others = lines.filter(isHistoryPoint).filter(({ uuid }) => uuid !== point.uuid);
  const points = [...others, point].toSorted((a, b) => a.timestamp - b.timestamp).slice(-most.runs);
  makeFolder(dirname(path));
  writeNamed(path, linesOf(points));
}

export const linesOf = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** What the lines say. A history comes from a cache that others may write to: what is too large is none. */
function linesIn(path: string): readonly unknown[] {
  try {
    return [...readJsonLines(path, bounds)]
      .filter(({ text }) => text.trim() !== '')
      .map(({ value }) => value);
  } catch (cause) {
    const told = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${path} is no history that can be read: ${told}`, { cause });
  }
}

/** Of this version, or of another one that has other things to tell of a run. */
const isLineOfHistory = (line: unknown): boolean =>
  typeof member(line, 'uuid') === 'string' && typeof member(line, 'timestamp') === 'number';

/** A line that cannot be read costs one point of a trend, never a report. */
function isHistoryPoint(value: unknown): value is HistoryPoint {
  const { uuid, timestamp, verdict, requirements, checks } = (value ?? {}) as Partial<HistoryPoint>;
  return (
    typeof uuid === 'string' &&
    typeof timestamp === 'number' &&
    // Beyond it, no date can be written.
    Math.abs(timestamp) <= 8.64e15 &&
    overallVerdicts.some((known) => known === verdict) &&
    isRecord(requirements, (count) => Number.isSafeInteger(count) && Number(count) >= 0) &&
    Object.keys(requirements).every((known) => verdictOrder.some((verdictOf) => verdictOf === known)) &&
    isRecord(checks, (fell) => verdicts.some((known) => known === fell)) &&
    Object.keys(checks).length <= most.checks
  );
}

const isRecord = (value: unknown, isMember: (member: unknown) => boolean): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every(isMember);
