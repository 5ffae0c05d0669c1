import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Behaviour, Outcome } from '../../tpp/misbehaving-server/behaviour.ts';
import { behaviours } from '../../tpp/misbehaving-server/behaviours.ts';
import { type FaultRun, openFaultLane } from './fault-lane.ts';

/** What is wrong with a run, by the question that it answers badly; empty when it held. */
type Faults = Readonly<Record<string, string>>;

/** What a run may use beyond one against the same bank without any fault, on the same machine at the same time. */
const most = {
  /** The large answers of a run that are kept, and as much again while they are read. */
  furtherMegabytes: 200,
  /** A bank that has answered is waited for, up to twenty seconds, and each of its pages may be large. */
  furtherSeconds: 30,
  timesAsLong: 6,
} as const;

/** A run against the same bank without any fault. */
type Quiet = Pick<FaultRun, 'seconds' | 'megabytes'>;

/** Holds a run against misbehaving servers to what it must do whatever comes. */
function judgeFault(behaviours: readonly Behaviour[], run: FaultRun, quiet: Quiet): Faults {
  const outcomes = behaviours.map(({ outcome }) => outcome);
  const expected = exitCodesFor(outcomes);
  const mayFail = outcomes.flatMap((outcome) => (typeof outcome === 'object' ? outcome.fails : []));
  const failed = checksOf(run, ['fail', 'error']);
  const blamed = outcomes.includes('judged') ? [] : failed.filter((id) => !mayFail.includes(id));
  const missing = ['summary.json', 'junit.xml'].filter((name) => !existsSync(join(run.folder, name)));
  const said = verdictOf(run);
  const leaked = leaksOf(run);
  const mostMegabytes = quiet.megabytes + most.furtherMegabytes;
  const mostSeconds = most.furtherSeconds + most.timesAsLong * quiet.seconds;
  const problems: [string, string | undefined][] = [
    [
      'exit code',
      expected.includes(run.exitCode ?? -1) ? undefined : `${run.exitCode}, not ${expected.join(' or ')}`,
    ],
    ['verdict', blamed.length === 0 ? undefined : `blames the bank: ${blamed.join(', ')}`],
    ['reports', missing.length === 0 ? undefined : `without ${missing.join(' and ')}`],
    ['summary', said === verdictsByExitCode[run.exitCode ?? -1] ? undefined : `says ${said}`],
    ['memory', run.megabytes <= mostMegabytes ? undefined : `${Math.round(run.megabytes)} MB`],
    ['time', run.seconds <= mostSeconds ? undefined : `${Math.round(run.seconds)} s`],
    ['leak', leaked.length === 0 ? undefined : leaked.join('; ')],
    ['sent elsewhere', run.strays === 0 ? undefined : `${run.strays} connections`],
  ];
  return Object.fromEntries(
    problems.filter((problem): problem is [string, string] => problem[1] !== undefined),
  );
}

/** Of a run with `--only`, which is a part at best. */
const verdictsByExitCode: Readonly<Record<number, string>> = {
  0: 'partial',
  1: 'non-conformant',
  3: 'incomplete',
};

function verdictOf({ folder }: FaultRun): string {
  try {
    return String(JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')).verdict);
  } catch {
    return 'nothing';
  }
}

/** Several together are as bad as the worst of them; troubles that heal may become too many to judge all. */
function exitCodesFor(outcomes: readonly Outcome[]): readonly number[] {
  if (outcomes.includes('blocked')) return [3];
  const mayFail = outcomes.some((outcome) => typeof outcome === 'object' || outcome === 'judged');
  if (outcomes.includes('gives-up')) return mayFail ? [1, 3] : [3];
  const [only, ...others] = outcomes;
  if (others.length === 0 && typeof only === 'object') return [1];
  if (others.length === 0 && only === 'survived') return [0];
  return mayFail ? [0, 1, 3] : [0, 3];
}

/** The checks of a run with one of these verdicts. */
function checksOf({ folder }: FaultRun, verdicts: readonly string[]): readonly string[] {
  const file = join(folder, 'journal.ndjson');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { kind: string; value: { id: string; verdict: string } })
    .filter(({ kind, value }) => kind === 'result' && verdicts.includes(value.verdict))
    .map(({ value }) => value.id);
}

