import fc from 'fast-check';
import { numberFrom } from '../payloads/amounts.ts';
import type { Answer } from '../tpp/answer.ts';
import { NoAnswerError } from '../tpp/exchange.ts';
import { bodiesIn, sendIn, sendPlain } from './case.ts';
import type { CheckContext, RunContext } from './context.ts';
import { bodyIn, type Context, describeContext } from './contexts.ts';
import { describeAnswer, wentThrough } from './expectation.ts';
import { Inconclusive, NotOffered } from './outcomes.ts';
import { aPayment, type Subject } from './subject.ts';

/** Controls differ in their optional parts; one that goes through is enough, since the fault is in none of them. */
export const controls = 3;

/** Sends the control, unless its like has gone through already and this bank is one of many. */
export async function controlBy(context: CheckContext, control: Subject): Promise<void> {
  const { knownControls } = context.run;
  if (knownControls?.has(control.title) === true) return;
  await mustGoThrough(context, control);
  knownControls?.add(control.title);
}

/** How a bank answers at a path that it does not have. */
export const isAbsent = ({ status }: Answer): boolean => [404, 405, 501].includes(status);

export async function mustGoThrough(context: CheckContext, control: Subject): Promise<Answer> {
  for (let round = 1; ; round += 1) {
    const answer = await sendPlain(context, control, round);
    if (wentThrough(answer, context.readings)) return answer;
    if (control.referredTo !== undefined && isAbsent(answer)) {
      throw new NotOffered(`The bank does not offer what this needs: ${control.title} (${answer.status}).`);
    }
    const told = `${control.title} without any fault was answered ${describeAnswer(answer)}`;
    if (round === controls) {
      throw new Inconclusive(
        `The control was refused: ${told}. A refusal of the faulty one would prove nothing.`,
      );
    }
    context.note(`A control was refused: ${told}.`);
  }
}

/** By run: what became of the contexts that its checks wanted to use. */
const triedContexts = new WeakMap<RunContext, Map<string, Promise<Context>>>();

/** Ranges of amounts before those of all checks, and before that of the preflight, which stands at -1. */
const placesOfContexts = { last: -2, count: 700 } as const;

/**
 * Controls of contexts are nobody's own: their bodies and amounts follow from what they are, and not from which check
 * asked first. Where two of them have the same amounts, the one that is refused as a duplicate takes its next one.
 */
const senderOf = (run: RunContext, key: string): CheckContext =>
  run.contextFor(`contexts/${key}`, placesOfContexts.last - (numberFrom(key) % placesOfContexts.count));

/**
 * What of a context the bank takes without any fault. A bank may have no companies, or no payments from cards: what it
 * refuses then proves nothing, so that the context is left out, and told of once. Each is tried once in a run.
 */
export function contextTakenBy(context: CheckContext, of: Subject, values: Context): Promise<Context> {
  if (values.length === 0) return Promise.resolve(values);
  const tried = triedContexts.get(context.run) ?? new Map<string, Promise<Context>>();
  triedContexts.set(context.run, tried);
  const key = `${of.payment?.product.creation ?? of.title} ${describeContext(values)}`;
  const known = tried.get(key) ?? taken(context, plainest(of), values, senderOf(context.run, key));
  tried.set(key, known);
  return known;
}

/** Whether a bank takes a context does not depend on what a check has decided. */
const plainest = (of: Subject): Subject => (of.payment === undefined ? of : aPayment(of.payment.product));

async function taken(
  context: CheckContext,
  of: Subject,
  values: Context,
  sender: CheckContext,
): Promise<Context> {
  const refusal = await refusalIn(sender, of, values);
  if (refusal === undefined) return values;
  // One after the other, as long as the bank goes along. All of them are what it has just refused.
  let left: Context = [];
  for (const value of values) {
    const more = [...left, value];
    if (more.length === values.length) break;
    left = (await contextTakenBy(context, of, more)).length === more.length ? more : left;
  }
  const refused = values.filter((value) => !left.includes(value));
  context.note(
    `Nothing is sent ${describeContext(refused)}: ${of.title} without any fault was answered ${refusal}.`,
  );
  return left;
}

/** Why the bank does not take a context; undefined where it does. What it has seen before it may refuse once. */
async function refusalIn(
  sender: CheckContext,
  of: Subject,
  values: Context,
  attempts = 2,
): Promise<string | undefined> {
  const [drawn = {}] = fc.sample(bodiesIn(values, of, sender), { seed: sender.seed + attempts, numRuns: 1 });
  const base = bodyIn(values, drawn, sender);
  try {
    const answer = await sendIn(values, sender, of, base, {}, `control ${describeContext(values)}`);
    // A request for SCA says nothing of what comes after it.
    if (answer.isSuccess) return undefined;
    return attempts > 1 ? refusalIn(sender, of, values, attempts - 1) : describeAnswer(answer);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    return `not at all: ${error.message}`;
  }
}
