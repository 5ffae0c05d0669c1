import fc from 'fast-check';
import { conditionalDeviations, deviations } from '../bank/deviations/index.ts';
import { contradict, type Dialect, dialects } from '../bank/dialects/index.ts';
import type { Side } from '../spec/profiles.ts';
import { poolSize, poolsOf } from './dialect-pools.ts';
import { conditionalTppDeviations, tppDeviations } from './tpp/conditional.ts';
import { tppDialects } from './tpp/dialects.ts';

/** One thing to prove. All of them are numbered before the work is shared out, so that every worker has the same list. */
export type Task =
  | {
      readonly kind: 'deviation';
      readonly side: Side;
      readonly id: string;
      readonly all: boolean;
      readonly seed: number;
      /** Asks what learning would make of it as well. */
      readonly learns?: true;
    }
  | { readonly kind: 'dialect'; readonly side: 'tpp'; readonly id: string }
  | {
      readonly kind: 'dialect';
      readonly side: 'bank';
      readonly ids: readonly string[];
      readonly seed: number;
      /** Every so many-th check, beginning with the one at `from`; all of them with `step` 1. */
      readonly checks: { readonly from: number; readonly step: number };
      /** Whether the checks that send a hundred requests are among them. */
      readonly costly: boolean;
    }
  | {
      /** All checks against several dialects at once; what that leaves open, and one of them only, alone. */
      readonly kind: 'pool';
      readonly side: 'bank';
      readonly ids: readonly string[];
      readonly seed: number;
      readonly costly: boolean;
    }
  /** Counts the requests of every check on a bank, for the order in which a small budget takes them. */
  | { readonly kind: 'costs'; readonly side: 'bank' }
  /** The same for the checks one behind the other, in this order. */
  | { readonly kind: 'turns'; readonly side: 'bank'; readonly ids: readonly string[] };

export interface ProofScope {
  /** All checks against every deviation, instead of a sample of them. */
  readonly full?: boolean;
  /** Every dialect of a bank alone, instead of most of them in pools. */
  readonly each?: boolean;
  /** Random combinations of dialects. */
  readonly combinations: number;
  /** Deviations under a condition, drawn from all of them. */
  readonly conditional: number;
  /** Asks of every deviation what learning its readings would make of it; takes twice as long. */
  readonly learning?: boolean;
  readonly seed: number;
  /** Only tasks whose id matches. */
  readonly only?: RegExp;
  /** Only the checks on banks, or those on TPPs. */
  readonly side?: Side;
}

/** One deviation in so many is run with all checks, to see which others fail next to the blamed one. */
const sampleOneIn = 300;

/** A combination of dialects meets one check in so many, the next combination the next ones. */
const combinationShare = 20;

/** One dialect alone in so many meets the checks that send a hundred requests; pools and combinations do whenever they draw them. */
const costlyOneIn = 4;

/** They fill a basket to its limit. */
export const costlyChecks: readonly string[] = ['BSK-13', 'BSK-14'];

const everyCheck = { from: 0, step: 1 } as const;

export function planProof(scope: ProofScope): readonly Task[] {
  const tasks = [
    ...(scope.side === 'tpp' ? [] : tasksOnBanks(scope)),
    ...(scope.side === 'bank' ? [] : tasksOnTpps(scope)),
    ...(isWhole(scope) ? [{ kind: 'costs', side: 'bank' } as const] : []),
  ];
  // The long ones first: whoever takes the last task should not take long.
  return tasks.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
}

/** Only all deviations of both sides can tell what a check is worth. */
const isWhole = ({ only, side }: Pick<ProofScope, 'only' | 'side'>): boolean =>
  only === undefined && side === undefined;

const isChosen =
  ({ only }: ProofScope) =>
  ({ id }: { readonly id: string }): boolean =>
    only === undefined || only.test(id);

