import fc from 'fast-check';
import type { JsonObject } from '../payloads/json.ts';
import type { PaymentFacts } from '../payloads/payment-parts.ts';
import { remittanceFields } from '../spec/bodies/domestic-payment.ts';
import type { Readings } from '../spec/interpretations.ts';
import { isObject } from '../spec/json.ts';
import type { Target } from '../target/target.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Call, Variation } from '../tpp/call.ts';
import type { RequestDraft } from '../tpp/signing-plan.ts';
import type { CheckContext } from './context.ts';
import { type Context, type Dimension, describeContext } from './contexts.ts';
import { describeAnswer, type Expectation, wentThrough } from './expectation.ts';
import { bodyIn, callIn, subjectIn, variationIn, writtenIn } from './in-context.ts';
import { AnswersInRun } from './kept-in-run.ts';
import { Inconclusive } from './outcomes.ts';
import { drawCall, type Subject } from './subject.ts';
import { repeatedAfterSca } from './through-sca.ts';

/** What is different about a request: its body, the request before or after signing, or the call itself. */
export interface Twist {
  /** The end of a sentence: `creditorName is missing`. */
  readonly label: string;
  /** Whom else can be paid stands in the facts. */
  readonly body?: (body: JsonObject, facts: PaymentFacts) => JsonObject;
  /**
   * Left out where the readings of the target do not judge it, or the target has nothing to try it with, or it is not the
   * time by the bank's clock.
   */
  readonly under?: (readings: Readings, target: Target, now: Date) => boolean;
  readonly call?: (call: Call, context: CheckContext) => Call;
  readonly request?: Variation | ((context: CheckContext) => Variation | Promise<Variation>);
  /** Of a long list of its kind it is one that is tried in every context. */
  readonly standsForOthers?: true;
  /** Of a long list it is one of many that are right or wrong in the same way: one context will do, and one product. */
  readonly isOneOfMany?: true;
  /** Whose turn it is to be asked it, where lists share their values among them; else it follows from its place in the list. */
  readonly turn?: number;
  /** What it breaks, where the twists of a check break different requirements: a failure is laid to this one alone. */
  readonly requirement?: string;
  /** The header or field at fault, to tell whether a refusal points at it. */
  readonly points?: string;
  /** What was sent as it would be without the fault, where the twist changes more than that: another currency. */
  readonly without?: (sent: JsonObject) => JsonObject;
  /** The same value in another payment: a bank may have reasons of its own against the first. Accepted in one, it is right. */
  readonly otherwise?: Twist;
  /** Where all of these are refused as well, the bank has a reason of its own, and is not judged by the value. */
  readonly excusedBy?: (target: Target) => readonly Twist[];
  /** The same oddity without the fault. Where it gets the same refusal, the fault was not what was looked at. */
  readonly controlVariation?: Variation;
}

/** What is asked of a kind of request, value by value. */
export interface TwistList {
  /** Each of them is tried at least once. */
  readonly twists: readonly Twist[];
  /**
   * The same list is asked of several kinds of requests: what is one of many is asked of one of them, which is another one
   * with the next seed.
   */
  readonly sharesList?: { readonly place: number; readonly among: number };
}

/** What of a list is judged at this target, and is the part of this kind of request. */
export const askedOf = (
  { twists, sharesList: { place, among } = { place: 0, among: 1 } }: TwistList,
  { readings, target, run, client }: CheckContext,
): readonly Twist[] =>
  twists
    .filter(({ under }) => under?.(readings, target, client.clock.now()) ?? true)
    .filter(
      ({ isOneOfMany, turn }, index) =>
        isOneOfMany !== true || ((turn ?? index) + run.seed) % among === place,
    );

export type Control = Subject | 'none' | 'one-of-the-twists';

/** What all cases of a check have in common. */
export interface Question {
  readonly of: Subject;
  readonly expected: Expectation;
  /**
   * A request that must go through for the verdict to count; `none` when that is the question itself. Where the twists
   * are alternatives to each other, such as a header present and absent, `one-of-the-twists` must.
   */
  readonly control?: Control;
  /** All that the check tries: where these are alternatives, one of them is the control of another. */
  readonly twists?: readonly Twist[];
  /** Dimensions of the context that are what the check is about, and so are not varied. */
  readonly fixed?: readonly Dimension[];
}

