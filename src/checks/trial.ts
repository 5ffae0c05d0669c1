import fc from 'fast-check';
import type { JsonObject } from '../payloads/json.ts';
import type { Readings } from '../spec/interpretations.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Target } from '../target/target.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Call, Variation } from '../tpp/call.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { NoAnswerError } from '../tpp/no-answer.ts';
import { type Check, type CheckDefinition, check } from './check.ts';
import type { CheckContext } from './context.ts';
import { accepted, describeAnswer, type Expectation, refused, wentThrough } from './expectation.ts';
import { ExpectationFailed, Inconclusive } from './outcomes.ts';
import { smallestCounterexample } from './shrinking.ts';
import type { Subject } from './subject.ts';

/** What is different about a request: its body, the request before or after signing, or the call itself. */
export interface Twist {
  /** The end of a sentence: `creditorName is missing`. */
  readonly label: string;
  readonly body?: (body: JsonObject) => JsonObject;
  /** Left out where the readings of the target do not judge it, or the target has nothing to try it with. */
  readonly under?: (readings: Readings, target: Target) => boolean;
  readonly call?: (call: Call, context: CheckContext) => Call;
  readonly request?: Variation | ((context: CheckContext) => Variation | Promise<Variation>);
  /** The header or field at fault, to tell whether a refusal points at it. */
  readonly points?: string;
  /** The same oddity without the fault. Where it gets the same refusal, the fault was not what was looked at. */
  readonly controlVariation?: Variation;
}

type Control = Subject | 'none' | 'one-of-the-twists';

interface TrialDefinition
  extends Pick<CheckDefinition, 'id' | 'title' | 'requirement' | 'others' | 'levelUnder'> {
  readonly of: Subject;
  readonly needs?: readonly Capability[];
  /** Each of them is tried at least once. */
  readonly twists: readonly Twist[];
  readonly expected?: Expectation;
  /** At most so many cases, where a run's number would be more than the question needs. */
  readonly cases?: number;
  /**
   * A request that must go through for the verdict to count; `none` when that is the question itself. Where the twists
   * are alternatives to each other, such as a header present and absent, `one-of-the-twists` must.
   */
  readonly control?: Control;
}

/** A check that each twist makes the bank refuse. Its control is the same kind of request without the twist. */
export const refuses = (definition: TrialDefinition): Check => trial({ expected: refused(), ...definition });

/** A check that each twist is accepted. */
export const accepts = (definition: TrialDefinition): Check => trial({ expected: accepted(), ...definition });

/** A check that valid requests of a kind are accepted, whatever their optional parts. */
export const acceptsEvery = (definition: Omit<TrialDefinition, 'twists'>): Check =>
  trial({ expected: accepted(), control: 'none', ...definition, twists: [{ label: 'everything is valid' }] });

function trial(whole: TrialDefinition & { readonly expected: Expectation }): Check {
  const { of, twists: _, expected, control = of, cases, ...rest } = whole;
  return check({
    ...rest,
    needs: whole.needs ?? [],
    steps: stepsOf(whole),
    expected: expected.text,
    async run(context) {
      const judged = whole.twists.filter(({ under }) => under?.(context.readings, context.target) ?? true);
      const twists = chosenTwists(judged, context);
      const definition = { ...whole, twists };
      if (typeof control === 'object') {
        context.control = () => plainAnswer(context, control);
        await controlBy(context, control);
      }
      const count = Math.max(twists.length, Math.min(context.run.runs, cases ?? Number.POSITIVE_INFINITY));
      context.cases = count;
      const bodies = fc.sample(of.bodies(context), { seed: context.seed, numRuns: count });
      const settled = await Promise.allSettled(
        bodies.map((body, index) =>
          judgeCase(context, definition, body, twists[index % twists.length] as Twist, () =>
            drawnAgain(context, of, index),
          ),
        ),
      );
      const results = completeOnes(settled);
      if (control === 'one-of-the-twists') oneMustGoThrough(of, [...results.values()]);
      const [first] = results.values();
      if (first !== undefined) context.evidence = evidenceOf(context, first.answer.exchange);
      const failing = [...results].find(([, { met }]) => !met);
      if (failing !== undefined) await fail(context, definition, failing[0]);
      // Where no case failed, one without an answer leaves the verdict open.
      for (const result of settled) if (result.status === 'rejected') throw result.reason;
    },
  });
}

