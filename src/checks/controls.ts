import fc from 'fast-check';
import { numberFrom } from '../payloads/amounts.ts';
import { parsedJson, textAt } from '../spec/json.ts';
import { fundsForARun } from '../target/accounts.ts';
import type { Answer } from '../tpp/answer.ts';
import { NoAnswerError } from '../tpp/exchange.ts';
import { unlessThereBefore } from './absence.ts';
import { mustHaveBaskets } from './basket-path.ts';
import { bodiesIn, sendIn, sendPlain } from './case.ts';
import type { CheckContext, RunContext } from './context.ts';
import { type Context, type ContextValue, describeContext, rowsOf } from './contexts.ts';
import { describeAnswer, wentThrough } from './expectation.ts';
import { bodyIn } from './in-context.ts';
import { KeptInRun } from './kept-in-run.ts';
import { Inconclusive, NotApplicable, NotOffered } from './outcomes.ts';
import { creditorIn, mustKnowTheCreditor } from './strangers.ts';
import { aPayment, aSimplePayment, type Subject } from './subject.ts';

/** Controls differ in their optional parts; one that goes through is enough, since the fault is in none of them. */
export const controls = 3;

/** What is asked of the bank on behalf of every check that wants to know. */
interface SharedQuestion {
  /** Nobody's own: bodies and amounts do not depend on which check asked first. */
  readonly sender: CheckContext;
  asked: number;
  latest: Promise<Answer> | undefined;
  /** On the clock of `performance.now`, until when the latest answer speaks for other checks. */
  validUntil: number;
}

const questions = new KeptInRun<string, SharedQuestion>();

/**
 * For so long an answer speaks for every check: the bank is there, and takes such requests. Not for a whole run: where a
 * session ends in the middle of it, refusals prove nothing any more.
 */
const answerLastsMs = 5_000;

/** How a question is asked: by whom, and how often it was asked before. */
type Ask = (sender: CheckContext, before: number) => Promise<Answer>;

/** The control of a check: that of another check, when it has just gone through, or else one of its own. */
export async function controlBy(context: CheckContext, control: Subject): Promise<void> {
  const { title, payment } = control;
  const kind = `controls/${title} ${JSON.stringify(payment?.decided ?? {})}`;
  await askedOnce(context, kind, (sender, before) => mustGoThrough(sender, control, before * controls));
}

/** The answer that another check has just got, or else one of its own. */
export async function askedOnce(context: CheckContext, question: string, ask: Ask): Promise<Answer> {
  const { run } = context;
  // What a check has found out about accounts is its own, and one that is begun again doubts what was answered before.
  if (context.target !== run.target || context.beginnings > 1) return ask(context, 0);
  const shared = sharedIn(run, question);
  const isAnothers = performance.now() < shared.validUntil;
  if (!isAnothers) askNow(shared, ask, run.answersLastMs);
  try {
    const answer = await (shared.latest ?? ask(context, 0));
    context.adopt(answer.exchange);
    // It counts with the check that asked first.
    if (!isAnothers) context.adopted -= 1;
    for (const note of shared.sender.notes) context.note(note);
    for (const profile of shared.sender.calledProfiles) context.calledProfiles.add(profile);
    return answer;
  } catch (error) {
    // One that came to nothing says nothing of the next.
    if (isAnothers) return ask(context, 0);
    throw error;
  }
}

const sharedIn = (run: RunContext, question: string): SharedQuestion =>
  questions.of(run, question, () => ({
    sender: senderOf(run, question),
    asked: 0,
    latest: undefined,
    validUntil: 0,
  }));

function askNow(shared: SharedQuestion, ask: Ask, lastsMs = answerLastsMs): void {
  const answer = ask(shared.sender, shared.asked);
  shared.asked += 1;
  shared.latest = answer;
  shared.validUntil = Number.POSITIVE_INFINITY;
  const isThere = (): void => {
    if (shared.latest === answer) shared.validUntil = performance.now() + lastsMs;
  };
  answer.then(isThere, isThere);
}

export async function mustGoThrough(context: CheckContext, control: Subject, earlier = 0): Promise<Answer> {
  for (let round = 1; ; round += 1) {
    const answer = await sendPlain(context, control, earlier + round);
    if (wentThrough(answer, context.readings)) return answer;
    if (control.referredTo !== undefined && answer.isAbsent) {
      const told = new NotOffered(
        `The bank does not offer what this needs: ${control.title} (${answer.status}).`,
      );
      throw unlessThereBefore(told, answer.exchange, context.run.observations);
    }
    await mustHaveBaskets(context, answer);
    const told = `${control.title} without any fault was answered ${describeAnswer(answer)}`;
    const excuse = control.excuse?.(context);
    if (round === controls && excuse !== undefined) throw new NotApplicable(`${told}. ${excuse}`);
    if (round === controls) await mustKnowTheCreditor(context, control.product, answer);
    if (round === controls) {
      throw new Inconclusive(
        `The control was refused: ${told}. A refusal of the faulty one would prove nothing.${aboutTheAccount(context, answer) ?? aboutNamedAccounts(context, answer) ?? aboutTheFunds(context, control)}`,
      );
    }
    context.note(`A control was refused: ${told}.`);
    context.amounts.skipSome();
  }
}

/**
 * A bank may not know whom a valid payment goes to. And a limit on payments, or the funds of the account, may be used up in
 * the middle of a run (Errors, insufficient funds: an error response): then the plainest request of its kind is refused as
 * well, and nothing was said about this one.
 */
