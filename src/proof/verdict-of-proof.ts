import { type CheckDescription, requirementsOf } from '../checks/check.ts';
import { type KillScores, killScoresFrom } from '../checks/proof-findings.ts';
import type { CheckResult } from '../checks/verdict.ts';
import { type Failure, numberOfCauses } from '../report/causes.ts';
import { requirements } from '../spec/catalogue.ts';
import type { Side } from '../spec/profiles.ts';
import type { KnownCosts } from './learn-catch-order.ts';

/** What became of a bank or a TPP that breaks one requirement. */
export interface DeviationResult {
  readonly side: Side;
  readonly id: string;
  /** When alone it shows. */
  readonly condition?: string;
  /** Its condition was never met by what it is about, so that nothing was broken. */
  readonly isIdle?: true;
  readonly requirement: string;
  readonly title: string;
  /** With the readings that can be learned of it, no check of the requirement fails any more; absent where not asked. */
  readonly excused?: boolean;
  /** The values of readings that say so, where that is as it should be. */
  readonly allowedUnder?: Readonly<Partial<Record<string, string>>>;
  /** A check failed. */
  readonly killed: boolean;
  /** One of the checks that failed cites the very requirement that was broken. */
  readonly blamed: boolean;
  /** Checks that cite the requirement and failed. */
  readonly blamedBy: readonly string[];
  /** Those of them that noticed as a run with a small budget does, by one case of each property and each fault; all others need more. */
  readonly atOnceBy?: readonly string[];
  /** Other checks that failed, as far as they were run. */
  readonly others: readonly string[];
  /** Requirements that these checks say are broken, and are not: `SCA-04 by RDR-01-approvals`. */
  readonly besides: readonly string[];
  /** What its failures say, for whoever asks how many causes a report would name. */
  readonly failures?: readonly Failure[];
  /** Whether all checks were run, so that `others` is complete. */
  readonly all: boolean;
  /** What has to be known where it was not blamed, or others were blamed as well: what the checks said. */
  readonly said: readonly string[];
}

/** What the checks said of a bank or a TPP that is unusual and right. */
export interface DialectResult {
  readonly side: Side;
  /** One dialect, or several together. */
  readonly ids: readonly string[];
  /** Checks that failed, or broke: false alarms. */
  readonly alarms: readonly string[];
  /** The readings that were learned of it, where it was judged by those. */
  readonly learned?: Readonly<Partial<Record<string, string>>>;
  readonly warnings: readonly string[];
  readonly inconclusive: readonly string[];
  readonly passed: number;
  /** Where it met checks in a pool: who was there with it, and how many checks passed them all. It met the others alone. */
  readonly pool?: { readonly others: readonly string[]; readonly passed: number };
  /** The pool itself: its alarms are those that none of its dialects raises alone. */
  readonly isPool?: true;
  /** Why it could not be had on this machine. */
  readonly skipped?: string;
}

export type TaskResult =
  | ({ readonly kind: 'deviation' } & DeviationResult)
  | ({ readonly kind: 'dialect' } & DialectResult)
  | ({ readonly kind: 'costs' } & KnownCosts)
  /** How many requests each check sent in its turn. */
  | { readonly kind: 'turns'; readonly requests: ReadonlyMap<string, number> };

/** Everything that a proof has found. */
export interface Proof {
  readonly deviations: readonly DeviationResult[];
  /** Deviations that show under a condition only. */
  readonly conditional: readonly DeviationResult[];
  /** Dialects one by one, alone or with others in a pool. */
  readonly dialects: readonly DialectResult[];
  /** What the dialects of a pool did together. */
  readonly pools: readonly DialectResult[];
  readonly combinations: readonly DialectResult[];
  /** Dialects alone, judged by the readings that were learned of them. */
  readonly learned: readonly DialectResult[];
  readonly survivors: readonly DeviationResult[];
  /** Those that survive under a condition. */
  readonly missed: readonly DeviationResult[];
  /** Killed, but by no check of the requirement that was broken. */
  readonly unblamed: readonly DeviationResult[];
  /** TPPs that were blamed for something else as well. */
  readonly misblamed: readonly DeviationResult[];
  /** Those of which another requirement was said to be broken as well. */
  readonly besides: readonly DeviationResult[];
  /** Broken banks that learning makes conformant though no reading allows what they do, or the other way round. */
  readonly misread: readonly DeviationResult[];
  readonly falseAlarms: readonly DialectResult[];
  /** Requirements that a check covers and that nothing breaks: no one knows whether the check would notice. */
  readonly unproved: readonly string[];
  /** Checks that the proof would not miss: whatever they notice, another check of the same requirement does. */
  readonly needless: readonly string[];
  readonly causes: CausesFound;
  readonly holds: boolean;
}

/** How often a report names as many causes as there are faults. */
export interface CausesFound {
  /** Of banks with one fault. */
  readonly one: Share;
  /** Of banks with two faults that have nothing to do with each other. */
  readonly two: Share;
}

interface Share {
  readonly right: number;
  readonly of: number;
  /** Those of which it names another number. */
  readonly others: readonly string[];
}

/** What failed lays its failure on the requirement that its failing step shows. */
export const blamedBesides = (
  noticed: readonly Pick<CheckResult, 'id' | 'requirements'>[],
  broken: readonly string[],
): readonly string[] => [
  ...new Set(
    noticed.flatMap(({ id, requirements: blamed }) =>
      blamed
        .filter((requirement) => !broken.includes(requirement))
        .map((requirement) => `${requirement} by ${id}`),
    ),
  ),
];

/** Of so many deviations: one in a hundred, for what a bank breaks along with a rule is not always told apart. */
export const mostBesides = (deviations: number): number => Math.floor(deviations / 100);

