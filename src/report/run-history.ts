import { statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type RunRecord, type Verdict, verdicts } from '../checks/verdict.ts';
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
const most = { runs: 50, bytes: 20_000_000, checks: 20_000 } as const;

/** The runs before this one. The run itself is left out, since a report may be built again and again. */
export async function readEarlierRuns(
  path: string,
  { uuid, timestamp }: HistoryPoint,
): Promise<readonly HistoryPoint[]> {
  const points = await readPoints(path);
  return points.filter((point) => point.uuid !== uuid && point.timestamp < timestamp);
}

/** Adds a run, or replaces it where it was there already. What is no history is left as it is: it was named by mistake. */
export async function rememberRun(path: string, point: HistoryPoint): Promise<void> {
  const found = statSync(path, { throwIfNoEntry: false });
  // Such as /dev/null, by which a user says that nothing is to be kept.
  if (found?.isCharacterDevice() === true) return;
  const text = found === undefined ? '' : await readBounded(path);
  if (text.trim() !== '' && !text.split('\n').some(isLineOfHistory))
    throw new Error(`${path} holds something else than a history, and is left as it is`);
  const others = pointsIn(text).filter(({ uuid }) => uuid !== point.uuid);
  const points = [...others, point].toSorted((a, b) => a.timestamp - b.timestamp).slice(-most.runs);
  makeFolder(dirname(path));
  writeNamed(path, linesOf(points));
}

export const linesOf = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('');

const readPoints = async (path: string): Promise<readonly HistoryPoint[]> =>
  pointsIn(await readBounded(path).catch(() => ''));

const pointsIn = (text: string): readonly HistoryPoint[] =>
  text
    .split('\n')
    .flatMap((line) => parsePoint(line) ?? [])
    .slice(-most.runs);

/** A history comes from a cache that others may write to: what is no ordinary file, or too large, is none. */
async function readBounded(path: string): Promise<string> {
  const found = await stat(path);
  if (!found.isFile() || found.size > most.bytes)
    throw new Error(`${path} is no ordinary file, or larger than a history can be`);
  return readFile(path, 'utf8');
}

/** Of this version, or of another one that has other things to tell of a run. */
function isLineOfHistory(line: string): boolean {
  try {
    const { uuid, timestamp } = (JSON.parse(line) ?? {}) as Partial<HistoryPoint>;
    return typeof uuid === 'string' && typeof timestamp === 'number';
  } catch {
    return false;
  }
}

/** A line that cannot be read costs one point of a trend, never a report. */
function parsePoint(line: string): HistoryPoint | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isHistoryPoint(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

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
