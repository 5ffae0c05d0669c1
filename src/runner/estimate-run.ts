import type { PlacedCheck } from '../checks/engine.ts';
import type { Pace } from '../target/pace.ts';

/** Requests of a check with the usual number of cases, controls included: what a whole run sends, by its checks. */
const requestsOfACheck = 7;
const usualRuns = 10;

/** What is taken where nothing limits the pace: a bank on the same machine answers about so many a second. */
const unlimitedPerSecond = 150;

/** How long a run takes that sends as much as that, roughly. */
interface RunEstimate {
  readonly requests: number;
  readonly seconds: number;
}

/** A property sends one request for each case that goes beyond the usual ones. */
export function estimateRun(
  planned: readonly PlacedCheck[],
  runs: number,
  { requestsPerSecond = unlimitedPerSecond }: Pick<Pace, 'requestsPerSecond'>,
): RunEstimate {
  const properties = planned.filter(({ check }) => check.isProperty === true).length;
  const requests = planned.length * requestsOfACheck + properties * Math.max(0, runs - usualRuns);
  return { requests, seconds: requests / requestsPerSecond };
}