/** All of them, unless the run is one of many: then some that are spread over the list, others with every seed. */
function chosenTwists(twists: readonly Twist[], { run, seed }: CheckContext): readonly Twist[] {
  const most = run.mostTwists ?? twists.length;
  if (twists.length <= most) return twists;
  const offset = seed % twists.length;
  return Array.from({ length: most }, (_, index) => {
    const place = (offset + Math.floor((index * twists.length) / most)) % twists.length;
    return twists[place] as Twist;
  });
}

/** The cases that came to an answer, by their index. Only what says nothing about the bank may be missing. */
function completeOnes(settled: readonly PromiseSettledResult<CaseResult>[]): ReadonlyMap<number, CaseResult> {
  const complete = new Map<number, CaseResult>();
  for (const [index, result] of settled.entries()) {
    if (result.status === 'fulfilled') complete.set(index, result.value);
    else if (!saysNothing(result.reason)) throw result.reason;
  }
  return complete;
}

const saysNothing = (error: unknown): boolean =>
  error instanceof Inconclusive || error instanceof NoAnswerError;

interface CaseResult {
  readonly met: boolean;
  readonly answer: Answer;
  /** The valid body, and what was sent instead. */
  readonly base: JsonObject;
  readonly sent: JsonObject;
}

/** On a way where one request in ten dies, one case in a million has to be repeated each time. */
const mostDraws = 6;

/**
 * One case. A refusal may be that of a duplicate: of its own first attempt, when a request died on the way and was
 * tried again, or of a payment of an earlier run. So it is judged with a fresh payment, where `again` draws one.
 */
async function judgeCase(
  context: CheckContext,
  { of, expected, control = of }: TrialDefinition & { readonly expected: Expectation },
  body: JsonObject,
  twist: Twist,
  again?: () => JsonObject,
): Promise<CaseResult> {
  let base = body;
  for (let round = 1; ; round += 1) {
    const sent = twist.body?.(base) ?? base;
    const plain = await of.call(context, sent);
    const call = twist.call?.(plain, context) ?? plain;
    const request = typeof twist.request === 'function' ? await twist.request(context) : twist.request;
    const answer = await context.call(call, request, twist.label);
    const met = expected.met(answer, context.readings);
    if (!met && answer.asksForSca && expected.scaIsAnAnswer !== true) await ruleOutSca(context, control);
    const ofAnEarlierRun = !met && round === 1 && again !== undefined && expected.isAcceptance === true;
    const through = wentThrough(answer, context.readings);
    if (through || !(answer.afterTrouble || ofAnEarlierRun)) {
      if (met) noteTheReason(context, answer, twist);
      if (through && round > 1) context.note('What was refused at first went through with another amount.');
      return { met, answer, base, sent };
    }
    if (again === undefined || round === mostDraws) {
      throw new Inconclusive('The request died on the way and had to be repeated each time.');
    }
    base = again();
  }
}

/** The same case with another amount. */
const drawnAgain = (context: CheckContext, of: Subject, index: number): JsonObject =>
  fc.sample(of.bodies(context), { seed: context.seed, path: String(index), numRuns: 1 })[0] ?? {};

/** A bank that asks for SCA before it looks at a request says nothing about the fault. */
async function ruleOutSca(context: CheckContext, control: Control): Promise<void> {
  if (typeof control === 'string') return;
  const answer = await sendPlain(context, control);
  if (answer.asksForSca) {
    throw new Inconclusive(
      'The bank asks for SCA before it looks at the request: give a PSU-ID and session that are authorised (psu in the target file).',
    );
  }
}

/** Controls differ in their optional parts; one that goes through is enough, since the fault is in none of them. */
const controls = 3;

/** Sends the control, unless its like has gone through already and this bank is one of many. */
export async function controlBy(context: CheckContext, control: Subject): Promise<void> {
  const { knownControls } = context.run;
  if (knownControls?.has(control.title) === true) return;
  await mustGoThrough(context, control);
  knownControls?.add(control.title);
}

export async function mustGoThrough(context: CheckContext, control: Subject): Promise<Answer> {
  for (let round = 1; ; round += 1) {
    const answer = await sendPlain(context, control, round);
    if (wentThrough(answer, context.readings)) return answer;
    const told = `${control.title} without any fault was answered ${describeAnswer(answer)}`;
    if (round === controls) {
      throw new Inconclusive(
        `The control was refused: ${told}. A refusal of the faulty one would prove nothing.`,
      );
    }
    context.note(`A control was refused: ${told}.`);
  }
}

function oneMustGoThrough(of: Subject, results: readonly CaseResult[]): void {
  const [first] = results;
  if (first === undefined || results.some(({ met }) => met)) return;
  throw new Inconclusive(
    `The control was refused: ${of.title} was answered ${describeAnswer(first.answer)} in each of its forms.`,
  );
}

