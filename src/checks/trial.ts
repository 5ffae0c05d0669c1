import fc from 'fast-check';
import type { JsonObject } from '../payloads/json.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Call, Variation } from '../tpp/call.ts';
import type { Exchange } from '../tpp/exchange.ts';
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
  readonly call?: (call: Call, context: CheckContext) => Call;
  readonly request?: Variation | ((context: CheckContext) => Variation | Promise<Variation>);
  /** The header or field at fault, to tell whether a refusal points at it. */
  readonly points?: string;
}

type Control = Subject | 'none' | 'one-of-the-twists';

interface TrialDefinition extends Pick<CheckDefinition, 'id' | 'title' | 'requirements' | 'levelUnder'> {
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
  trial({ expected: accepted(), control: 'none', ...definition, twists: [{ label: 'as it is drawn' }] });

function trial(definition: TrialDefinition & { readonly expected: Expectation }): Check {
  const { of, twists, expected, control = of, cases, ...rest } = definition;
  return check({
    ...rest,
    needs: definition.needs ?? [],
    steps: stepsOf(definition),
    expected: expected.text,
    async run(context) {
      if (typeof control === 'object') await mustGoThrough(context, control);
      const count = Math.max(twists.length, Math.min(context.world.runs, cases ?? Number.POSITIVE_INFINITY));
      context.cases = count;
      const bodies = fc.sample(of.bodies(context), { seed: context.seed, numRuns: count });
      const results = await Promise.all(
        bodies.map((body, index) =>
          judgeCase(context, definition, body, twists[index % twists.length] as Twist),
        ),
      );
      if (control === 'one-of-the-twists') oneMustGoThrough(of, results);
      const failing = results.findIndex((result) => !result.met);
      context.evidence = results.slice(0, 1).map(({ answer }) => answer.exchange);
      if (failing >= 0) await fail(context, definition, failing);
    },
  });
}

interface CaseResult {
  readonly met: boolean;
  readonly answer: Answer;
  readonly sent: JsonObject;
}

/** One case. What died on the way and was tried again may look like a duplicate, so it is judged with a fresh payment. */
async function judgeCase(
  context: CheckContext,
  { of, expected, control = of }: TrialDefinition & { readonly expected: Expectation },
  body: JsonObject,
  twist: Twist,
): Promise<CaseResult> {
  for (let round = 1; ; round += 1) {
    const base = round === 1 ? body : refreshed(context, of);
    const sent = twist.body?.(base) ?? base;
    const plain = await of.call(context, sent);
    const call = twist.call?.(plain, context) ?? plain;
    const request = typeof twist.request === 'function' ? await twist.request(context) : twist.request;
    const answer = await context.call(call, request, twist.label);
    if (expected.met(answer, context.readings)) {
      noteTheReason(context, answer, twist);
      return { met: true, answer, sent };
    }
    if (answer.asksForSca && expected.scaIsAnAnswer !== true) await ruleOutSca(context, control);
    if (!answer.afterTrouble) return { met: false, answer, sent };
    if (round === 3) throw new Inconclusive('The request died on the way and had to be repeated each time.');
  }
}

const refreshed = (context: CheckContext, of: Subject): JsonObject =>
  fc.sample(of.bodies(context), 1)[0] ?? {};

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

export async function mustGoThrough(context: CheckContext, control: Subject): Promise<Answer> {
  const answer = await sendPlain(context, control);
  if (wentThrough(answer, context.readings)) return answer;
  const again = answer.afterTrouble ? await sendPlain(context, control) : answer;
  if (wentThrough(again, context.readings)) return again;
  throw new Inconclusive(
    `The control was refused: ${control.title} without any fault was answered ${describeAnswer(again)}. A refusal of the faulty one would prove nothing.`,
  );
}

function oneMustGoThrough(of: Subject, results: readonly CaseResult[]): void {
  const [first] = results;
  if (first === undefined || results.some(({ met }) => met)) return;
  throw new Inconclusive(
    `The control was refused: ${of.title} was answered ${describeAnswer(first.answer)} in each of its forms.`,
  );
}

async function sendPlain(context: CheckContext, subject: Subject): Promise<Answer> {
  const [body = {}] = fc.sample(subject.bodies(context), { seed: context.seed + 1, numRuns: 1 });
  return context.call(await subject.call(context, body), {}, 'control');
}

async function fail(
  context: CheckContext,
  definition: TrialDefinition & { readonly expected: Expectation },
  index: number,
): Promise<never> {
  const { of, twists, expected } = definition;
  const twist = twists[index % twists.length] as Twist;
  let last: CaseResult | undefined;
  const path = await smallestCounterexample(of.bodies(context), context.seed, index, async (body) => {
    const result = await judgeCase(context, definition, body, twist);
    if (!result.met) last = result;
    return result.met;
  });
  if (last === undefined)
    throw new Inconclusive(`The bank answered differently when the case was tried again: ${twist.label}.`);
  context.counterexample = { value: JSON.stringify(last.sent, undefined, 2), path };
  context.evidence = evidenceOf(context, last.answer.exchange);
  throw new ExpectationFailed(`${expected.text} when ${twist.label}`, describeAnswer(last.answer));
}

function evidenceOf(context: CheckContext, failing: Exchange): Exchange[] {
  const control = context.exchanges.find(({ purpose }) => purpose === 'control');
  return control === undefined ? [failing] : [control, failing];
}

/** Where the answer points at something else than the fault, the report says so; it changes no verdict. */
function noteTheReason(context: CheckContext, answer: Answer, { points }: Twist): void {
  if (points === undefined || answer.isSuccess) return;
  const pointed = answer.messages.map(({ path }) => path).filter((path) => path !== undefined && path !== '');
  const last = points.split('.').at(-1) ?? points;
  if (pointed.length > 0 && !pointed.some((path) => path?.toLowerCase().includes(last.toLowerCase()))) {
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
