import type { KnownDeviation, RunRecord } from '../checks/verdict.ts';
import type { RequirementResult } from './requirement-results.ts';

/** How a known deviation stands: only `happens` and `not-exercised` leave the run green. */
export type DeviationState =
  | 'happens'
  | 'not-exercised'
  | 'gone'
  | 'expired'
  | 'without-reason'
  | 'unknown-requirement';

export interface DeviationResult extends KnownDeviation {
  readonly state: DeviationState;
  /** What to do about it, where the state fails the run. */
  readonly problem?: string;
}

/** Judges every entry of the target file's `knownDeviations` on the day of the run, so a rebuilt report says the same. */
export function judgeDeviations(
  { header }: RunRecord,
  results: readonly RequirementResult[],
): readonly DeviationResult[] {
  const byId = new Map(results.map((result) => [result.requirement.id, result]));
  return header.knownDeviations.map((deviation) => {
    const state = stateOf(deviation, header.startedAt.slice(0, 10), byId.get(deviation.requirement));
    const problem = problemOf(deviation, state);
    return { ...deviation, state, ...(problem === undefined ? {} : { problem }) };
  });
}

/** The requirements whose failures are excused: reasoned, and not past their date. */
export function excusedRequirements(deviations: readonly DeviationResult[]): ReadonlySet<string> {
  return new Set(deviations.filter(({ state }) => state === 'happens').map(({ requirement }) => requirement));
}

function stateOf(
  deviation: KnownDeviation,
  today: string,
  result: RequirementResult | undefined,
): DeviationState {
  if (result === undefined) return 'unknown-requirement';
  if (deviation.reason.trim() === '') return 'without-reason';
  // ISO dates compare as text; the last day itself still counts.
  if (deviation.until !== undefined && deviation.until.slice(0, 10) < today) return 'expired';
  if (result.checks.some(({ verdict }) => verdict === 'fail' || verdict === 'warning')) return 'happens';
  return result.verdict === 'pass' ? 'gone' : 'not-exercised';
}

function problemOf({ requirement, until }: KnownDeviation, state: DeviationState): string | undefined {
  switch (state) {
    case 'happens':
    case 'not-exercised':
      return undefined;
    case 'gone':
      return `The known deviation from ${requirement} no longer happens: remove it from the target file.`;
    case 'expired':
      return `The known deviation from ${requirement} ended on ${until ?? 'an unknown day'}: remedy the bank, or agree on a new date.`;
    case 'without-reason':
      return `The known deviation from ${requirement} has no reason: state one in the target file.`;
    case 'unknown-requirement':
      return `The known deviation from ${requirement} names no requirement of a bank: correct the id in the target file.`;
  }
}
