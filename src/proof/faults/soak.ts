import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Behaviour } from '../../tpp/misbehaving-server/behaviour.ts';
import { behaviours } from '../../tpp/misbehaving-server/behaviours.ts';
import { type FaultRun, openFaultLane } from './fault-lane.ts';

/** What real networks do now and then. Each takes its turn, so that together they hit one request in twenty. */
const troubles = [
  'http/resets-some',
  'http/never-answers-some',
  'http/drips-body',
  'http/garbage',
  'http/length-too-long',
  'gateway/502',
  'gateway/503-1',
  'gateway/504',
  'gateway/429-1',
  'redirect/302',
] as const;

const oneIn = 20 * troubles.length;

export const mixedTrouble: readonly Behaviour[] = troubles.map((id, index) => {
  const behaviour = behaviours.find((known) => known.id === id);
  if (behaviour === undefined) throw new Error(`There is no behaviour ${id} any more.`);
  return { ...behaviour, when: { oneIn, offset: index * 20 } };
});

interface SoakRun {
  readonly exitCode: number | null;
  readonly seconds: number;
  readonly memory: readonly number[];
  readonly requests: number;
  readonly failed: readonly string[];
  readonly open: readonly string[];
}

export interface Soak {
  readonly runs: number;
  readonly quiet: SoakRun;
  readonly troubled: SoakRun;
}

/** Judges the whole suite with many cases of each property, against a quiet bank and against one with trouble. */
export async function soak(command: string, runs: number): Promise<Soak> {
  const lane = await openFaultLane(command);
  const how = { flags: ['--runs', String(runs), '--seed', '7'], longestSeconds: 3600 };
  try {
    const quiet = await lane.run([], soakRunOf, how);
    return { runs, quiet, troubled: await lane.run(mixedTrouble, soakRunOf, how) };
  } finally {
    await lane.close();
  }
}

function soakRunOf({ exitCode, seconds, memory, folder }: FaultRun): SoakRun {
  const lines = readFileSync(join(folder, 'journal.ndjson'), 'utf8').trimEnd().split('\n');
  const entries = lines.map(
    (line) => JSON.parse(line) as { value: { id?: string; verdict?: string; requests?: number } },
  );
  const withVerdict = (...verdicts: readonly string[]): readonly string[] =>
    entries.flatMap(({ value: { id, verdict = '' } }) =>
      id !== undefined && verdicts.includes(verdict) ? [id] : [],
    );
  return {
    exitCode,
    seconds,
    memory,
    requests: entries.at(-1)?.value.requests ?? 0,
    failed: withVerdict('fail', 'error'),
    open: withVerdict('inconclusive'),
  };
}

/** Beyond twice the time of a quiet bank, what a single request may wait for. */
const fewSeconds = 20;

/** Memory that is not given back at once is no leak: what counts is whether it goes on growing. */
const mostGrowthMegabytes = 60;

/** How much more a run had at most in its last third than in its middle one. */
export function growthOf(memory: readonly number[]): number {
  const third = Math.ceil(memory.length / 3);
  const middle = Math.max(0, ...memory.slice(third, 2 * third));
  return Math.max(0, ...memory.slice(2 * third)) - middle;
}

export function problemsOf({ quiet, troubled }: Soak): readonly string[] {
  const blamed = troubled.failed.filter((id) => !quiet.failed.includes(id));
  const growth = growthOf(troubled.memory);
  return [
    ...(blamed.length === 0 ? [] : [`Blames the bank: ${blamed.join(', ')}.`]),
    ...(growth <= mostGrowthMegabytes ? [] : [`Its memory grew by ${Math.round(growth)} MB to the end.`]),
    ...(troubled.seconds <= 2 * quiet.seconds + fewSeconds ? [] : ['It took more than twice the time.']),
  ];
}

export function soakLines(result: Soak): readonly string[] {
  const row = (name: string, { exitCode, seconds, requests, memory, failed, open }: SoakRun): string =>
    [
      name.padEnd(12),
      String(exitCode).padStart(4),
      `${Math.round(seconds)} s`.padStart(8),
      String(requests).padStart(10),
      String(failed.length).padStart(8),
      String(open.length).padStart(6),
      `  ${everyTenth(memory).join(', ')}`,
    ].join('');
  return [
    `${'bank'.padEnd(12)}exit    time  requests  failed  open  memory in MB, at each tenth`,
    row('quiet', result.quiet),
    row('5 % trouble', result.troubled),
    '',
    ...(result.troubled.open.length === 0 ? [] : [`Left open: ${result.troubled.open.join(', ')}.`]),
    ...problemsOf(result),
    `Soak          ${problemsOf(result).length === 0 ? 'held' : 'not held'}: no failure blamed on the bank, memory flat, at most twice the time`,
  ];
}

const everyTenth = (memory: readonly number[]): readonly number[] =>
  Array.from({ length: Math.min(10, memory.length) }, (_, tenth) =>
    Math.round(memory[Math.floor((tenth * memory.length) / 10)] ?? 0),
  );
