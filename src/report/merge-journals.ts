import { relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunFooter, RunHeader, RunRecord } from '../checks/verdict.ts';
import { openJournal, readJournal } from './journal.ts';
import { runDuration, runRequests } from './run-extent.ts';
import { splitShard } from './selection.ts';

/** Runs that cannot be one: they judged different things, or the same thing twice. */
export class MergeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MergeError';
  }
}

/** What must be the same in all shards for their verdicts to belong together. */
const shared = [
  'tool',
  'catalogue',
  'target',
  'interpretations',
  'knownDeviations',
  'seed',
  'runs',
] as const satisfies readonly (keyof RunHeader)[];

/** Merges the journals of shards into the journal of one run, written to `out`. */
export function mergeJournals(dirs: readonly string[], out: string): RunRecord {
  const merged = mergeRuns(
    dirs.map((dir) => ({ dir, run: readJournal(dir) })),
    out,
  );
  const journal = openJournal(out);
  journal.header(merged.header);
  for (const result of merged.results) journal.result(result);
  if (merged.footer !== undefined) journal.footer(merged.footer);
  journal.close();
  return merged;
}

interface Shard {
  readonly dir: string;
  readonly run: RunRecord;
}

function mergeRuns(shards: readonly Shard[], out: string): RunRecord {
  const [first, ...others] = shards;
  if (first === undefined) throw new MergeError('There is nothing to merge: give the folders of the shards.');
  for (const other of others) refuseDifference(first, other);
  refuseOverlap(shards);

  const runs = shards.map(({ run }) => run);
  const headers = runs.map(({ header }) => header);
  const { selection: _, targetFile, ...header } = first.run.header;
  const selection = mergedSelection(headers);
  return {
    header: {
      ...header,
      startedAt: headers.map(({ startedAt }) => startedAt).toSorted()[0] ?? header.startedAt,
      planned: [...new Set(headers.flatMap(({ planned }) => planned))],
      ...(selection === undefined ? {} : { selection }),
      ...(targetFile === undefined ? {} : { targetFile: relative(out, resolve(first.dir, targetFile)) }),
    },
    results: runs.flatMap(({ results }) => results),
    footer: mergedFooter(runs),
  };
}

function refuseDifference(first: Shard, other: Shard): void {
  for (const key of shared) {
    if (isDeepStrictEqual(first.run.header[key], other.run.header[key])) continue;
    throw new MergeError(
      `${first.dir} and ${other.dir} differ in ${key} (${JSON.stringify(first.run.header[key])} and ${JSON.stringify(other.run.header[key])}): merge only shards of the same run.`,
    );
  }
}

function refuseOverlap(shards: readonly Shard[]): void {
  const owner = new Map<string, string>();
  for (const { dir, run } of shards) {
    for (const id of new Set(run.results.map((result) => result.id))) {
      const earlier = owner.get(id);
      if (earlier !== undefined) {
        throw new MergeError(`${id} was judged in both ${earlier} and ${dir}: leave one of them out.`);
      }
      owner.set(id, dir);
    }
  }
}

/** Nothing is left of the selection when all shards of one whole are here. */
function mergedSelection(headers: readonly RunHeader[]): string | undefined {
  const parts = headers.map(({ selection }) => splitShard(selection));
  const [first] = parts;
  const count = first?.shard?.count ?? 1;
  const seen = new Set(parts.map(({ shard }) => shard?.index ?? 1));
  const complete =
    parts.every(({ rest, shard }) => rest === first?.rest && (shard?.count ?? 1) === count) &&
    seen.size === count;
  if (complete) return first?.rest;
  const selections = headers.flatMap(({ selection }) => selection ?? []);
  return selections.length === 0 ? undefined : [...new Set(selections)].join(' + ');
}

/** Shards run side by side on several machines, so the duration is from the first start to the last end. */
function mergedFooter(runs: readonly RunRecord[]): RunFooter {
  const starts = runs.map(({ header }) => Date.parse(header.startedAt));
  const ends = runs.map((run) => Date.parse(run.header.startedAt) + runDuration(run));
  return {
    durationMs: Math.max(...ends) - Math.min(...starts),
    requests: runs.reduce((sum, run) => sum + runRequests(run), 0),
    interrupted: runs.some(({ footer }) => footer?.interrupted ?? true),
  };
}
