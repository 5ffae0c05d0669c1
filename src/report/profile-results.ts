import type { CheckResult, RunHeader, RunRecord } from '../checks/verdict.ts';
import {
  isProfileId,
  judgedProfiles,
  type ProfileId,
  profileIds,
  profileOf,
  type Side,
  takenOutBy,
  whyNotBinding,
} from '../spec/profiles.ts';
import type { Requirement } from '../spec/requirement.ts';
import type { DeviationResult, RequirementResult } from './requirement-results.ts';

/** Gravest first: the verdict of a run is the first that one of its profiles has. */
export const overallVerdicts = ['non-conformant', 'incomplete', 'partial', 'conformant'] as const;
export type OverallVerdict = (typeof overallVerdicts)[number];

export const worstOf = (verdicts: readonly OverallVerdict[]): OverallVerdict =>
  overallVerdicts.find((verdict) => verdicts.includes(verdict)) ?? 'incomplete';

/** A must-level requirement that the run should have exercised and did not, and why. */
export interface Gap {
  readonly requirement: Requirement;
  readonly why: string;
  /** The check that would have told, where there is one. */
  readonly check?: CheckResult;
}

/** What a run says about one profile, the requirements of `core` included. */
export interface ProfileResult {
  readonly id: ProfileId;
  readonly title: string;
  readonly version: string;
  readonly verdict: OverallVerdict;
  /** Its must-level requirements that can be observed and bind the target, and how many of them were judged. */
  readonly binding: number;
  readonly judged: number;
  /** The ids of its requirements that a check found broken, known deviations aside. */
  readonly broken: readonly string[];
  /** The ids of its requirements that were not exercised. */
  readonly gaps: readonly string[];
  /** Journeys that a TPP has to show for it, and has not. */
  readonly missingJourneys: readonly string[];
}

/** `conformant, version 1.0, 212 of 212 requirements judged` */
export const profileText = ({ verdict, version, judged, binding }: ProfileResult): string =>
  `${verdict}, version ${version}, ${judged} of ${binding} requirements judged`;

/** Of a part, the profiles that it never touched would only bury the others. */
export const touchedProfiles = (profiles: readonly ProfileResult[]): readonly ProfileResult[] =>
  profiles.filter(({ verdict, judged }) => verdict !== 'partial' || judged > 0);

/** Something that is not asked of the target. */
export interface NotBinding {
  readonly what: string;
  readonly kind: 'profile' | 'requirement' | 'operation';
  readonly why: string;
}

interface ProfileQuestion {
  readonly run: RunRecord;
  readonly requirements: readonly RequirementResult[];
  readonly side: Side;
  readonly isExcused: (check: CheckResult) => boolean;
  /** Known deviations that fail the run. */
  readonly deviationProblems: readonly DeviationResult[];
  /** Something stands against the whole run. */
  readonly runIsIncomplete: boolean;
}

interface JudgedProfiles {
  readonly profiles: readonly ProfileResult[];
  readonly gaps: readonly Gap[];
  readonly missingJourneys: readonly string[];
}

/** Judges each profile by what belongs to it, and by what belongs to all. */
export function judgeProfiles(question: ProfileQuestion): JudgedProfiles {
  const { run, requirements, side } = question;
  const judged = profilesOfRun(run.header, side)
    .filter((id) => id === 'core' || requirements.some((result) => isBinding(result, id, run.header)))
    .map((id) => judgeProfile(id, question));
  const byId = new Map(judged.flatMap(({ gaps }) => gaps.map((gap) => [gap.requirement.id, gap] as const)));
  return {
    profiles: judged.map(({ result }) => result),
    gaps: requirements.flatMap(({ requirement }) => byId.get(requirement.id) ?? []),
    missingJourneys: [...new Set(judged.flatMap(({ result }) => result.missingJourneys))],
  };
}

