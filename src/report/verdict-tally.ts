import type { RequirementResult, RequirementVerdict } from './requirement-results.ts';

/** In the order in which bars show them. */
export const verdictOrder: readonly RequirementVerdict[] = [
  'pass',
  'fail',
  'warning',
  'inconclusive',
  'error',
  'not-applicable',
  'not-tested',
];

export type Tally = Readonly<Partial<Record<RequirementVerdict, number>>>;

/** How many requirements have which verdict. */
export const tallyOf = (results: readonly RequirementResult[]): Tally =>
  Object.fromEntries(
    verdictOrder
      .map((verdict) => [verdict, results.filter((result) => result.verdict === verdict).length] as const)
      .filter(([, count]) => count > 0),
  );
