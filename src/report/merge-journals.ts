import { relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunFooter, RunHeader, RunRecord } from '../checks/verdict.ts';
import { openJournal, readJournal, runDuration, runRequests } from './journal.ts';

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

interface ShardRun {
  readonly dir: string;
  readonly run: RunRecord;
}

function mergeRuns(shards: readonly ShardRun[], out: string): RunRecord {
  const [first, ...others] = shards;
  if (first === undefined) throw new MergeError('There is nothing to merge: give the folders of the shards.');
  for (const other of others) refuseDifference(first, other);
  refuseOverlap(shards);

  const runs = shards.map(({ run }) => run);
  const headers = runs.map(({ header }) => header);
  const { selection: _, remarks: __, targetFile, ...header } = first.run.header;
  const selection = mergedSelection(headers);
  const remarks = [...new Set(headers.flatMap((each) => each.remarks ?? []))];
  return {
    header: {
      ...header,
      startedAt: headers.map(({ startedAt }) => startedAt).toSorted()[0] ?? header.startedAt,
      planned: [...new Set(headers.flatMap(({ planned }) => planned))],
      ...(selection === undefined ? {} : { selection }),
      ...(remarks.length === 0 ? {} : { remarks }),
      ...(targetFile === undefined ? {} : { targetFile: relative(out, resolve(first.dir, targetFile)) }),
    },
    results: runs.flatMap(({ results }) => results),
    footer: mergedFooter(runs),
  };
}

function refuseDifference(first: ShardRun, other: ShardRun): void {
  for (const key of shared) {
    if (isDeepStrictEqual(first.run.header[key], other.run.header[key])) continue;
    throw new MergeError(
      `${first.dir} and ${other.dir} differ in ${key} (${JSON.stringify(first.run.header[key])} and ${JSON.stringify(other.run.header[key])}): merge only shards of the same run.`,
    );
  }
}

function refuseOverlap(shards: readonly ShardRun[]): void {
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

/** The part of the suite that a run was told to judge, as it stands in the run's header. */
export interface Selection {
  /** Ids of checks, suites or requirements. */
  readonly only: readonly string[];
  readonly shard?: Shard;
}

export interface Shard {
  readonly index: number;
  readonly count: number;
}

const shardText = /(?:^| )--shard (\d+)\/(\d+)$/;

/** The header's `selection`: the flags that made it. Undefined when everything is judged. */
export function selectionText({ only, shard }: Selection): string | undefined {
  const flags = [
    ...(only.length > 0 ? [`--only ${only.join(',')}`] : []),
    ...(shard === undefined ? [] : [`--shard ${shard.index}/${shard.count}`]),
  ];
  return flags.length === 0 ? undefined : flags.join(' ');
}

/** Takes the shard out of a header's selection; what is left was asked for by hand. */
export function splitShard(selection: string | undefined): { rest: string | undefined; shard?: Shard } {
  const match = selection === undefined ? null : shardText.exec(selection);
  if (selection === undefined || match === null) return { rest: selection };
  const rest = selection.slice(0, match.index).trim();
  return {
    rest: rest === '' ? undefined : rest,
    shard: { index: Number(match[1]), count: Number(match[2]) },
  };
}