function judgeProfile(
  id: ProfileId,
  { run, requirements, side, isExcused, deviationProblems, runIsIncomplete }: ProfileQuestion,
): { readonly result: ProfileResult; readonly gaps: readonly Gap[] } {
  const isPart = run.header.selection !== undefined;
  const own = requirements
    .map((result) => within(result, id))
    .filter(({ requirement }) => belongs(requirement, id));
  const binding = own.filter((result) => mustBeJudged(result, run.header));
  const open = binding.filter((result) => !isExercised(result) && !isBehindKnown(result, isExcused));
  // A part judges nothing but what it was told to, and a TPP by what it does: only what was tried in vain is open.
  const unjudged = side === 'tpp' || isPart ? open.filter(wasTriedInVain) : open;
  const broken = own
    .filter(({ requirement, checks }) =>
      checks.some(
        (check) => check.verdict === 'fail' && !isExcused(check) && check.requirements[0] === requirement.id,
      ),
    )
    .map(({ requirement }) => requirement.id);
  const deviating = deviationProblems.some(({ requirement }) => {
    const known = requirements.find((result) => result.requirement.id === requirement);
    return known === undefined || belongs(known.requirement, id);
  });
  const missingJourneys = run.results.flatMap(({ journey, verdict }) =>
    journey?.mandatoryIn.some((profile) => profile === id || profile === 'core') === true &&
    verdict !== 'pass'
      ? [journey.id]
      : [],
  );
  const verdict: OverallVerdict =
    broken.length > 0 || deviating
      ? 'non-conformant'
      : runIsIncomplete || unjudged.length > 0 || missingJourneys.length > 0
        ? 'incomplete'
        : isPart
          ? 'partial'
          : 'conformant';
  return {
    result: {
      id,
      title: profileOf(id).title,
      version: run.header.profiles?.[id] ?? profileOf(id).version,
      verdict,
      binding: binding.length,
      judged: binding.length - open.length,
      broken,
      gaps: unjudged.map(({ requirement }) => requirement.id),
      missingJourneys,
    },
    gaps: unjudged.map(gapOf),
  };
}

/** What is part of every profile counts in each. */
const belongs = ({ profiles }: Requirement, id: ProfileId): boolean =>
  profiles.includes(id) || profiles.includes('core');

/** The profiles that a run was to judge, in their order. */
function profilesOfRun({ profiles, target, notOffered = [] }: RunHeader, side: Side): readonly ProfileId[] {
  const declared = profiles === undefined ? undefined : Object.keys(profiles);
  return judgedProfiles(side, target.environment, declared).filter(
    (id) => takenOutBy(id, notOffered) === undefined,
  );
}

/** Leaves of a requirement of several profiles what its checks have shown on the operations of one. */
function within(result: RequirementResult, id: ProfileId): RequirementResult {
  const { requirement } = result;
  if (requirement.profiles.length < 2) return result;
  const checks = result.checks.filter(({ profiles }) => {
    const counted = requirement.profiles.filter((profile) => profiles?.includes(profile) ?? true);
    return counted.length === 0 || counted.includes(id);
  });
  return { ...result, checks };
}

/** Whether anything of the profile's own, apart from `core`, is asked of the target. */
const isBinding = (result: RequirementResult, id: ProfileId, header: RunHeader): boolean =>
  result.requirement.profiles.includes(id) && mustBeJudged(within(result, id), header);

function mustBeJudged(result: RequirementResult, header: RunHeader): boolean {
  const { level, unobservable } = result.requirement;
  return (
    level === 'must' && unobservable === undefined && (isExercised(result) || !isTakenOut(result, header))
  );
}

/**
 * A reading that leaves the question open, and what need not be there and is not, take a requirement out. What belongs to
 * core holds for whatever is there, so that it stays until the target file says otherwise.
 */
const isTakenOut = (result: RequirementResult, header: RunHeader): boolean =>
  isDeclaredAway(result, header) ||
  (result.checks.length > 0 &&
    result.checks.every(
      ({ leftOpen, notOffered }) => leftOpen === true || (notOffered === true && !isOfCore(result)),
    ));

const isOfCore = ({ requirement }: RequirementResult): boolean => requirement.profiles.includes('core');

/**
 * What the target file declares as not offered. It says nothing of what was asked for and found no answer: a bank could
 * fall silent where it wants not to be judged. Nor of what is offered and the run had no leave to ask for, as payments in
 * production. Nor of what belongs to core, where there is not one operation left to show it on: a bank that declares all of
 * them away has been judged by nothing.
 */