function tasksOnBanks(scope: ProofScope): readonly Task[] {
  const { full = false, combinations, seed, only } = scope;
  return [
    ...combinationsOf(only === undefined ? combinations : 0, seed).map(
      (ids, index): Task => ({
        kind: 'dialect',
        side: 'bank',
        ids,
        seed: seed + index,
        checks: full ? everyCheck : { from: index % combinationShare, step: combinationShare },
        costly: true,
      }),
    ),
    ...poolsOf(dialects.filter(isChosen(scope)), scope.each === true ? 1 : poolSize, seed).map(
      (pool, index): Task => ({
        kind: 'pool',
        side: 'bank',
        ids: pool.map(({ id }) => id),
        seed: seed - index,
        costly: full || pool.length > 1 || index % costlyOneIn === 0,
      }),
    ),
    ...deviations.filter(isChosen(scope)).map(
      ({ id }, index): Task => ({
        kind: 'deviation',
        side: 'bank',
        id,
        all: full || index % sampleOneIn === 0,
        seed,
        ...(scope.learning === true ? { learns: true as const } : {}),
      }),
    ),
    ...conditionalOf(scope).map((id): Task => ({ kind: 'deviation', side: 'bank', id, all: false, seed })),
  ];
}

/** So many deviations with their conditions, others with every seed. A part of a proof has them where it asks for `@`. */
function conditionalOf(scope: ProofScope): readonly string[] {
  const { conditional, seed, only } = scope;
  if (only?.source.includes('@') === false) return [];
  return drawn(conditionalDeviations().filter(isChosen(scope)), conditional, seed);
}

function drawn(from: readonly { readonly id: string }[], count: number, seed: number): readonly string[] {
  // By lot: fast-check takes seconds to shuffle as many.
  const lots = fc.sample(fc.nat(), { seed, numRuns: from.length });
  return from
    .map(({ id }, index) => ({ id, lot: lots[index] ?? 0 }))
    .toSorted((one, other) => one.lot - other.lot)
    .slice(0, count)
    .map(({ id }) => id);
}

/** Of TPPs there are fewer: one in so many. */
const conditionalTppsOneIn = 3;

const conditionalTppsOf = (scope: ProofScope): readonly string[] =>
  scope.only?.source.includes('@') === false
    ? []
    : drawn(
        conditionalTppDeviations.filter(isChosen(scope)),
        Math.round(scope.conditional / conditionalTppsOneIn),
        scope.seed,
      );

/** What a TPP sends is recorded once and judged by all checks: they cost next to nothing. */
const tasksOnTpps = (scope: ProofScope): readonly Task[] => [
  ...tppDialects.filter(isChosen(scope)).map(({ id }): Task => ({ kind: 'dialect', side: 'tpp', id })),
  ...tppDeviations
    .filter(isChosen(scope))
    .map(({ id }): Task => ({ kind: 'deviation', side: 'tpp', id, all: true, seed: scope.seed })),
  ...conditionalTppsOf(scope).map(
    (id): Task => ({ kind: 'deviation', side: 'tpp', id, all: true, seed: scope.seed }),
  ),
];

const isLong = (task: Task): boolean => task.side === 'bank' && (task.kind !== 'deviation' || task.all);

/** Two to six dialects that decide different questions. */
export function combinationsOf(count: number, seed: number): readonly (readonly string[])[] {
  const several = fc
    .shuffledSubarray([...dialects], { minLength: 2, maxLength: 6 })
    .map(withoutContradictions)
    .filter(({ length }) => length >= 2);
  return fc.sample(several, { seed, numRuns: count }).map((chosen) => chosen.map(({ id }) => id));
}

/** Of those that contradict each other the first is kept. */
function withoutContradictions(chosen: readonly Dialect[]): readonly Dialect[] {
  const kept: Dialect[] = [];
  for (const dialect of chosen) if (!kept.some((other) => contradict(other, dialect))) kept.push(dialect);
  return kept;
}