function leaksOf({ folder, output, secrets }: FaultRun): readonly string[] {
  const files = existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];
  const written = files.map((file) => [file.slice(folder.length + 1), readFileSync(file, 'utf8')] as const);
  const spilt = [['the terminal', output] as const, ...written].flatMap(([place, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${secret.slice(0, 4)}… in ${place}`),
  );
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
  const isControlled = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u202e]/.test(output);
  const isCommanded = /^(?:::error|##vso)/m.test(output);
  return [
    ...spilt,
    ...(isControlled ? ['control characters on the terminal'] : []),
    ...(isCommanded ? ['workflow commands on the terminal'] : []),
  ];
}

export interface FaultResult {
  readonly ids: readonly string[];
  readonly exitCode: number | null;
  readonly seconds: number;
  readonly megabytes: number;
  /** Checks that no verdict was reached on. */
  readonly open: readonly string[];
  readonly faults: Faults;
}

export interface FaultProof {
  /** The command line, as a compiled file. */
  readonly command: string;
  readonly combinations: number;
  readonly seed: number;
  readonly lanes: number;
  readonly only?: RegExp;
  /** One part of them, for whoever has not the time for all at once. */
  readonly shard?: { readonly index: number; readonly count: number };
  readonly onResult?: (result: FaultResult, done: number, total: number) => void;
}

/** Runs the command line against every behaviour alone, and against random combinations of them. */
export async function proveFaults(proof: FaultProof): Promise<readonly FaultResult[]> {
  const queue = plannedFaults(proof);
  const total = queue.length;
  const results: FaultResult[] = [];
  const work = async (): Promise<void> => {
    const lane = await openFaultLane(proof.command);
    try {
      const quiet = await lane.run([], ({ exitCode, output, seconds, megabytes }) => {
        if (exitCode !== 0) throw new Error(`A run without any fault ended with ${exitCode}:\n${output}`);
        return { seconds, megabytes };
      });
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const together = next;
        const result = await lane.run(together, (run) => ({
          ids: together.map(({ id }) => id),
          exitCode: run.exitCode,
          seconds: run.seconds,
          megabytes: run.megabytes,
          open: checksOf(run, ['inconclusive']),
          faults: judgeFault(together, run, quiet),
        }));
        results.push(result);
        proof.onResult?.(result, results.length, total);
      }
    } finally {
      await lane.close();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, proof.lanes) }, work));
  return results;
}

/** Two or three at a time. What keeps a run from starting hides the others, so it is left to run alone. */
export function plannedFaults({
  combinations,
  seed,
  only,
  shard = { index: 1, count: 1 },
}: Omit<FaultProof, 'command' | 'lanes'>): Behaviour[][] {
  const chosen = behaviours.filter(({ id }) => only?.test(id) ?? true);
  const combined = behaviours.filter(({ outcome }) => outcome !== 'blocked');
  const drawn =
    only === undefined
      ? fc.sample(fc.subarray(combined, { minLength: 2, maxLength: 3 }), { seed, numRuns: combinations })
      : [];
  return [...chosen.map((behaviour) => [behaviour]), ...drawn].filter(
    (_, place) => place % shard.count === shard.index - 1,
  );
}

export const faultTableHead = `${'behaviour'.padEnd(60)}exit    time  memory  held`;

/** A row of the table, told as it falls: a proof that is cut short has shown what it found. */
export const faultRow = ({ ids, exitCode, seconds, megabytes, open, faults }: FaultResult): string =>
  [
    ids.join(' + ').padEnd(60),
    String(exitCode).padStart(4),
    `${seconds.toFixed(1)} s`.padStart(8),
    `${Math.round(megabytes)} MB`.padStart(8),
    Object.keys(faults).length === 0
      ? `  held${open.length === 0 ? '' : `, ${open.length} checks open`}`
      : `  ${Object.entries(faults)
          .map(([question, said]) => `${question}: ${said}`)
          .join('; ')}`,
  ].join('');

/** What was not held, once more, and the last line. */
export function faultSummary(results: readonly FaultResult[]): readonly string[] {
  const fallen = results.filter(({ faults }) => Object.keys(faults).length > 0);
  return [
    ...(fallen.length === 0 ? [] : ['', 'Not held:', ...fallen.map(faultRow)]),
    '',
    `Faults        ${results.length - fallen.length} of ${results.length} held: exit code, verdict, reports, memory, time, nothing leaked, nothing sent elsewhere`,
  ];
}