function isDeclaredAway(result: RequirementResult, { notOffered = [] }: RunHeader): boolean {
  const { requirement, checks } = result;
  if (!notOffered.some(({ what }) => what === requirement.id)) return false;
  if (checks.some(({ unanswered, withheld }) => unanswered === true || withheld === true)) return false;
  return !(isOfCore(result) && checks.length > 0 && checks.every((check) => check.notOffered === true));
}

/** A pass next to an inconclusive check leaves part of the requirement unjudged; a failure settles it. */
function isExercised({ checks }: RequirementResult): boolean {
  if (checks.some(({ verdict }) => verdict === 'fail')) return true;
  if (wasTriedInVain({ checks })) return false;
  return checks.some(({ verdict }) => verdict === 'pass');
}

/** What only a known deviation keeps a check from coming to is no gap: whoever remedies that one will be told of it. */
const isBehindKnown = (
  { checks, notReachedBy = [] }: RequirementResult,
  isExcused: (check: CheckResult) => boolean,
): boolean => checks.length === 0 && notReachedBy.some(isExcused);

const wasTriedInVain = ({ checks }: Pick<RequirementResult, 'checks'>): boolean =>
  checks.some(({ verdict }) => verdict === 'error' || verdict === 'inconclusive');

function gapOf({ requirement, checks, notReachedBy: [failed] = [] }: RequirementResult): Gap {
  const check =
    checks.find(({ verdict }) => verdict === 'error') ??
    checks.find(({ verdict }) => verdict === 'inconclusive') ??
    checks[0];
  if (check === undefined)
    return {
      requirement,
      why:
        failed === undefined
          ? 'No check of this run judges it.'
          : `${failed.id} failed before it came to this, for ${failed.requirements[0] ?? 'another requirement'}.`,
    };
  const { id, verdict, reason } = check;
  return { requirement, check, why: `${id} was ${verdict}${reason === undefined ? '.' : `: ${reason}`}` };
}

/** What was left out of the verdict, and why that is no gap. */
export function notBindingOf(
  { header }: RunRecord,
  requirements: readonly RequirementResult[],
  judged: readonly ProfileResult[],
  side: Side,
): readonly NotBinding[] {
  const { notOffered = [], target } = header;
  const isJudged = (id: string): boolean => judged.some((profile) => profile.id === id);
  const asked = profilesOfRun(header, side);
  const declared = (id: string): string | undefined => {
    const found = isProfileId(id) ? takenOutBy(id, notOffered) : notOffered.find(({ what }) => what === id);
    if (found === undefined) return undefined;
    const { what, reason } = found;
    return `${what === id ? 'Not' : `${what} is not`} offered, as the target file declares: ${reason}`;
  };
  const profiles = profileIds
    .filter((id) => profileOf(id).sides.includes(side) && !isJudged(id))
    .map((id) => ({
      what: id,
      kind: 'profile' as const,
      why:
        whyNotBinding(id, target.environment) ??
        declared(id) ??
        (asked.includes(id) ? 'Nothing of it is offered.' : 'It was not declared.'),
    }));
  // What was judged all the same binds: whoever reads that it does not would take it for untested.
  const isJudgedAllTheSame = (what: string): boolean =>
    requirements.some((result) => result.requirement.id === what && isExercised(result));
  const others = notOffered
    .filter(({ what }) => !isProfileId(what) && !isJudgedAllTheSame(what))
    .map(({ what }) => ({
      what,
      kind: requirements.some(({ requirement }) => requirement.id === what)
        ? ('requirement' as const)
        : ('operation' as const),
      why: declared(what) ?? '',
    }));
  const absent = requirements
    .filter(
      ({ requirement }) => requirement.profiles.some(isJudged) && !requirement.profiles.includes('core'),
    )
    .filter(({ checks }) => checks.length > 0 && checks.every((check) => check.notOffered === true))
    .filter(({ requirement }) => !others.some(({ what }) => what === requirement.id))
    .map(({ requirement, checks }) => ({
      what: requirement.id,
      kind: 'requirement' as const,
      why: checks[0]?.reason ?? 'It is not offered.',
    }));
  return [...profiles, ...others, ...absent];
}
