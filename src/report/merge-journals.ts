import { relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunFooter, RunHeader, RunRecord } from '../checks/verdict.ts';
import { dayMs } from '../spec/days.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import { whyNotAsAttested } from './attested-run.ts';
import { readJournal, runDuration, runRequests, writeJournal } from './journal.ts';
import { isShard, type Shard } from './shard.ts';

/** Runs that cannot be one: they judged different things, or the same thing twice. */
export class MergeError extends Error {
  override readonly name = 'MergeError';
}

/** What must be the same in all shards for their verdicts to belong together. */
const shared = [
  'tool',
  'catalogue',
  'target',
  'interpretations',
  'knownDeviations',
  'profiles',
  'notOffered',
  'insecure',
  'side',
  'seed',
  'runs',
] as const satisfies readonly (keyof RunHeader)[];

/** Merges the journals of shards into the journal of one run, written to `out`. */
export function mergeJournals(dirs: readonly string[], out: string): RunRecord {
  const merged = mergeRuns(
    dirs.map((dir) => ({ dir, run: readShard(dir) })),
    out,
  );
  writeJournal(out, merged);
  return merged;
}

/** A merged run can be signed as one of its own, so that whatever was changed in a shard would be vouched for. */
function readShard(dir: string): RunRecord {
  const run = readJournal(dir);
  const why = whyNotAsAttested(dir);
  if (why !== undefined)
    throw new MergeError(`${dir} cannot be merged. ${why} Give the shard as it was, or judge it again.`);
  const { shard } = splitShard(run.header.selection);
  if (shard !== undefined && !isShard(shard))
    throw new MergeError(
      `${dir} cannot be merged: there is no shard ${shard.index} of ${shard.count}. Give those that were made with --shard 1/n, 2/n and so on.`,
    );
  return run;
}

interface ShardRun {
  readonly dir: string;
  readonly run: RunRecord;
}

function mergeRuns(shards: readonly ShardRun[], out: string): RunRecord {
  const [first, ...others] = shards;
  if (first === undefined) throw new MergeError('There is nothing to merge: give the folders of the shards.');
  for (const other of others) {
    refuseDifference(first, other);
    refuseOtherWhole(first, other);
  }
  refuseOverlap(shards);
  refuseOtherDays(shards);

  const runs = shards.map(({ run }) => run);
  const headers = runs.map(({ header }) => header);
  const { selection: _, remarks: __, targetFile, ...header } = first.run.header;
  const { selection, missing } = mergedSelection(headers);
  const remarks = [...new Set(headers.flatMap((each) => each.remarks ?? []))];
  const incomplete = [
    ...new Set([...headers.flatMap((each) => each.incomplete ?? []), ...shards.flatMap(faultsOf)]),
  ];
  const fingerprints = allFingerprints(headers);
  return {
    header: {
      ...header,
      startedAt: headers.map(({ startedAt }) => startedAt).toSorted()[0] ?? header.startedAt,
      planned: [...new Set(headers.flatMap(({ planned }) => planned))],
      ...(selection === undefined ? {} : { selection }),
      ...(missing.length === 0 ? {} : { missingShards: missing }),
      ...(remarks.length === 0 ? {} : { remarks }),
      ...(incomplete.length === 0 ? {} : { incomplete }),
      ...(fingerprints === undefined ? {} : { fingerprints }),
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

/** A bank is another one after a while, and what was known and tolerated then need not be so now. */
const longestRunMs = dayMs;

function refuseOtherDays(shards: readonly ShardRun[]): void {
  const byStart = shards.toSorted((a, b) => startOf(a.run) - startOf(b.run));
  const [first, last] = [byStart.at(0), byStart.at(-1)];
  if (first === undefined || last === undefined) return;
  if (startOf(last.run) - startOf(first.run) <= longestRunMs) return;
  throw new MergeError(
    `${first.dir} began on ${first.run.header.startedAt} and ${last.dir} on ${last.run.header.startedAt}: shards of one run begin within a day. Judge the older ones again.`,
  );
}

const startOf = ({ header }: RunRecord): number => Date.parse(header.startedAt);

/** What stands against a shard as a whole, and would be lost among the verdicts of the others. */
const faultsOf = ({ dir, run: { damagedLines = [], footer } }: ShardRun): readonly string[] => [
  ...(damagedLines.length === 0
    ? []
    : [`The journal of ${dir} is damaged, and passed over in line ${damagedLines.slice(0, 8).join(', ')}.`]),
  ...(footer?.blocker === undefined ? [] : [`No check of ${dir} could be run. ${footer.blocker}`]),
];

/** Everybody who took part: machines before a bank may have certificates of their own. */
function allFingerprints(headers: readonly RunHeader[]): RunHeader['fingerprints'] {
  const given = headers.flatMap(({ fingerprints = {} }) => Object.entries(fingerprints));
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    [...groupedBy(given, ([use]) => use)].map(([use, all]) => [
      use,
      [...new Set(all.map(([, fingerprint]) => fingerprint))].join(', '),
    ]),
  );
}

/** Parts that were chosen in different ways never make up a whole, however many of them there are. */
function refuseOtherWhole(first: ShardRun, other: ShardRun): void {
  const [one, two] = [first, other].map(({ run }) => splitShard(run.header.selection));
  if (one?.shard !== undefined && one.shard.count === two?.shard?.count && one.rest === two.rest) return;
  throw new MergeError(
    `${first.dir} (${first.run.header.selection ?? 'everything'}) and ${other.dir} (${other.run.header.selection ?? 'everything'}) are not shards of the same run: give those that were made with --shard 1/n, 2/n and so on, and the same --only.`,
  );
}

/** When all shards of one whole are here, nothing is left of their selection but what was chosen by hand. */
function mergedSelection(headers: readonly RunHeader[]): {
  readonly selection?: string | undefined;
  readonly missing: readonly string[];
} {
  const parts = headers.map(({ selection }) => splitShard(selection));
  const count = parts[0]?.shard?.count ?? 1;
  const seen = new Set(parts.map(({ shard }) => shard?.index ?? 1));
  const missing = Array.from({ length: count }, (_, index) => index + 1)
    .filter((index) => !seen.has(index))
    .map((index) => `${index}/${count}`);
  if (missing.length === 0) return { selection: parts[0]?.rest, missing };
  return { selection: headers.flatMap(({ selection }) => selection ?? []).join(' + '), missing };
}

/** Shards run side by side on several machines, so the duration is from the first start to the last end. */
function mergedFooter(runs: readonly RunRecord[]): RunFooter {
  const starts = runs.map(startOf);
  const ends = runs.map((run) => startOf(run) + runDuration(run));
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
  /** Left out of them. */
  readonly exclude?: readonly string[];
  /** How much may be asked, in words. */
  readonly budget?: string;
  readonly shard?: Shard;
}

const shardText = /(?:^| )--shard (\d+)\/(\d+)$/;

/** The header's `selection`: the flags that made it. Undefined when everything is judged. */
export function selectionText({ only, exclude = [], budget, shard }: Selection): string | undefined {
  const flags = [
    ...(only.length > 0 ? [`--only ${only.join(',')}`] : []),
    ...(exclude.length > 0 ? [`--exclude ${exclude.join(',')}`] : []),
    ...(budget === undefined ? [] : [`--budget ${budget}`]),
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
