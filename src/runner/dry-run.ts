import type { RunContext } from '../checks/context.ts';
import { type PlacedCheck, runChecks } from '../checks/engine.ts';
import { type Gap, judgeRun } from '../report/outcome.ts';
import { requirements } from '../spec/catalogue.ts';
import { headerOf } from './run.ts';

/**
 * What stays open however well the bank does: nothing is sent, and every check that applies passes. Checks may find out
 * more on the way, so that these gaps are the least.
 */
export async function gapsOfDryRun(
  runContext: RunContext,
  checks: readonly PlacedCheck[],
): Promise<readonly Gap[]> {
  const passing = checks.map((placed) => ({ ...placed, check: { ...placed.check, run: async () => {} } }));
  const results = await runChecks(passing, runContext);
  const { target, seed, runs } = runContext;
  const header = headerOf({ target, embedded: false }, { seed, runs, planned: checks });
  const footer = { durationMs: 0, requests: 0, interrupted: false };
  return judgeRun({ header, results, footer }, requirements).gaps;
}
