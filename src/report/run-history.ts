import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type RunRecord, type Verdict, verdicts } from '../checks/verdict.ts';
import { runUuid } from './allure-result.ts';
import type { Outcome, OverallVerdict } from './outcome.ts';
import { overallVerdicts } from './profile-results.ts';
import { type Tally, tallyOf, verdictOrder } from './requirement-results.ts';
import { makeFolder } from './write-files.ts';

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

/** Adds a run, or replaces it where it was there already. */
export async function rememberRun(path: string, point: HistoryPoint): Promise<void> {
  const others = (await readPoints(path)).filter(({ uuid }) => uuid !== point.uuid);
  const points = [...others, point].toSorted((a, b) => a.timestamp - b.timestamp).slice(-most.runs);
  await writeLines(path, points);
}

/** Written to a second file and renamed, so that a killed process leaves no half of a history. */
export async function writeLines(path: string, values: readonly unknown[]): Promise<void> {
  makeFolder(dirname(path));
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, values.map((value) => `${JSON.stringify(value)}\n`).join(''));
  await rename(draft, path);
}

async function readPoints(path: string): Promise<readonly HistoryPoint[]> {
  const text = await readBounded(path).catch(() => '');
  return text
    .split('\n')
    .flatMap((line) => parsePoint(line) ?? [])
    .slice(-most.runs);
}

/** A history comes from a cache that others may write to: what is no ordinary file, or too large, is none. */
async function readBounded(path: string): Promise<string> {
  const found = await stat(path);
  return found.isFile() && found.size <= most.bytes ? await readFile(path, 'utf8') : '';
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