/** One twist, in one context, with one drawn body. */
export interface Case {
  readonly twist: Twist;
  readonly values: Context;
  /** Its number among the cases of the check, which is also the path that draws its body again. */
  readonly index: number;
}

export interface CaseResult {
  readonly met: boolean;
  readonly answer: Answer;
  /** As it was drawn, the same in its context, and what was sent instead. */
  readonly drawn: JsonObject;
  readonly base: JsonObject;
  readonly sent: JsonObject;
  /** The context in which it was sent: what does not go with the twist is left out. */
  readonly values: Context;
}

/** The bodies of a kind of request in a context. */
export function bodiesIn(values: Context, of: Subject, context: CheckContext): fc.Arbitrary<JsonObject> {
  const optional = values.find((value) => value.optional !== undefined)?.optional;
  return optional === undefined || of.payment === undefined
    ? of.bodies(context)
    : of.payment.bodiesWith(context, optional);
}

/** The body of a case; drawn again it is the same with another amount. */
export const drawnFor = (context: CheckContext, of: Subject, { values, index }: Omit<Case, 'twist'>) =>
  fc.sample(bodiesIn(values, of, context), { seed: context.seed, path: String(index), numRuns: 1 })[0] ?? {};

/** On a way where one request in ten dies, one case in a million has to be repeated each time. */
const mostDraws = 6;

/**
 * One case. A refusal may be that of a duplicate: of its own first attempt, when a request died on the way and was
 * tried again, or of a payment of an earlier run. So it is judged with a fresh payment, where `again` draws one.
 */
export async function judgeCase(
  context: CheckContext,
  question: Question,
  { twist, values }: Pick<Case, 'twist' | 'values'>,
  body: JsonObject,
  again?: () => JsonObject,
): Promise<CaseResult> {
  const { of, expected, control = of } = question;
  let drawn = body;
  for (let round = 1; ; round += 1) {
    const { answer, ...sent } = await sendTwisted(context, question, twist, values, drawn);
    const met = expected.met(answer, context.readings);
    if (
      !met &&
      typeof control === 'object' &&
      (await isRefusedInThisContext(context, question, control, sent, answer))
    ) {
      return judgeCase(context, question, { twist, values: [] }, again?.() ?? drawn, again);
    }
    const ofAnEarlierRun = !met && round === 1 && again !== undefined && expected.isAcceptance === true;
    const through = wentThrough(answer, context.readings);
    if (through || !(answer.afterTrouble || ofAnEarlierRun)) {
      const other = met || again === undefined ? undefined : otherwiseIn(context, twist);
      const otherwise =
        other && (await judgeCase(context, question, { twist: other, values }, again?.() ?? drawn, again));
      if (otherwise?.met === true) return otherwise;
      if (!met && again !== undefined && (await isExcused(context, question, twist, again))) {
        context.note(
          `A refusal is not judged where ${twist.label}: the bank refuses the like of it as well.`,
        );
        return { met: true, answer, drawn, ...sent };
      }
      if (met) noteTheReason(context, answer, twist);
      if (through && round > 1) context.note('What was refused at first went through with another amount.');
      return { met, answer, drawn, ...sent };
    }
    if (again === undefined || round === mostDraws) {
      throw new Inconclusive('The request died on the way and had to be repeated each time.');
    }
    drawn = again();
  }
}

const excuses = new AnswersInRun<string, boolean>();

function isExcused(
  context: CheckContext,
  question: Question,
  { excusedBy }: Twist,
  again: () => JsonObject,
): Promise<boolean> {
  const alike = excusedBy?.(context.target) ?? [];
  const areAllRefused = async (): Promise<boolean> => {
    for (const twist of alike)
      if ((await judgeCase(context, question, { twist, values: [] }, again(), again)).met) return false;
    return alike.length > 0;
  };
  const labels = alike.map(({ label }) => label);
  return excuses.of(context.run, [question.of.title, ...labels].join('\n'), areAllRefused);
}

/** The same value in another payment, where that can be sent to this bank. */
export const otherwiseIn = (
  { readings, target, facts }: CheckContext,
  { otherwise }: Twist,
): Twist | undefined =>
  otherwise?.under === undefined || otherwise.under(readings, target, facts.now) ? otherwise : undefined;

