import type { BankDesign } from '../../bank/design/design.ts';
import { requirementsOf } from '../../checks/check.ts';
import { type PlacedCheck, runChecks } from '../../checks/engine.ts';
import type { CheckResult } from '../../checks/verdict.ts';
import { judgeRun, type Outcome } from '../../report/outcome.ts';
import { learnReadings } from '../../runner/learn-readings.ts';
import { prepared } from '../../runner/prepare-run.ts';
import { headerOf } from '../../runner/run.ts';
import { requirements } from '../../spec/catalogue.ts';
import type { Readings } from '../../spec/interpretations.ts';
import { type AskedReadings, watchingReadings } from './asked-readings.ts';
import {
  type BankKeys,
  createBankRunContext,
  type RunContextParts,
  sampleOfTwists,
} from './bank-under-test.ts';

/** The readings that `doctor --learn --write` would write into the target file of a bank. */
export async function readingsLearnedOf(
  design: BankDesign,
  checks: readonly PlacedCheck[],
  keys: BankKeys,
  parts: RunContextParts = {},
): Promise<Partial<Readings>> {
  const { runContext: before } = await createBankRunContext(keys, design, {
    leavesSca: true,
    remembersControls: true,
    ...parts,
  });
  const { runContext } = await prepared(before);
  const learned = await learnReadings(runContext, checks);
  return Object.fromEntries(
    learned.flatMap(({ id, observed }) => (observed === undefined ? [] : [[id, observed]])),
  );
}

export interface JudgedBank {
  readonly blocker?: string;
  readonly results: readonly CheckResult[];
  /** By which it was judged: those of its target file, and what its preparation has learned. */
  readonly readings: Readings;
  /** What the checks that were run asked for of them. */
  readonly asked: AskedReadings;
  /** The verdict on all requirements that the checks cite. */
  readonly outcome: Outcome;
}

/**
 * A whole run against a bank of this process: SCA and preflight first, as a target file would have it. Checks whose
 * results are `known` under its readings are not run, and judged with the others.
 */
export async function judgeBank(
  design: BankDesign,
  checks: readonly PlacedCheck[],
  keys: BankKeys,
  parts: RunContextParts = {},
  knownUnder: (readings: Readings) => readonly CheckResult[] = () => [],
): Promise<JudgedBank> {
  const { runContext: before } = await createBankRunContext(keys, design, {
    leavesSca: true,
    mostTwists: sampleOfTwists,
    remembersControls: true,
    verdictsOnly: true,
    ...parts,
  });
  const { runContext: unwatched, blocker, incomplete } = await prepared(before);
  const { runContext, asked } = watchingReadings(unwatched);
  const { readings } = runContext.target;
  const known = knownUnder(readings);
  const knownIds = new Set(known.map(({ id }) => id));
  const open = checks.filter(({ check }) => !knownIds.has(check.id));
  const results = blocker === undefined ? [...known, ...(await runChecks(open, runContext))] : [];
  const { target, seed, runs } = runContext;
  const planned = headerOf({ target, embedded: false }, { seed, runs, planned: checks });
  const header = incomplete.length === 0 ? planned : { ...planned, incomplete };
  const footer = { durationMs: 0, requests: 0, interrupted: false };
  const cited = new Set(checks.flatMap(({ check }) => requirementsOf(check)));
  const outcome = judgeRun(
    { header, results, footer },
    requirements.filter(({ id }) => cited.has(id)),
  );
  return { results, outcome, readings, asked, ...(blocker === undefined ? {} : { blocker }) };
}

export const firstLine = (reason = ''): string => reason.split('\n')[0] ?? '';