export async function mustBeAbleToPay(context: CheckContext, of: Subject, refusal: Answer): Promise<void> {
  await mustKnowTheCreditor(context, of.product, refusal);
  const saysSo = refusal.messages.some(({ code }) => code === 'ACCESS_EXCEEDED' || code === 'PAYMENT_FAILED');
  if (!saysSo && (!isRefused(refusal) || !hasPaidBefore(context, of))) return;
  await mustGoThrough(context, of.product === undefined ? of : aSimplePayment(of.product));
}

/** One went through before the checks, so that the bank takes such payments. */
const hasPaidBefore = ({ run }: CheckContext, { product }: Subject): boolean =>
  product !== undefined && run.taken?.has(product.creation) === true;

const isRefused = ({ status, asksForSca }: Answer): boolean => status >= 400 && status < 500 && !asksForSca;

const aboutTheFunds = (context: CheckContext, control: Subject): string =>
  hasPaidBefore(context, control)
    ? ` One went through before the checks: where the funds of accounts.debtor or a limit are used up, give it more funds (${fundsForARun} at a bank that sets aside what created payments need), or run again once the limit is renewed.`
    : '';

/** Freedom: psus/companies. Nothing but the refusal tells. */
function aboutTheAccount({ target }: CheckContext, { exchange }: Answer): string | undefined {
  const isCorporate = exchange.request.headers.some(([name]) => name.toLowerCase() === 'psu-corporate-id');
  return isCorporate && target.accounts.corporateDebtor === undefined
    ? ' If the company may pay from its own accounts only, give one as accounts.corporateDebtor of the target file.'
    : undefined;
}

/** An account that only some checks are about may be wrong while all others are right. */
function aboutNamedAccounts({ target: { accounts } }: CheckContext, answer: Answer): string | undefined {
  const { bban, iban } = accounts.kidCreditor ?? {};
  const paid = creditorIn(answer);
  if (paid !== undefined && [bban, iban].includes(paid))
    return ' It goes to accounts.kidCreditor: does the bank pay that account, and do its KIDs have another length (kidLength)?';
  const card = textAt(parsedJson(answer.exchange.request.body), 'debtorAccount', 'other', 'identification');
  return card !== undefined && card === accounts.card?.identification
    ? ' It is paid from accounts.card: is that the reference of a card of psu? Where nobody pays from cards, leave it out, and name the requirements on cards under notOffered.'
    : undefined;
}

/** What became of the contexts that checks wanted to use. */
const triedContexts = new KeptInRun<string, Promise<Context>>();

/** Ranges of amounts before those of all checks, and before that of the preflight, which stands at -1. */
export const placesOfContexts = { last: -2, count: 700 } as const;

/**
 * Controls of contexts are nobody's own: their bodies and amounts follow from what they are, and not from which check
 * asked first. Where two of them have the same amounts, the one that is refused as a duplicate takes its next one.
 */
const senderOf = (run: RunContext, key: string): CheckContext =>
  run.contextFor(key, placesOfContexts.last - (numberFrom(key) % placesOfContexts.count));

/**
 * What of a context the bank takes without any fault. A bank may have no companies, or no payments from cards: what it
 * refuses then proves nothing, so that the context is left out, and told of once. Each is tried once in a run.
 */
export async function contextTakenBy(context: CheckContext, of: Subject, values: Context): Promise<Context> {
  if (values.length === 0) return values;
  const formatting = values.filter(({ dimension }) => dimension === 'formatting');
  if (formatting.length > 0 && formatting.length < values.length) {
    // However a body is formatted, it says the same: it goes with the others when it goes by itself.
    const rest = values.filter((value) => !formatting.includes(value));
    const parts = await Promise.all([rest, formatting].map((part) => contextTakenBy(context, of, part)));
    return values.filter((value) => parts.some((part) => part.includes(value)));
  }
  const wider = widestOf(context, plainest(of), values).find((row) =>
    values.every((value) => row.includes(value)),
  );
  if (wider !== undefined && wider.length > values.length) {
    const left = await tried(context, of, wider);
    // Who takes all of them takes some.
    if (values.every((value) => left.includes(value))) return values;
  }
  return tried(context, of, values);
}

/**
 * The rows with all that fits a kind of request, one of the forms of remittance information in each. What no bank has to
 * take is among it where it is wanted.
 */
function widestOf(context: CheckContext, of: Subject, wanted: Context): readonly Context[] {
  const isForFaults = wanted.some(({ onlyForFaults }) => onlyForFaults === true);
  // What a check has found out about accounts is its own.
  return context.target === context.run.target
    ? widestRows.of(context.run, `${kindOf(of)} ${isForFaults}`, () => rowsWithAll(context, of, isForFaults))
    : rowsWithAll(context, of, isForFaults);
}

const widestRows = new KeptInRun<string, readonly Context[]>();

function rowsWithAll(context: CheckContext, of: Subject, isForFaults: boolean): readonly Context[] {
  const isUsable = ({ dimension, onlyForFaults }: ContextValue): boolean =>
    dimension !== 'formatting' && (isForFaults || onlyForFaults !== true);
  const rows = [0, 1, 2].flatMap((number) => rowsOf(context, of, number, isUsable));
  // The same one for every check, whichever comes first with its seed.
  return rows.toSorted((one, other) => (describeContext(one) < describeContext(other) ? -1 : 1));
}

function tried(context: CheckContext, of: Subject, values: Context): Promise<Context> {
  const { run } = context;
  const key = `${kindOf(of)} ${describeContext(values)}`;
  return triedContexts.of(run, key, () =>
    taken(context, plainest(of), values, senderOf(run, `contexts/${key}`)),
  );
}

const kindOf = ({ payment, title }: Subject): string => payment?.product.creation ?? title;

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
    left = (await tried(context, of, more)).length === more.length ? more : left;
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
