import { randomInt } from 'node:crypto';
import type { RunContext } from '../checks/context.ts';
import type { RunHeader } from '../checks/verdict.ts';
import { harmlessLines } from '../report/harmless-text.ts';
import { openTarget } from '../runner/open-target.ts';
import { prepareRun } from '../runner/prepare-run.ts';
import { headerOf } from '../runner/run.ts';
import type { TargetOverrides } from '../target/load-target.ts';
import { warningLines } from '../target/target.ts';
import type { ConformanceOptions } from './conformance-options.ts';

/** What all tests on one target share: the way to the bank, its clock, its customers, and the pace. */
export interface ConformanceRun {
  readonly runContext: RunContext;
  readonly header: RunHeader;
}

const runs = new Map<string, Promise<ConformanceRun>>();

/**
 * One for all test files that share a process (`isolate: false`), so that they keep to one pace and pass SCA once.
 * Nobody closes it: none of them knows which is the last, and Vitest ends the process.
 */
export function sharedRun({ only: _, ...options }: ConformanceOptions): Promise<ConformanceRun> {
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
    command: `npx xs2a-conformance run${opened.file === undefined ? '' : ` --target ${opened.file}`}`,
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
