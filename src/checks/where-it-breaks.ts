import { type CaseResult, drawnFor, type Question, type Twist } from './case.ts';
import type { CheckContext } from './context.ts';
import { type ContextValue, contextValues, type Dimension, describeContext } from './contexts.ts';
import { contextTakenBy } from './controls.ts';
import { type Budget, tryLike } from './minimal-pair.ts';

/** One way to write the same body otherwise is enough to tell whether that matters; with fields there are two ends. */
const mostOf = (dimension: Dimension): number => (dimension === 'fields' ? 2 : 1);

/**
 * Tries a fault in each context by itself and says where the rule holds and where it breaks: a bug that shows for
 * companies alone is looked for in another place than one that always does.
 */
export async function tellWhereItBreaks(
  context: CheckContext,
  question: Question,
  twist: Twist,
  failing: CaseResult,
  budget: Budget,
): Promise<void> {
  const breaks: string[] = [];
  const holds: string[] = [];
  for (const value of await usableValues(context, question, failing)) {
    if (budget.left <= 0) break;
    const values = [value];
    const drawn =
      value.optional === undefined ? failing.drawn : drawnFor(context, question.of, { values, index: 0 });
    const result = await tryLike(context, question, twist, { values, drawn }, budget);
    // A twist that decides the dimension by itself leaves it out, and then nothing was learned.
    if (result === undefined || result.values.length === 0) continue;
    (result.met ? holds : breaks).push(value.label);
  }
  const here = failing.values.length === 0 ? 'in the usual context' : describeContext(failing.values);
  const told = [
    `It breaks ${[here, ...breaks].join('; ')}.`,
    ...(failing.values.length === 0 ? [] : ['In the usual context the rule holds.']),
    ...(holds.length === 0 ? [] : [`It holds ${holds.join('; ')}.`]),
  ];
  if (failing.values.length > 0 || holds.length > 0) context.note(told.join(' '));
  else if (breaks.length > 0)
    context.note(`It breaks in every context that was tried: ${breaks.join('; ')}.`);
}

async function usableValues(
  context: CheckContext,
  { of, expected, fixed = [] }: Question,
  { values }: CaseResult,
): Promise<readonly ContextValue[]> {
  const counts = new Map<string, number>();
  const chosen = contextValues.filter((value) => {
    const { dimension, onlyForFaults } = value;
    if (values.includes(value) || fixed.includes(dimension) || !value.fits(of, context)) return false;
    if (onlyForFaults === true && expected.isAcceptance === true) return false;
    const count = (counts.get(dimension) ?? 0) + 1;
    counts.set(dimension, count);
    return count <= mostOf(dimension);
  });
  return (await Promise.all(chosen.map((value) => contextTakenBy(context, of, [value])))).flat();
}
