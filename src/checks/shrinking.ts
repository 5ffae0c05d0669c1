import fc from 'fast-check';

/** Requests spent on making a counterexample smaller. A person reads it once; the bank answers each of them. */
const usualBudget = 40;

/**
 * Starts at the failing case and lets fast-check shrink it. The values of `fc.sample` are those of `fc.check` with
 * the same seed, so the index of the case is its path. Returns the path that replays the smallest one.
 */
export async function smallestCounterexample<T>(
  values: fc.Arbitrary<T>,
  seed: number,
  index: number,
  holds: (value: T) => Promise<boolean>,
  budget: number = usualBudget,
): Promise<string> {
  let spent = 0;
  const property = fc.asyncProperty(values, async (value) => {
    spent += 1;
    return spent > budget || (await holds(value));
  });
  const details = await fc.check(property, {
    seed,
    path: String(index),
    endOnFailure: false,
    // The case itself and what it shrinks to: were there more runs, the cases behind it would be sent again as well.
    numRuns: 1,
  });
  return details.counterexamplePath ?? String(index);
}
