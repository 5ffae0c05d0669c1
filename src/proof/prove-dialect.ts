import { compliantDesign } from '../bank/compliant-design.ts';
import { allOf } from '../bank/design/design-changes.ts';
import type { Dialect } from '../bank/dialects/index.ts';
import { runChecks } from '../checks/engine.ts';
import type { PlacedCheck } from '../checks/judge.ts';
import type { CheckResult } from '../checks/verdict.ts';
import { learnTheClock } from '../runner/learn-clock.ts';
import {
  createBankRunContext,
  type ProvingGround,
  type Surroundings,
  sampleOfTwists,
} from './proving-ground.ts';

/** What the checks said of a bank that is unusual and compliant. */
export interface DialectResult {
  /** One dialect, or several together. */
  readonly ids: readonly string[];
  /** Checks that failed, or broke: false alarms. */
  readonly alarms: readonly string[];
  readonly warnings: readonly string[];
  readonly inconclusive: readonly string[];
  readonly passed: number;
}

export async function proveDialects(
  dialects: readonly Dialect[],
  checks: readonly PlacedCheck[],
  ground: ProvingGround,
  seed = 1,
): Promise<DialectResult> {
  const design = allOf(...dialects.map(({ apply }) => apply))(compliantDesign);
  const { runContext } = await createBankRunContext(ground, design, {
    ...surroundingsOf(dialects),
    seed,
    mostTwists: sampleOfTwists,
    remembersControls: true,
  });
  await learnTheClock(runContext.client);
  const results = await runChecks(checks, runContext);
  const of = (...verdicts: readonly string[]) =>
    results.filter(({ verdict }) => verdicts.includes(verdict)).map(told);
  return {
    ids: dialects.map(({ id }) => id),
    alarms: of('fail', 'error'),
    warnings: of('warning'),
    inconclusive: of('inconclusive'),
    passed: of('pass').length,
  };
}

function surroundingsOf(dialects: readonly Dialect[]): Surroundings {
  const prefix = dialects.map((dialect) => dialect.prefix).find((found) => found !== undefined);
  return {
    ...(prefix === undefined ? {} : { prefix }),
    signsResponses: dialects.some(({ signsResponses }) => signsResponses === true),
  };
}

const told = ({ id, reason }: CheckResult): string => `${id}: ${reason?.split('\n')[0] ?? ''}`;