export function verdictOf(results: readonly TaskResult[], checks: readonly CheckDescription[]): Proof {
  const all = results.filter((result) => result.kind === 'deviation').toSorted(byId);
  const deviations = all.filter(({ condition }) => condition === undefined);
  const conditional = all.filter(({ condition, isIdle }) => condition !== undefined && isIdle !== true);
  const ofDialects = results.filter((result) => result.kind === 'dialect');
  const survivors = deviations.filter(({ killed }) => !killed);
  // What no check reaches is not among them: src/bank/deviations/conditional.ts says what, and why.
  const missed = conditional.filter(({ killed }) => !killed);
  const unblamed = deviations.filter(({ killed, blamed }) => killed && !blamed);
  const misblamed = deviations.filter(isMisblamed);
  const besides = all.filter((result) => result.besides.length > 0);
  const misread = deviations.filter(
    ({ excused, allowedUnder }) => excused !== undefined && excused !== (allowedUnder !== undefined),
  );
  const falseAlarms = ofDialects.filter(({ alarms }) => alarms.length > 0);
  const unproved = unprovedRequirements(deviations, checks);
  const needless = needlessChecks(deviations, checks);
  const causes = causesFound(deviations);
  return {
    deviations,
    conditional,
    dialects: ofDialects.filter(({ ids, learned }) => ids.length === 1 && learned === undefined),
    learned: ofDialects.filter(({ learned }) => learned !== undefined),
    combinations: ofDialects.filter(({ ids, isPool }) => ids.length > 1 && isPool !== true),
    pools: ofDialects.filter(({ isPool }) => isPool === true),
    survivors,
    missed,
    unblamed,
    misblamed,
    besides,
    misread,
    falseAlarms,
    unproved,
    needless,
    causes,
    holds:
      isOften(causes.one, 95) &&
      isOften(causes.two, 90) &&
      besides.length <= mostBesides(all.length) &&
      [survivors, missed, unblamed, misblamed, misread, falseAlarms, unproved, needless].every(
        ({ length }) => length === 0,
      ),
  };
}

const isOften = ({ right, of }: Share, percent: number): boolean => right * 100 >= of * percent;

/** Pairs of unlike faults that are looked at. */
const mostPairs = 400;

/** The failures of two banks together are those of a bank with both faults, but for what one fault hides of the other. */
function causesFound(deviations: readonly DeviationResult[]): CausesFound {
  const telling = deviations.filter(({ side, failures = [] }) => side === 'bank' && failures.length > 0);
  const areaOf = ({ requirement }: DeviationResult): string | undefined => requirement.split('-')[0];
  const step = Math.max(1, Math.floor(telling.length / mostPairs));
  const pairs = telling.flatMap((one, index) => {
    const other = telling[(index * 7 + Math.floor(telling.length / 2)) % telling.length];
    return index % step > 0 || other === undefined || areaOf(one) === areaOf(other) ? [] : [[one, other]];
  });
  const share = (banks: readonly (readonly DeviationResult[])[]): Share => {
    const others = banks.filter(
      (faults) => numberOfCauses(faults.flatMap(({ failures = [] }) => failures)) !== faults.length,
    );
    return {
      right: banks.length - others.length,
      of: banks.length,
      others: others.map((faults) => faults.map(({ id }) => id).join(' + ')),
    };
  };
  return { one: share(telling.map((bank) => [bank])), two: share(pairs) };
}

/** By requirement and way, with numbers in their order. */
function byId(a: DeviationResult, b: DeviationResult): number {
  return a.id.localeCompare(b.id, 'en', { numeric: true });
}

/**
 * A bank that breaks one rule may well disturb what other checks build upon. What a TPP sends is only looked at, so
 * that checks of other requirements have no reason to complain.
 */
const isMisblamed = ({ side, others }: DeviationResult): boolean => side === 'tpp' && others.length > 0;

/** Must-level requirements, and all on a TPP, that a check covers and no deviation breaks. */
export function unprovedRequirements(
  deviations: readonly Pick<DeviationResult, 'requirement'>[],
  checks: readonly CheckDescription[],
): readonly string[] {
  const broken = new Set(deviations.map(({ requirement }) => requirement));
  const covered = new Set(checks.flatMap(requirementsOf));
  return requirements
    .filter(
      ({ id, side, level }) => (level === 'must' || side === 'tpp') && covered.has(id) && !broken.has(id),
    )
    .map(({ id }) => id);
}

/**
 * Checks without a deviation that they alone notice, so that nobody would miss them. One that needs more of the target, such
 * as a company, is no substitute: banks without it would go free.
 */
export function needlessChecks(
  deviations: readonly Pick<DeviationResult, 'blamedBy'>[],
  checks: readonly Pick<CheckDescription, 'id' | 'needs'>[],
): readonly string[] {
  const needsOf = new Map(checks.map(({ id, needs }) => [id, needs]));
  const needed = deviations.flatMap(({ blamedBy }) =>
    blamedBy.filter((id) => {
      const own = needsOf.get(id) ?? [];
      const others = blamedBy.filter((other) => other !== id);
      return !others.some((other) => (needsOf.get(other) ?? []).every((need) => own.includes(need)));
    }),
  );
  const kept = new Set(needed);
  return checks.map(({ id }) => id).filter((id) => !kept.has(id));
}

/** How many of the ways to break each requirement are noticed by a check of that requirement. */
export const killScoresOf = ({ deviations }: Pick<Proof, 'deviations'>): KillScores =>
  killScoresFrom(
    deviations.map((result) => ({
      requirement: result.requirement,
      isNoticed: result.blamed && !isMisblamed(result),
    })),
  );
