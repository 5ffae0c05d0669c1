import type { CheckResult, RunRecord, Verdict } from '../checks/verdict.ts';
import type { Requirement, Side } from '../spec/requirement.ts';
import {
  type DeviationResult,
  excusedRequirements,
  judgeDeviations,
  type RequirementResult,
  requirementResults,
} from './requirement-results.ts';

export type OverallVerdict = 'conformant' | 'non-conformant' | 'incomplete';
export type ExitCode = 0 | 1 | 3 | 70;

/** A must-level requirement that the run should have exercised and did not, and why. */
export interface Gap {
  readonly requirement: Requirement;
  readonly why: string;
}

/** What a run means. Every report shows this and judges nothing of its own. */
export interface Outcome {
  readonly verdict: OverallVerdict;
  readonly exitCode: ExitCode;
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly interrupted: boolean;
  readonly requirements: readonly RequirementResult[];
  readonly knownDeviations: readonly DeviationResult[];
  /** The ids of failed checks that known deviations excuse entirely. */
  readonly excused: ReadonlySet<string>;
  readonly gaps: readonly Gap[];
  /** Why the run is not conformant, apart from the failed checks themselves; a sentence each. */
  readonly problems: readonly string[];
}

/**
 * The overall verdict, after the rule in the architecture: conformant only when every must-level requirement
 * that a check can observe was exercised and held. A failure is proof even in a run that was cut short.
 * A TPP chooses what it offers, so there the mandatory journeys decide what has to be exercised.
 */
export function judgeRun(
  run: RunRecord,
  requirements: readonly Requirement[],
  side: Side = run.header.side ?? 'bank',
): Outcome {
  const results = requirementResults(run.results, requirements, side);
  const knownDeviations = judgeDeviations(run, results);
  const excused = excusedChecks(run.results, excusedRequirements(knownDeviations));
  const counts = countVerdicts(run.results);
  const gaps = side === 'bank' ? findGaps(run, results) : [];
  const interrupted = run.footer?.interrupted ?? true;

  const deviationProblems = knownDeviations.flatMap(({ problem }) => problem ?? []);
  const completenessProblems = describeIncompleteness(run, counts, gaps, interrupted);
  const broken = run.results.some(({ id, verdict }) => verdict === 'fail' && !excused.has(id));
  const verdict: OverallVerdict =
    broken || deviationProblems.length > 0
      ? 'non-conformant'
      : completenessProblems.length > 0
        ? 'incomplete'
        : 'conformant';

  return {
    verdict,
    exitCode: exitCodeOf(verdict, counts),
    counts,
    interrupted,
    requirements: results,
    knownDeviations,
    excused,
    gaps,
    problems: [...deviationProblems, ...completenessProblems],
  };
}

function exitCodeOf(verdict: OverallVerdict, counts: Readonly<Record<Verdict, number>>): ExitCode {
  if (verdict === 'non-conformant') return 1;
  // Our own fault must not read as the bank's incompleteness: another command remedies it.
  if (counts.error > 0) return 70;
  return verdict === 'conformant' ? 0 : 3;
}

function countVerdicts(results: readonly CheckResult[]): Record<Verdict, number> {
  const count = (wanted: Verdict): number => results.filter(({ verdict }) => verdict === wanted).length;
  return {
    pass: count('pass'),
    fail: count('fail'),
    warning: count('warning'),
    'not-applicable': count('not-applicable'),
    inconclusive: count('inconclusive'),
    error: count('error'),
  };
}

function excusedChecks(
  results: readonly CheckResult[],
  requirements: ReadonlySet<string>,
): ReadonlySet<string> {
  return new Set(
    results
      .filter(({ verdict }) => verdict === 'fail')
      // A check may touch others as well as its own requirement; excusing that one is enough.
      .filter(({ requirements: [own] }) => own !== undefined && requirements.has(own))
      .map(({ id }) => id),
  );
}

function findGaps({ header }: RunRecord, results: readonly RequirementResult[]): readonly Gap[] {
  return results
    .filter(({ requirement }) => requirement.level === 'must' && requirement.side === 'bank')
    .filter(({ requirement }) => requirement.unobservable === undefined)
    .filter((result) => !isExercised(result) && !isLeftOpen(result))
    .filter(({ checks }) => header.selection === undefined || checks.length > 0)
    .map((result) => ({ requirement: result.requirement, why: whyNotExercised(result) }));
}

/** A pass next to an inconclusive check leaves part of the requirement unjudged; a failure settles it. */
function isExercised({ verdict, checks }: RequirementResult): boolean {
  if (verdict === 'error' || verdict === 'inconclusive') return false;
  return checks.some((check) => check.verdict === 'pass' || check.verdict === 'fail');
}

/** A reading that leaves the question open takes the requirement out of the verdict. */
const isLeftOpen = ({ checks }: RequirementResult): boolean =>
  checks.length > 0 && checks.every(({ leftOpen }) => leftOpen === true);

function whyNotExercised({ verdict, checks }: RequirementResult): string {
  const telling = checks.find((check) => check.verdict === verdict);
  if (telling === undefined) return 'No check of this run cites it.';
  return `${telling.id} was ${verdict}${telling.reason === undefined ? '.' : `: ${telling.reason}`}`;
}

function describeIncompleteness(
  { header, results, footer }: RunRecord,
  counts: Readonly<Record<Verdict, number>>,
  gaps: readonly Gap[],
  interrupted: boolean,
): readonly string[] {
  // Whatever else is missing is missing for that.
  if (footer?.blocker !== undefined) return [`No check could be run. ${footer.blocker}`];
  const judged = new Set(results.map(({ id }) => id));
  const unjudged = header.planned.filter((id) => !judged.has(id));
  return [
    ...(results.length === 0 ? ['No check was judged, so nothing is known about the target.'] : []),
    ...(interrupted
      ? [`The run was interrupted: ${results.length} of ${header.planned.length} checks were judged.`]
      : unjudged.length > 0
        ? [`${plural(unjudged.length, 'planned check')} left no verdict: ${listed(unjudged)}.`]
        : []),
    ...(counts.error > 0
      ? [
          `${plural(counts.error, 'check')} ended in an error of this tool, which says nothing about the target.`,
        ]
      : []),
    ...describeMissingJourneys(results),
    ...(gaps.length > 0
      ? [
          `${plural(gaps.length, 'must-level requirement')} not exercised: ${listed(gaps.map(({ requirement }) => requirement.id))}.`,
        ]
      : []),
  ];
}

/** The suite of the journeys of a TPP, as `src/certification` names it. */
const journeySuite = 'tpp/journeys';

function describeMissingJourneys(results: readonly CheckResult[]): readonly string[] {
  const missing = results.filter(
    ({ suite, level, verdict }) => suite.id === journeySuite && level === 'must' && verdict !== 'pass',
  );
  if (missing.length === 0) return [];
  const names = missing.map(({ id }) => id.replace(/^JRN-/, ''));
  return [`${plural(missing.length, 'mandatory journey')} not completed: ${listed(names)}.`];
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, 8).join(', ');
  return ids.length > 8 ? `${shown} and ${ids.length - 8} more` : shown;
}
