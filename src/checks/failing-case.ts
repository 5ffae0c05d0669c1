import fc from 'fast-check';
import { mustAwaitSca } from './awaiting-sca.ts';
import {
  bodiesIn,
  type Case,
  type CaseResult,
  drawnFor,
  judgeCase,
  otherwiseIn,
  type Question,
  sendIn,
  type Twist,
} from './case.ts';
import { asControl, type CheckContext, evidenceOf } from './context.ts';
import { type ContextValue, contextValues, type Dimension, describeContext } from './contexts.ts';
import { contextTakenBy, controls, mustBeAbleToPay } from './controls.ts';
import { describeAnswer, wentThrough } from './expectation.ts';
import {
  changedFields,
  type MinimalPair,
  minimalPair,
  type Search,
  tryLike,
  withFreshAmount,
} from './minimal-pair.ts';
import { ExpectationFailed, Inconclusive, saysNothing } from './outcomes.ts';

/** One way to write the same body otherwise is enough to tell whether that matters; with fields there are two ends. */
const mostOf = (dimension: Dimension): number => (dimension === 'fields' ? 2 : 1);

/**
 * Tries a fault in each context by itself and says where the rule holds and where it breaks: a bug that shows for
 * companies alone is looked for in another place than one that always does.
 */
async function tellWhereItBreaks(search: Search, failing: CaseResult): Promise<void> {
  const { context, question, budget } = search;
  const breaks: string[] = [];
  const holds: string[] = [];
  for (const value of await usableValues(context, question, failing)) {
    if (budget.left <= 0) break;
    const values = [value];
    const drawn =
      value.optional === undefined ? failing.drawn : drawnFor(context, question.of, { values, index: 0 });
    const result = await tryLike(search, { values, drawn });
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
  else if (breaks.length > 0) context.note(`It breaks in ${everyOne(breaks)}.`);
}

/** Where nothing makes a difference, a list of all that makes none tells little. */
const everyOne = (contexts: readonly string[]): string =>
  contexts.length <= mostTold
    ? `every context that was tried: ${contexts.join('; ')}`
    : `every one of the ${contexts.length} contexts that were tried, such as ${contexts.slice(0, mostTold).join('; ')}`;

const mostTold = 3;

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

/** Requests spent on making a counterexample smaller. A person reads it once; the bank answers each of them. */
const usualShrinkingBudget = 40;

/**
 * Starts at the failing case and lets fast-check shrink it. The values of `fc.sample` are those of `fc.check` with
 * the same seed, so the index of the case is its path. Returns the path that replays the smallest one.
 */
async function smallestCounterexample<T>(
  values: fc.Arbitrary<T>,
  seed: number,
  index: number,
  holds: (value: T) => Promise<boolean>,
  budget: number = usualShrinkingBudget,
): Promise<string> {
  let spent = 0;
  const property = fc.asyncProperty(values, async (value) => {
    spent += 1;
    return spent > budget || (await holds(value));
  });
  const details = await fc.check(property, {
    seed,
    path: String(index),
    // Smaller ones would be drawn by the hundred, to be passed over one after the other.
    endOnFailure: budget <= 1,
    // The case itself and what it shrinks to: were there more runs, the cases behind it would be sent again as well.
    numRuns: 1,
  });
  return details.counterexamplePath ?? String(index);
}

interface Smallest {
  readonly result: CaseResult;
  /** Draws its body again. */
  readonly path: string;
}

/** A failing case as small as it gets; undefined where the bank answers as it should when it is tried again. */
async function smallestOf(
  context: CheckContext,
  question: Question,
  failing: Case,
): Promise<Smallest | undefined> {
  const { of } = question;
  let last: CaseResult | undefined;
  let trouble: unknown;
  const path = await smallestCounterexample(
    bodiesIn(failing.values, of, context),
    context.seed,
    failing.index,
    async (body) => {
      const again = last === undefined ? () => drawnFor(context, of, failing) : undefined;
      try {
        const result = await judgeCase(context, question, failing, body, again);
        if (!result.met) last = result;
        return result.met;
      } catch (error) {
        // No answer is no counterexample: the smallest one so far stands.
        trouble = error;
        return true;
      }
    },
    context.run.shrinkingBudget,
  );
  if (trouble !== undefined && (last === undefined || !saysNothing(trouble))) throw trouble;
  const result =
    last ??
    (await allowingDuplicatesFromNowOn(context, question, failing)) ??
    (await rightAfterARefusal(context, question, failing));
  return result && { result, path };
}

/** A case that failed, and how. */
export interface Failure {
  readonly failing: Case;
  readonly seen: CaseResult;
}

/** So many of the cases that failed are tried again, until one fails again. */
const mostTriedAgain = 3;

/**
 * What should have been taken may have been refused for a passing reason. What has to be refused and was taken is broken for
 * good, also where the bank does so now and then: by the amount, by the hour, or by chance. Where requests were lost on the
 * way, the answer may have been another one's.
 */
async function reproduced(
  context: CheckContext,
  question: Question,
  [first, ...others]: readonly [Failure, ...Failure[]],
): Promise<Smallest & Pick<Case, 'twist'>> {
  const { failing, seen } = first;
  const isTaken =
    question.expected.isAcceptance !== true && seen.answer.isSuccess && !context.client.options.pace.hasLost;
  for (const each of [first, ...others.slice(0, mostTriedAgain - 1)]) {
    const smallest = await smallestOf(context, question, each.failing);
    if (smallest !== undefined) return { ...smallest, twist: each.failing.twist };
  }
  if (!isTaken) {
    throw new Inconclusive(
      `The bank answered differently when the case was tried again: ${failing.twist.label}.`,
    );
  }
  context.note('It was taken here, and refused when it was tried again: the rule breaks now and then.');
  return { result: seen, path: String(failing.index), twist: failing.twist };
}

/**
 * A fault in the amount is the same each time: what the bank has taken once it may refuse as a duplicate. What else is
 * sent to make sure of the failure is the like of it as well.
 */
async function allowingDuplicatesFromNowOn(
  context: CheckContext,
  question: Question,
  failing: Case,
): Promise<CaseResult | undefined> {
  if (question.of.payment === undefined) return undefined;
  context.repeatsPayments = true;
  const result = await judgeCase(context, question, failing, drawnFor(context, question.of, failing));
  return result.met ? undefined : result;
}

/** Some banks stumble only right after a request that they refused. */
async function rightAfterARefusal(
  context: CheckContext,
  question: Question,
  failing: Case,
): Promise<CaseResult | undefined> {
  for (let round = 1; round <= retries; round += 1) {
    const result = await judgeCase(context, question, failing, drawnFor(context, question.of, failing));
    if (result.met) continue;
    context.note('It breaks right after a request that was refused, and holds otherwise.');
    return result;
  }
  return undefined;
}

/** Leaves no other reason for an answer than the twist; where there may be one, nothing can be concluded. */
async function withoutOtherReasons(
  context: CheckContext,
  question: Question,
  result: CaseResult,
  twist: Twist,
): Promise<CaseResult> {
  const { of, expected, control = of } = question;
  const { answer } = result;
  if (answer.isSuccess) return result;
  if (expected.isAcceptance === true) {
    mustAwaitSca(context, answer);
    await mustBeAbleToPay(context, of, answer);
  }
  const otherwise = otherwiseIn(context, twist);
  if (otherwise !== undefined) {
    const other = await judgeCase(context, question, { twist: otherwise, values: [] }, result.drawn);
    await mustBeAbleToPay(context, of, other.answer);
  }
  await refusedForTheFault(context, question, result, twist);
  return control === of ? refusedForTheTwist(context, question, result, twist) : result;
}

/** Makes a failing case as small as it gets, makes sure of it, and tells it. The plainest ones come first. */
export async function fail(
  context: CheckContext,
  question: Question,
  failures: readonly [Failure, ...Failure[]],
): Promise<never> {
  context.seemsBroken = true;
  const { result, path, twist } = await reproduced(context, question, failures);
  const shown = await withoutOtherReasons(context, question, result, twist);
  const search = (): Search => ({ context, question, twist, budget: { left: usualBudget } });
  const pair = isRead(context) ? await minimalPair(search(), shown) : undefined;
  const { answer } = pair?.failing ?? shown;
  context.counterexample = {
    value: readable(answer.exchange.request.body),
    path,
    ...(pair === undefined ? {} : sideBySide(context, pair, twist)),
  };
  context.evidence =
    pair === undefined
      ? evidenceOf(context, answer.exchange)
      : [asControl(pair.control.exchange), answer.exchange];
  if (isRead(context)) await tellWhereItBreaks(search(), pair?.failing ?? shown);
  throw new ExpectationFailed(
    `${question.expected.text} when ${twist.label}`,
    describeAnswer(answer),
  ).breaking(question.expected.breaks?.(answer, context.readings) ?? twist.requirement);
}

/** Requests of other checks may come in between. */
const retries = 3;

/** Requests for each of two questions: how little is left of a failing case, and where else it fails. */
const usualBudget = 24;

/** Where many banks are judged one after the other, nobody reads more of a failure than that it is one. */
const isRead = ({ run }: CheckContext): boolean => run.shrinkingBudget === undefined;

const sideBySide = (context: CheckContext, pair: MinimalPair, twist: Twist) => ({
  control: pair.control.body === undefined ? '' : JSON.stringify(pair.control.body, undefined, 2),
  changed: changedFields(context, pair, twist),
});

async function refusedForTheFault(
  context: CheckContext,
  { of }: Question,
  { base, answer, values }: CaseResult,
  { controlVariation, label }: Twist,
): Promise<void> {
  if (controlVariation === undefined) return;
  const other = await sendIn(
    values,
    context,
    of,
    base,
    controlVariation,
    'the same oddity without the fault',
  );
  if (other.status === answer.status) {
    throw new Inconclusive(
      `The bank looks at something else first: it answers ${describeAnswer(other)} without the fault as well: ${label}.`,
    );
  }
}

/** The body as it went over the wire, since a twist may have changed it last; indented where it is JSON. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2);
  } catch {
    return body;
  }
}

/**
 * What is refused with and without the twist is refused for a reason that another check is about. A case that has by
 * chance, or by shrinking, the very value that the twist puts there is no such reason: then others are tried.
 */
async function refusedForTheTwist(
  context: CheckContext,
  question: Question,
  smallest: CaseResult,
  twist: Twist,
): Promise<CaseResult> {
  const { of } = question;
  const { values } = smallest;
  // Drawn together, because the first of a sample is likely to have values from the ends of their lists.
  const others = fc
    .sample(bodiesIn(values, of, context), { seed: context.seed + 1, numRuns: 2 * controls })
    .slice(controls);
  let shown = smallest;
  let refusal = '';
  for (const next of [...others, undefined]) {
    // Looking into the context may have sent it already: then it is a duplicate, and goes through with another amount.
    for (const base of [shown.base, withFreshAmount(context, question, shown.base)]) {
      const answer = await sendIn(shown.values, context, of, base, {}, 'the same without the fault');
      if (wentThrough(answer, context.readings)) return shown;
      refusal = describeAnswer(answer);
      if (of.payment === undefined) break;
    }
    if (next === undefined) break;
    const result = await judgeCase(context, question, { twist, values }, next);
    if (result.met) break;
    shown = result;
  }
  throw new Inconclusive(
    `The control was refused: the same request was answered ${refusal} without this as well: ${twist.label}.`,
  );
}
