import type { CheckResult, KnownDeviation, RunHeader, RunRecord, Verdict } from '../checks/verdict.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import { interpretationList } from '../spec/interpretations.ts';
import type { Side } from '../spec/profiles.ts';
import type { Requirement } from '../spec/requirement.ts';
import { failingDeviation } from '../target/known-deviations.ts';

export type RequirementVerdict = Verdict | 'not-tested';

/** What a run says about one requirement. */
export interface RequirementResult {
  readonly requirement: Requirement;
  readonly verdict: RequirementVerdict;
  /** What the checks that cite it say of it. */
  readonly checks: readonly CheckResult[];
  /** Checks that failed for another requirement, before they came to this one. */
  readonly notReachedBy?: readonly CheckResult[];
}

/**
 * Gravest first. A broken requirement outranks our own error, because the evidence for it stands. What was
 * judged outranks what does not apply: a check without its precondition takes nothing from one that passed.
 */
const gravity: readonly Verdict[] = ['fail', 'error', 'inconclusive', 'warning', 'pass', 'not-applicable'];

/**
 * The requirements that bind the judged side, in the order of the catalogue, and those that a check cited next to them.
 * An id that this catalogue does not know (a run of another version) is kept, or its failure would vanish.
 */
export function requirementResults(
  results: readonly CheckResult[],
  requirements: readonly Requirement[],
  judged: Side = 'bank',
): readonly RequirementResult[] {
  const checksById = byRequirement(
    results.flatMap((result) => [
      ...[...new Set(result.requirements)].map((id) => [id, result] as const),
      ...(result.held ?? []).map((id) => [id, asHeld(result)] as const),
    ]),
  );
  const notReached = byRequirement(
    results.flatMap((result) => (result.notReached ?? []).map((id) => [id, result] as const)),
  );
  const known = new Set(requirements.map(({ id }) => id));
  const citedOnly = [...checksById]
    .filter(([id]) => !known.has(id))
    .map(([id, checks]) => unknownRequirement(id, checks, judged));
  return [...requirements.filter(({ id, side }) => side === judged || checksById.has(id)), ...citedOnly].map(
    (requirement) => {
      const checks = checksById.get(requirement.id) ?? [];
      const notReachedBy = notReached.get(requirement.id);
      return { requirement, verdict: gravest(checks), checks, ...(notReachedBy && { notReachedBy }) };
    },
  );
}

const byRequirement = (
  told: readonly (readonly [id: string, result: CheckResult])[],
): ReadonlyMap<string, readonly CheckResult[]> =>
  new Map([...groupedBy(told, ([id]) => id)].map(([id, group]) => [id, group.map(([, result]) => result)]));

/** What a check has shown of a requirement before it failed for another. */
const asHeld = ({ reason, expected, actual, counterexample, ...result }: CheckResult): CheckResult => ({
  ...result,
  verdict: 'pass',
});

function gravest(checks: readonly CheckResult[]): RequirementVerdict {
  return gravity.find((verdict) => checks.some((check) => check.verdict === verdict)) ?? 'not-tested';
}

function unknownRequirement(id: string, checks: readonly CheckResult[], side: Side): Requirement {
  return {
    id,
    statement: 'This requirement is not in the catalogue of this version.',
    section: checks[0]?.suite.section ?? [],
    level: checks[0]?.level ?? 'must',
    side,
    // What this version cannot place counts everywhere, or its failure would vanish from a profile.
    profiles: ['core'],
  };
}

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

/** `ticket 4711, until 2027-01-31` */
export const deviationText = ({ reason, until }: KnownDeviation): string =>
  `${reason}${until === undefined ? '' : `, until ${until}`}`;

/** The known deviations that excuse a failed check; none where it is not excused. */
export const excusesOf = (
  { id, requirements }: Pick<CheckResult, 'id' | 'requirements'>,
  {
    excused,
    knownDeviations,
  }: { readonly excused: ReadonlySet<string>; readonly knownDeviations: readonly DeviationResult[] },
): readonly DeviationResult[] =>
  excused.has(id) ? knownDeviations.filter(({ requirement }) => requirements.includes(requirement)) : [];

/** Judges every entry of the target file's `knownDeviations` on the day of the run, so a rebuilt report says the same. */
export function judgeDeviations(
  { header }: RunRecord,
  results: readonly RequirementResult[],
): readonly DeviationResult[] {
  const byId = new Map(results.map((result) => [result.requirement.id, result]));
  return header.knownDeviations.map((deviation) => {
    const result = byId.get(deviation.requirement);
    return { ...deviation, ...standingOf(deviation, header.startedAt.slice(0, 10), result) };
  });
}

/** The requirements whose failures are excused: reasoned, and not past their date. */
export function excusedRequirements(deviations: readonly DeviationResult[]): ReadonlySet<string> {
  return new Set(deviations.filter(({ state }) => state === 'happens').map(({ requirement }) => requirement));
}

/** What excuses a failure while the run still goes on. */
export const excuseOf = (
  { verdict, requirements: [own] }: Pick<CheckResult, 'verdict' | 'requirements'>,
  { knownDeviations, startedAt }: Pick<RunHeader, 'knownDeviations' | 'startedAt'>,
): KnownDeviation | undefined =>
  verdict === 'fail'
    ? knownDeviations.find(
        (known) => known.requirement === own && failingDeviation(known, startedAt.slice(0, 10)) === undefined,
      )
    : undefined;

function standingOf(
  deviation: KnownDeviation,
  today: string,
  result: RequirementResult | undefined,
): Pick<DeviationResult, 'state' | 'problem'> {
  const named = `The known deviation from ${deviation.requirement}`;
  if (result === undefined)
    return {
      state: 'unknown-requirement',
      problem: `${named} names no requirement of a bank: correct the id in the target file.`,
    };
  const failing = failingDeviation(deviation, today);
  if (failing !== undefined) return failing;
  if (result.checks.some(({ verdict }) => verdict === 'fail' || verdict === 'warning'))
    return { state: 'happens' };
  if (result.verdict !== 'pass') return { state: 'not-exercised' };
  return { state: 'gone', problem: `${named} no longer happens: remove it from the target file.` };
}

/** One place where the specification leaves something open, and how this run read it. */
export interface Reading {
  readonly id: string;
  /** What is left open; empty for an id that this version does not know. */
  readonly question: string;
  /** The chosen value, with its meaning where it is known. */
  readonly taken: string;
}

const known = new Map(interpretationList.map((interpretation) => [interpretation.id, interpretation]));

/** All readings of a run, as its header names them. */
export function readingsOf({ interpretations }: RunHeader): readonly Reading[] {
  return Object.entries(interpretations).map(([id, value]) => reading(id, value));
}

/** The reading that a requirement rests on, in one line. */
export function readingText(id: string, { interpretations }: RunHeader): string {
  const value = interpretations[id];
  return value === undefined ? id : `${id} = ${reading(id, value).taken}`;
}

function reading(id: string, value: string): Reading {
  const interpretation = known.get(id);
  const meaning = interpretation?.values[value];
  return {
    id,
    question: interpretation?.question ?? '',
    taken: meaning === undefined ? value : `${value}: ${meaning}`,
  };
}

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
