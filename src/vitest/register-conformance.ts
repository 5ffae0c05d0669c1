import { randomInt } from 'node:crypto';
import { beforeAll, describe, test } from 'vitest';
import type { RunContext } from '../checks/context.ts';
import { judge, type PlacedCheck, placeChecks } from '../checks/engine.ts';
import type { RunHeader } from '../checks/verdict.ts';
import { hierarchy } from '../report/allure-result.ts';
import { harmlessLines } from '../report/harmless-text.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { openTarget } from '../runner/open-target.ts';
import { prepareRun } from '../runner/prepare-run.ts';
import { headerOf } from '../runner/run.ts';
import { selectChecks } from '../runner/select-checks.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import { shellWord } from '../spec/shell-word.ts';
import type { TargetOverrides } from '../target/load-target.ts';
import { warningLines } from '../target/target.ts';
import { tellVerdict } from './tell-verdict.ts';

/** What a user of the tests may choose. Published with its types, so that it names no type of ours. */
export interface ConformanceOptions {
  /** The target file; by default the one in XS2A_TARGET, and without any the embedded reference bank. */
  readonly target?: string;
  /** Settings above the target file, by their keys: `{ 'psu.id': '…' }`. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
  /** Only these checks, requirements or suites, as in `run --only`. */
  readonly only?: readonly string[];
  /** Draws the same cases again; by default the number in XS2A_SEED, or any. */
  readonly seed?: number;
  /** Cases of each property; by default the number in XS2A_RUNS, or 10. */
  readonly runs?: number;
  /** Creates payments although the target is a production environment. */
  readonly allowProductionPayments?: boolean;
}

/** What all tests on one target share: the way to the bank, its clock, its customers, and the pace. */
interface ConformanceRun {
  readonly runContext: RunContext;
  readonly header: RunHeader;
}

const runs = new Map<string, Promise<ConformanceRun>>();

/**
 * One for all test files that share a process (`isolate: false`), so that they keep to one pace and pass SCA once.
 * Nobody closes it: none of them knows which is the last, and Vitest ends the process.
 */
function sharedRun({ only: _, ...options }: ConformanceOptions): Promise<ConformanceRun> {
  const key = JSON.stringify(options);
  const run = runs.get(key) ?? startRun(options);
  runs.set(key, run);
  return run;
}

async function startRun(options: Omit<ConformanceOptions, 'only'>): Promise<ConformanceRun> {
  const { target: file, allowProductionPayments = false } = options;
  const given = options.seed ?? numberIn('XS2A_SEED');
  const settings = {
    seed: given ?? randomInt(1, 2 ** 31 - 1),
    runs: options.runs ?? numberIn('XS2A_RUNS') ?? 10,
  };
  const overrides: TargetOverrides = { ...options.settings, allowProductionPayments };
  const opened = await openTarget(file, overrides);
  const { runContext, blocker, remarks } = await prepareRun(opened.target, {
    ...settings,
    repeatsPayments: given !== undefined,
    command: `npx xs2a-conformance run${opened.file === undefined ? '' : ` --target ${shellWord(opened.file)}`}`,
  });
  const told = [...warningLines(opened.target).map((line) => runContext.redactor.text(line)), ...remarks];
  for (const remark of told) process.stderr.write(`${harmlessLines(remark)}\n`);
  if (blocker !== undefined) throw new Error(harmlessLines(blocker));
  return {
    runContext,
    header: headerOf({ ...opened, target: runContext.target }, { ...settings, planned: [] }),
  };
}

function numberIn(variable: string): number | undefined {
  const text = process.env[variable];
  if (text === undefined || text === '') return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${variable} is "${text}". Give a whole number above 0.`);
  return Number(text);
}

/** Loaded with this file, so that registering needs no `await`. */
const allChecks = placeChecks(await loadSuites());

/** Makes a Vitest test of each check, in the sections of the specification. Call it once in a test file. */
export function registerConformance(options: ConformanceOptions = {}): void {
  const { planned } = selectChecks(allChecks, options);
  let run: ConformanceRun | undefined;
  // A bank that cannot be judged is told of once, and not by every test.
  beforeAll(async () => {
    run = await sharedRun(options);
  }, 0);
  const judged: Judged = (placed) => {
    const { id, title } = placed.check;
    test(`${id} ${title}`, { timeout: 0 }, async (context) => {
      if (run === undefined) throw new Error('The run was not prepared.');
      await tellVerdict(await judge(placed, run.runContext), run.header, context);
    });
  };
  // Those that observe the others come last, and one after the other.
  const isObserving = ({ check }: PlacedCheck): boolean => check.observes ?? false;
  describeSections(
    planned.filter((placed) => !isObserving(placed)).map(located),
    judged,
    describe.concurrent,
  );
  describeSections(planned.filter(isObserving).map(located), judged, describe.sequential);
}

type Judged = (placed: PlacedCheck) => void;

interface Located {
  readonly placed: PlacedCheck;
  /** The sections that are left above it. */
  readonly sections: readonly string[];
}

const located = (placed: PlacedCheck): Located => ({ placed, sections: hierarchy(placed) });

/** As deep as the reports have it: Allure names the suites of a test after the describes around it. */
function describeSections(
  checks: readonly Located[],
  judged: Judged,
  describeAs: typeof describe.concurrent,
): void {
  for (const [name, below] of groupedBy(checks, ({ sections }) => sections[0])) {
    if (name === undefined) for (const { placed } of below) judged(placed);
    else
      describeAs(name, () =>
        describeSections(
          below.map(({ placed, sections }) => ({ placed, sections: sections.slice(1) })),
          judged,
          describeAs,
        ),
      );
  }
}