/** The control where it is asked whether the bank is there: it has to go through as it is. */
async function plainAnswer(context: CheckContext, control: Subject): Promise<Answer> {
  const [body = {}] = fc.sample(control.bodies(context), { seed: context.seed + 1, numRuns: 1 });
  return context.client.call(await control.call(context, body), {}, 'control');
}

async function sendPlain(context: CheckContext, subject: Subject, round = 1): Promise<Answer> {
  const [body = {}] = fc.sample(subject.bodies(context), { seed: context.seed + round, numRuns: 1 });
  return context.call(await subject.call(context, body), {}, 'control');
}

async function fail(
  context: CheckContext,
  definition: TrialDefinition & { readonly expected: Expectation },
  index: number,
): Promise<never> {
  const { of, twists, expected, control = of } = definition;
  const twist = twists[index % twists.length] as Twist;
  let last: CaseResult | undefined;
  let trouble: unknown;
  const path = await smallestCounterexample(
    of.bodies(context),
    context.seed,
    index,
    async (body) => {
      const again = last === undefined ? () => drawnAgain(context, of, index) : undefined;
      try {
        const result = await judgeCase(context, definition, body, twist, again);
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
  if (last === undefined)
    throw new Inconclusive(`The bank answered differently when the case was tried again: ${twist.label}.`);
  if (!last.answer.isSuccess) await refusedForTheFault(context, definition, last, twist);
  const shown =
    control === of && !last.answer.isSuccess
      ? await refusedForTheTwist(context, definition, last, twist)
      : last;
  context.counterexample = { value: readable(shown.answer.exchange.request.body), path };
  context.evidence = evidenceOf(context, shown.answer.exchange);
  throw new ExpectationFailed(`${expected.text} when ${twist.label}`, describeAnswer(shown.answer));
}

async function refusedForTheFault(
  context: CheckContext,
  { of }: TrialDefinition,
  { base, answer }: CaseResult,
  { controlVariation, label }: Twist,
): Promise<void> {
  if (controlVariation === undefined) return;
  const other = await context.call(
    await of.call(context, base),
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
  definition: TrialDefinition & { readonly expected: Expectation },
  smallest: CaseResult,
  twist: Twist,
): Promise<CaseResult> {
  const { of } = definition;
  // Drawn together, because the first of a sample is likely to have values from the ends of their lists.
  const others = fc
    .sample(of.bodies(context), { seed: context.seed + 1, numRuns: 2 * controls })
    .slice(controls);
  let shown = smallest;
  let refusal = '';
  for (const next of [...others, undefined]) {
    const answer = await context.call(await of.call(context, shown.base), {}, 'the same without the fault');
    if (wentThrough(answer, context.readings)) return shown;
    refusal = describeAnswer(answer);
    if (next === undefined) break;
    const result = await judgeCase(context, definition, next, twist);
    if (result.met) break;
    shown = result;
  }
  throw new Inconclusive(
    `The control was refused: the same request was answered ${refusal} without this as well: ${twist.label}.`,
  );
}

/** What shows a verdict: the control, where there is one, and the exchange that it falls on. */
export function evidenceOf(context: CheckContext, failing: Exchange): Exchange[] {
  const control = context.exchanges.find(({ purpose }) => purpose === 'control');
  return control === undefined ? [failing] : [control, failing];
}

/** Where the answer points at something else than the fault, the report says so; it changes no verdict. */
function noteTheReason(context: CheckContext, answer: Answer, { points }: Twist): void {
  if (points === undefined || answer.isSuccess) return;
  const pointed = answer.messages.map(({ path }) => path).filter((path) => path !== undefined && path !== '');
  const last = points.split('.').at(-1) ?? points;
  if (pointed.length > 0 && !pointed.some((path) => path?.toLowerCase().includes(last.toLowerCase()))) {
    context.pointsElsewhere = true;
    context.note(
      `Perhaps refused for another reason: the answer points at ${pointed.join(', ')}, the fault is in ${points}.`,
    );
  }
}

function stepsOf({ of, twists, control = of }: TrialDefinition): readonly string[] {
  const labels = twists.map(({ label }) => label);
  const shown =
    labels.length <= 4
      ? labels.join('; ')
      : `${labels.slice(0, 3).join('; ')}; and ${labels.length - 3} more`;
  return [
    ...(typeof control === 'object'
      ? [`Send ${control.title} without any fault, as control: it must go through.`]
      : []),
    `Send ${of.title} in which ${shown}.${control === 'one-of-the-twists' ? ' One of them must go through.' : ''}`,
  ];
}