type Sent = Pick<CaseResult, 'answer' | 'base' | 'sent' | 'values'>;

async function sendTwisted(
  context: CheckContext,
  question: Question,
  twist: Twist,
  wanted: Context,
  drawn: JsonObject,
): Promise<Sent> {
  const { of } = question;
  const request = typeof twist.request === 'function' ? await twist.request(context) : twist.request;
  const values = await compatible(context, question, twist, request, wanted, drawn);
  const base = bodyIn(values, drawn, context);
  const use = question.expected.isAcceptance === true ? 'fresh' : 'spare';
  const asked = subjectIn(values, of);
  const plain = callIn(
    values,
    await asked.call(context, twist.body?.(base, context.facts) ?? base, use),
    context,
  );
  const twisted = twist.call?.(plain, context) ?? plain;
  const sent = isObject(twisted.body) ? (twisted.body as JsonObject) : base;
  const call = writtenIn(values, twisted);
  const { variation: watchedRequest, wasIdle } = watched(request ?? {});
  const variation = variationIn(values, watchedRequest);
  const first = await context.call(call, variation, twist.label);
  if (first.status >= 400 && first.status < 500 && !first.asksForSca) asked.takeBack?.(context, plain);
  // In this context the twist changes nothing, so that there was nothing to judge.
  if (values.length > 0 && wasIdle()) return sendTwisted(context, question, twist, [], drawn);
  const second = isBesideThePoint(context, question, first)
    ? await context.call(call, variation, `${twist.label}, once more`)
    : first;
  const answer = await pastSca(context, question, second, call, variation, twist.label);
  return { answer, base, sent, values };
}

/** Leaves out of a context what the twist, or the check as a whole, decides by itself. */
async function compatible(
  context: CheckContext,
  { of, expected, fixed = [] }: Question,
  twist: Twist,
  { signing = {} }: Variation = {},
  values: Context,
  drawn: JsonObject,
): Promise<Context> {
  const decided = new Set<Dimension>(fixed);
  if (signing.digest !== undefined) decided.add('digest');
  if (of.payment !== undefined && values.length > 0) {
    const plain = await of.call(context, twist.body?.(drawn, context.facts) ?? drawn);
    const usual = twist.call?.(plain, context) ?? plain;
    if (usual.psu !== plain.psu) decided.add('psu').add('psuContext');
    const isAcceptance = expected.isAcceptance === true;
    const seen = isAcceptance ? asItIs : withoutCurrency;
    if (isTouched(drawn, usual, ['debtorAccount'], seen)) {
      decided.add('debtor');
      // What is right goes with its holder, and so does an account that the twist names by itself.
      if (isAcceptance || twist.call !== undefined) decided.add('psu');
    }
    if (isTouched(drawn, usual, remittanceFields)) decided.add('remittance');
    if (isTouched(drawn, usual, ['instructedAmount'])) decided.add('amount');
    if (isTouched(drawn, usual, ['creditorAccount', 'creditorAgent'], seen)) decided.add('creditor');
    if (usual.query !== plain.query) decided.add('query');
  }
  return values.filter(({ dimension }) => !decided.has(dimension));
}

const asItIs = (value: unknown): unknown => value;

/** A wrong currency is the same fault in every form of an account. */
const withoutCurrency = (account: unknown): unknown =>
  isObject(account) ? { ...account, currency: undefined } : account;

function isTouched(
  drawn: JsonObject,
  { body }: Call,
  fields: readonly string[],
  seen: (value: unknown) => unknown = asItIs,
): boolean {
  if (typeof body !== 'object' || body === null || Buffer.isBuffer(body)) return false;
  const changed = body as JsonObject;
  return fields.some((field) => JSON.stringify(seen(drawn[field])) !== JSON.stringify(seen(changed[field])));
}

/** Tells whether a change after signing was none. */
function watched(variation: Variation): { readonly variation: Variation; readonly wasIdle: () => boolean } {
  const { afterSigning } = variation;
  let isIdle = false;
  const watchedOne = (draft: RequestDraft): void => {
    const before = wireText(draft);
    afterSigning?.(draft);
    isIdle = wireText(draft) === before;
  };
  return {
    variation: afterSigning === undefined ? variation : { ...variation, afterSigning: watchedOne },
    wasIdle: () => isIdle,
  };
}

