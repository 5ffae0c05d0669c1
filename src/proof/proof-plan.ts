import fc from 'fast-check';
import { deviations } from '../bank/deviations/index.ts';
import { type Dialect, dialects } from '../bank/dialects/index.ts';

/** One thing to prove. All of them are numbered before the work is shared out, so that every worker has the same list. */
export type Task =
  | { readonly kind: 'deviation'; readonly id: string; readonly all: boolean }
  | {
      readonly kind: 'dialect';
      readonly ids: readonly string[];
      readonly seed: number;
      /** Every so many-th check, beginning with the one at `from`; all of them with `step` 1. */
      readonly checks: { readonly from: number; readonly step: number };
      /** Whether the checks that send a hundred requests are among them. */
      readonly costly: boolean;
    };

export interface ProofScope {
  /** All checks against every deviation, instead of a sample of them. */
  readonly full: boolean;
  /** Random combinations of dialects. */
  readonly combinations: number;
  readonly seed: number;
  /** Only tasks whose id matches. */
  readonly only?: RegExp;
}

/** One deviation in so many is run with all checks, to see which others fail next to the blamed one. */
const sampleOneIn = 150;

/** A combination of dialects meets one check in so many, the next combination the next ones. */
const combinationShare = 20;

/** One dialect in so many meets the checks that send a hundred requests; among the combinations all who draw them do. */
const costlyOneIn = 4;

/** They fill a basket to its limit. */
export const costlyChecks: readonly string[] = ['BSK-13', 'BSK-14'];

const everyCheck = { from: 0, step: 1 } as const;

export function planProof({ full, combinations, seed, only }: ProofScope): readonly Task[] {
  const isChosen = (id: string): boolean => only === undefined || only.test(id);
  const chosen = deviations.filter(({ id }) => isChosen(id));
  return [
    // The long ones first: whoever takes the last task should not take long.
    ...combinationsOf(only === undefined ? combinations : 0, seed).map(
      (ids, index): Task => ({
        kind: 'dialect',
        ids,
        seed: seed + index,
        checks: full ? everyCheck : { from: index % combinationShare, step: combinationShare },
        costly: true,
      }),
    ),
    ...dialects
      .filter(({ id }) => isChosen(id))
      .map(
        ({ id }, index): Task => ({
          kind: 'dialect',
          ids: [id],
          seed: seed - index,
          checks: everyCheck,
          costly: full || index % costlyOneIn === 0,
        }),
      ),
    ...chosen
      .map(({ id }, index): Task => ({ kind: 'deviation', id, all: full || index % sampleOneIn === 0 }))
      .toSorted((a, b) => Number(isLong(b)) - Number(isLong(a))),
  ];
}

const isLong = (task: Task): boolean => task.kind === 'dialect' || task.all;

/** Two to six dialects that decide different questions. */
export function combinationsOf(count: number, seed: number): readonly (readonly string[])[] {
  const several = fc
    .shuffledSubarray([...dialects], { minLength: 2, maxLength: 6 })
    .map(withoutContradictions)
    .filter(({ length }) => length >= 2);
  return fc.sample(several, { seed, numRuns: count }).map((chosen) => chosen.map(({ id }) => id));
}

function withoutContradictions(chosen: readonly Dialect[]): readonly Dialect[] {
  const decided = new Set<string>();
  return chosen.filter(({ decides }) => decided.size < decided.add(decides).size);
}
