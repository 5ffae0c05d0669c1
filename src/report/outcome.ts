import type { CheckResult, RunRecord, Verdict } from '../checks/verdict.ts';
import type { Side } from '../spec/profiles.ts';
import type { Requirement } from '../spec/requirement.ts';
import { type Cause, causesOf } from './causes.ts';
import {
  type Gap,
  judgeProfiles,
  type NotBinding,
  notBindingOf,
  type OverallVerdict,
  type ProfileResult,
  worstOf,
} from './profile-results.ts';
import {
  type DeviationResult,
  excusedRequirements,
  judgeDeviations,
  type RequirementResult,
  requirementResults,
} from './requirement-results.ts';

export type { Gap, OverallVerdict };
export type ExitCode = 0 | 1 | 3 | 70;

/** What a run means. Every report shows this and judges nothing of its own. */
export interface Outcome {
  /** The worst of the profiles. */
  readonly verdict: OverallVerdict;
  readonly exitCode: ExitCode;
  readonly profiles: readonly ProfileResult[];
  /** What was not asked of the target, and why that is no gap. */
  readonly notBinding: readonly NotBinding[];
  /** How the part was chosen, where only a part was judged: no verdict on the whole follows from it. */
  readonly part?: string;
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly interrupted: boolean;
  /** What is wrong: the failures that are not excused, by what they say. */
  readonly causes: readonly Cause[];
  readonly requirements: readonly RequirementResult[];
  readonly knownDeviations: readonly DeviationResult[];
  /** The ids of failed checks that known deviations excuse entirely. */
  readonly excused: ReadonlySet<string>;
  /** Of all profiles. */
  readonly gaps: readonly Gap[];
  /** Why the run is not conformant, apart from the failed checks themselves; a sentence each. */
  readonly problems: readonly string[];
}

/**
 * The overall verdict, after the rule in the architecture: conformant only when every must-level requirement of the
 * profiles that a check can observe was exercised and held. A failure is proof even in a run that was cut short; a part
 * without one is called a part. A TPP chooses what it offers, so there the mandatory journeys decide what has to be
 * exercised.
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
  const interrupted = run.footer?.interrupted ?? true;
  const ofRun = describeIncompleteness(run, counts, interrupted);
  const judged = judgeProfiles({
    run,
    requirements: results,
    side,
    isExcused: ({ id }) => excused.has(id),
    deviationProblems: knownDeviations.filter(({ problem }) => problem !== undefined),
    runIsIncomplete: ofRun.length > 0,
  });
  const { profiles, gaps, missingJourneys } = judged;
  const broken =
    run.results.some(({ id, verdict }) => verdict === 'fail' && !excused.has(id)) ||
    knownDeviations.some(({ problem }) => problem !== undefined);
  // A failure outside of what was declared is a failure all the same.
  const verdict = worstOf([
    ...profiles.map((profile) => profile.verdict),
    ...(broken ? ['non-conformant' as const] : []),
  ]);
  const { selection } = run.header;

  return {
    verdict,
    exitCode: exitCodeOf(verdict, counts),
    profiles,
    notBinding: notBindingOf(run, results, profiles, side),
    ...(selection === undefined ? {} : { part: selection }),
    counts,
    interrupted,
    causes: causesOf(
      run.results.filter(({ id, verdict }) => verdict === 'fail' && !excused.has(id)),
      results.map(({ requirement }) => requirement),
    ),
    requirements: results,
    knownDeviations,
    excused,
    gaps,
    problems: [
      ...knownDeviations.flatMap(({ problem }) => problem ?? []),
      ...ofRun,
      ...(missingJourneys.length > 0
        ? [
            `${plural(missingJourneys.length, 'mandatory journey')} not completed: ${listed(missingJourneys)}.`,
          ]
        : []),
      ...(gaps.length > 0
        ? [
            `${plural(gaps.length, 'must-level requirement')} not exercised: ${listed(gaps.map(({ requirement }) => requirement.id))}.`,
          ]
        : []),
    ],
  };
}

function exitCodeOf(verdict: OverallVerdict, counts: Readonly<Record<Verdict, number>>): ExitCode {
  if (verdict === 'non-conformant') return 1;
  // Our own fault must not read as the bank's incompleteness: another command remedies it.
  if (counts.error > 0) return 70;
  return verdict === 'incomplete' ? 3 : 0;
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

/** What stands against every profile: nothing of the run can be called whole. */
function describeIncompleteness(
  { header, results, footer, damagedLines = [] }: RunRecord,
  counts: Readonly<Record<Verdict, number>>,
  interrupted: boolean,
): readonly string[] {
  // Whatever else is missing is missing for that.
  if (footer?.blocker !== undefined) return [`No check could be run. ${footer.blocker}`];
  const judged = new Set(results.map(({ id }) => id));
  const unjudged = header.planned.filter((id) => !judged.has(id));
  const { missingShards = [], insecure, incomplete = [] } = header;
  const undecided = ['not-applicable', 'inconclusive', 'error'];
  // A bank that declares all that it is asked for as not offered has shown nothing. A TPP has to show its journeys.
  const isEmpty =
    (header.selection !== undefined || header.side !== 'tpp') &&
    results.every(({ verdict }) => undecided.includes(verdict));
  return [
    ...(damagedLines.length > 0
      ? [`The journal is damaged, and passed over in line ${listed(damagedLines.map(String))}.`]
      : []),
    ...(results.length === 0
      ? ['No check was judged, so nothing is known about the target.']
      : isEmpty
        ? [
            `None of the ${header.selection === undefined ? '' : 'chosen '}checks came to a verdict, so nothing is known about the target.`,
          ]
        : []),
    ...(interrupted
      ? [
          `${endOf(footer)}: ${results.length} of ${plural(header.planned.length, 'check')} ${results.length === 1 ? 'was' : 'were'} judged.`,
        ]
      : unjudged.length > 0
        ? [`${plural(unjudged.length, 'planned check')} left no verdict: ${listed(unjudged)}.`]
        : []),
    ...(missingShards.length > 0
      ? [
          `${missingShards.length === 1 ? `Shard ${listed(missingShards)} is` : `Shards ${listed(missingShards)} are`} missing: judge what is left with --shard, and merge all of them.`,
        ]
      : []),
    ...incomplete,
    ...(insecure === true
      ? [
          'Any server certificate was accepted (tls.insecure), so that nobody knows who answered: give the authority of the bank as tls.ca.',
        ]
      : []),
    ...(counts.error > 0
      ? [
          `${plural(counts.error, 'check')} ended in an error of this tool, which says nothing about the target.`,
        ]
      : []),
  ];
}

const endOf = (footer: RunRecord['footer']): string =>
  footer?.failuresAllowed === undefined
    ? 'The run was interrupted'
    : `The run ended after ${plural(footer.failuresAllowed, 'failure')}, as --max-failures asks`;

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function listed(ids: readonly string[]): string {
  const shown = ids.slice(0, 8).join(', ');
  return ids.length > 8 ? `${shown} and ${ids.length - 8} more` : shown;
}