const wireText = ({ method, target, headers, body }: RequestDraft): string =>
  JSON.stringify([method, target, headers.lines(), body?.toString('latin1')]);

/** Sends a valid request in a context. */
export async function sendIn(
  values: Context,
  context: CheckContext,
  of: Subject,
  base: JsonObject,
  variation: Variation = {},
  purpose = 'control',
): Promise<Answer> {
  const call = callIn(values, await subjectIn(values, of).call(context, base), context);
  return context.call(writtenIn(values, call), variationIn(values, variation), purpose);
}

/** What is refused without the twist as well, and only in this context, is no matter of the twist. */
async function isRefusedInThisContext(
  context: CheckContext,
  { of }: Question,
  control: Subject,
  { base, values }: Pick<Sent, 'base' | 'values'>,
  answer: Answer,
): Promise<boolean> {
  if (values.length === 0 || answer.isSuccess) return false;
  // Where the control is of another kind, what is asked about is the difference between the two.
  const body =
    control === of ? base : bodyIn(values, drawnFor(context, control, { values, index: 0 }), context);
  const without = await sendIn(values, context, control, body, {}, 'the same without the fault');
  if (without.isSuccess) return false;
  context.note(
    `Not judged ${describeContext(values)}: there the bank answers ${describeAnswer(without)} without the fault as well.`,
  );
  return true;
}

/**
 * SCA may be required on any transaction (PSU identification and SCA): a bank that asks for it now and then says nothing
 * about the fault, and comes to it when the request is sent once more.
 */
const isBesideThePoint = (
  { readings }: CheckContext,
  { of, expected, control = of }: Question,
  answer: Answer,
) =>
  answer.asksForSca &&
  expected.scaIsAnAnswer !== true &&
  !expected.met(answer, readings) &&
  typeof control !== 'string';

/** A bank that asks for SCA before it looks at a request says nothing about the fault. */
async function pastSca(
  context: CheckContext,
  question: Question,
  answer: Answer,
  call: Call,
  variation: Variation,
  purpose: string,
): Promise<Answer> {
  const { of, control = of } = question;
  if (!isBesideThePoint(context, question, answer) || typeof control === 'string') return answer;
  const plain = await sendPlain(context, control);
  if (plain.asksForSca) return beyondSca(context, answer, call, variation, purpose);
  // A session ends at some time, and another check may have begun it anew just now: the control was sent in that one.
  const behind = await context.call(call, variation, `${purpose}, behind the control`);
  if (!isBesideThePoint(context, question, behind)) return behind;
  // A company has a session of its own, of which the control says nothing.
  return (await repeatedAfterSca(context, behind, call, variation, purpose)) ?? behind;
}

/** What such a bank says once the PSU has passed the SCA that it asks for. */
async function beyondSca(
  context: CheckContext,
  first: Answer,
  call: Call,
  variation: Variation,
  purpose: string,
): Promise<Answer> {
  const answer = await repeatedAfterSca(context, first, call, variation, purpose);
  if (answer !== undefined && !answer.asksForSca) return answer;
  throw new Inconclusive(
    'The bank asks for SCA before it looks at the request: give a PSU-ID and session that are authorised (psu in the target file), or psu.sca form or module and psu.nationalId, by which it is passed.',
  );
}

/** A request of a kind without any fault. */
export async function sendPlain(context: CheckContext, subject: Subject, round = 1): Promise<Answer> {
  return context.call(await drawCall(context, subject, round), {}, 'control');
}

/** Where the answer points at something else than the fault, the report says so; it changes no verdict. */
function noteTheReason(context: CheckContext, answer: Answer, { points }: Twist): void {
  if (points === undefined || answer.isSuccess) return;
  const pointed = answer.messages.map(({ path }) => path).filter((path) => path !== undefined && path !== '');
  // Of a list, the answer names the element: references[0] for what is in references[].
  const last = (points.split('.').at(-1) ?? points).replace(/\[\]$/, '');
  if (pointed.length > 0 && !pointed.some((path) => path?.toLowerCase().includes(last.toLowerCase()))) {
    context.pointsElsewhere = true;
    context.note(
      `Perhaps refused for another reason: the answer points at ${pointed.join(', ')}, the fault is in ${points}.`,
    );
  }
}
