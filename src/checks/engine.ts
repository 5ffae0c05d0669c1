import type { CheckOf } from './check.ts';
import type { CheckRun, Run } from './check-run.ts';
import { judge, type PlacedCheck } from './judge.ts';
import type { CheckResult } from './verdict.ts';

/** Checks under way at once. Requests are limited by the pace; this only bounds how many checks wait for it. */
const checksAtOnce = 48;

/**
 * Judges checks side by side, those that observe the others last. `onResult` hears of each verdict as it falls.
 */
export async function runChecks<Context extends CheckRun>(
  checks: readonly PlacedCheck<CheckOf<Context>>[],
  run: Run<Context>,
  onResult: (result: CheckResult) => void = () => {},
  isStopped: () => boolean = () => false,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const wave of [false, true]) {
    const queue = checks.filter(({ check }) => (check.observes ?? false) === wave);
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined && !isStopped(); next = queue.shift()) {
        const result = await judge(next, run);
        results.push(result);
        onResult(result);
      }
    };
    await Promise.all(Array.from({ length: checksAtOnce }, work));
  }
  return results;
}
