import fc from 'fast-check';
import { levelOf } from '../checks/check.ts';
import type { RunContext } from '../checks/context.ts';
import { type PlacedCheck, runChecks } from '../checks/engine.ts';
import { wentThrough } from '../checks/expectation.ts';
import type { CheckResult } from '../checks/verdict.ts';
import {
  Amounts,
  decimal,
  germanAccountIn,
  leastOfProduct,
  norwegianAccountIn,
} from '../payloads/amounts.ts';
import type { JsonObject } from '../payloads/json.ts';
import { simplePaymentsOf } from '../payloads/payments.ts';
import { tellingExchange } from '../report/exchange-text.ts';
import { requirementById } from '../spec/catalogue.ts';
import { acceptFixes } from '../spec/code-lists.ts';
import {
  type InterpretationChoice,
  type InterpretationId,
  interpretations,
  type Readings,
  strictestFirst,
} from '../spec/interpretations.ts';
import { type Product, products } from '../spec/products.ts';
import { payableProducts } from '../target/capabilities.ts';
import type { Answer } from '../tpp/answer.ts';
import { type Call, type Variation, withHeader } from '../tpp/call.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { NoAnswerError } from '../tpp/exchange.ts';
import { scaLinkOf } from '../tpp/sca/start-sca.ts';
import { learnTheLetters } from './learn-accepted-payments.ts';
import { readingCall } from './preflight.ts';

/** What a bank was seen to do where the specification leaves it open. */
export interface LearnedReading {
  readonly id: InterpretationId;
  readonly default: string;
  /** The strictest value that the bank keeps to; absent where that cannot be told. */
  readonly observed?: string;
  /** What shows it, or why it cannot be told. */
  readonly said: string;
  readonly exchange?: Exchange;
}

/**
 * Finds out which of the allowed values a bank keeps to, by the very checks that rest on the reading: each value is
 * taken in turn, the strictest first, until none of them fails. A bank that fails under every value breaks a must, which
 * no reading remedies; then nothing is learned. What is only "not judged" is no conduct of a bank, and never learned.
 */
export async function learnReadings(
  runContext: RunContext,
  checks: readonly PlacedCheck[],
  onLearned: (learned: LearnedReading) => void = () => {},
): Promise<readonly LearnedReading[]> {
  const all: LearnedReading[] = [];
  const tell = (learned: LearnedReading): void => {
    all.push(learned);
    onLearned(learned);
  };
  let readings = runContext.target.readings;
  for (const [id, probe] of Object.entries(probes) as [
    InterpretationId,
    (typeof probes)[InterpretationId],
  ][]) {
    const learned = await probed(id, probe, runContext);
    if (learned.observed !== undefined) readings = { ...readings, [id]: learned.observed };
    tell(learned);
  }
  for (const [id, values] of Object.entries(strictestFirst) as [InterpretationId, readonly string[]][]) {
    const resting = checks.filter(
      ({ check }) => requirementById.get(check.requirement)?.interpretation === id,
    );
    const under = (value: string): Readings => ({ ...readings, [id]: value });
    const isDecided = ({ check }: PlacedCheck): boolean =>
      new Set(values.map((value) => levelOf(check, under(value)))).size > 1;
    const decided = new Set(resting.filter(isDecided).map(({ check }) => check.id));
    // What only looks at the answers of others may have nothing to look at, where few of them are asked.
    const observers = new Set(resting.filter(({ check }) => check.observes).map(({ check }) => check.id));
    const learned = await learnOne(id, values, decided, async (value) => {
      const results = await runChecks(resting, withReadings(runContext, under(value)));
      return results.filter((result) => result.verdict !== 'inconclusive' || !observers.has(result.id));
    });
    // Later checks are judged by what is known already.
    if (learned.observed !== undefined) readings = { ...readings, [id]: learned.observed };
    tell(learned);
  }
  return all;
}

interface Found<Value extends string> {
  readonly observed?: Value;
  readonly said: string;
  readonly answer?: Answer | undefined;
}

async function probed(
  id: InterpretationId,
  probe: (typeof probes)[InterpretationId],
  runContext: RunContext,
): Promise<LearnedReading> {
  const known = { id, default: interpretations[id].default };
  try {
    const { answer, ...found } = (await probe?.(runContext)) ?? { said: '' };
    return {
      ...known,
      ...found,
      ...(answer === undefined ? {} : { exchange: runContext.redactor.exchange(answer.exchange) }),
    };
  } catch (error) {
    if (error instanceof NoAnswerError) return { ...known, said: `It cannot be told: ${error.message}` };
    throw error;
  }
}

/** The same checks send the same payments under each value, which a strict bank would call duplicates. */
const withReadings = (runContext: RunContext, readings: Readings): RunContext => ({
  ...runContext,
  repeatsPayments: true,
  target: { ...runContext.target, readings },
});

async function learnOne(
  id: InterpretationId,
  values: readonly string[],
  /** The checks whose level the reading decides: they show it best. */
  decided: ReadonlySet<string>,
  judgeUnder: (value: string) => Promise<readonly CheckResult[]>,
): Promise<LearnedReading> {
  const known = { id, default: interpretations[id].default };
  let evidence: CheckResult | undefined;
  for (const value of values) {
    const results = await judgeUnder(value);
    const failed = results.find(({ verdict }) => verdict === 'fail');
    if (failed !== undefined) {
      evidence = failed;
      // A bank that breaks down keeps to no reading.
      if ((tellingExchange(failed)?.response?.status ?? 0) >= 500) break;
      continue;
    }
    const open = results.find(({ verdict }) => verdict === 'inconclusive' || verdict === 'error');
    const telling = results.filter((result) => decided.has(result.id) && result.leftOpen !== true);
    const passed = (telling.length > 0 ? telling : results).find(({ verdict }) => verdict === 'pass');
    if (open !== undefined || (passed === undefined && evidence === undefined)) {
      const why = open ?? results[0];
      return { ...known, said: `It cannot be told: ${why?.reason ?? 'no check rests on it'}` };
    }
    const shown = evidence ?? passed;
    return { ...known, observed: value, ...(shown === undefined ? { said: '' } : shownBy(shown)) };
  }
  return {
    ...known,
    ...(evidence === undefined ? { said: '' } : shownBy(evidence)),
    said: `No value fits: ${evidence?.id} fails. ${evidence?.reason ?? ''}`.trim(),
  };
}

function shownBy(result: CheckResult): Pick<LearnedReading, 'said' | 'exchange'> {
  const exchange = tellingExchange(result);
  const said = result.verdict === 'pass' ? `${result.id}: ${result.title}` : `${result.id}: ${result.reason}`;
  return { said, ...(exchange === undefined ? {} : { exchange }) };
}

/** What is found out by requests of its own, each compared with the same request as it usually is. */
const probes: {
  readonly [Id in InterpretationId]?: (runContext: RunContext) => Promise<Found<InterpretationChoice<Id>>>;
} = {
  // A bank without Date headers has a clock that cannot be seen: then ours is taken.
  clockReference: async ({ client }) =>
    client.clock.measured
      ? { observed: 'bank-clock', said: 'Its answers have a Date.' }
      : { observed: 'own-clock', said: 'Its answers have no Date, by which its clock could be known.' },
  letters: withPayments(async (runContext) => {
    const byDefault = { ...runContext.target.readings, letters: interpretations.letters.default } as Readings;
    const { letters, remarks, answers } = await learnTheLetters(
      withReadings(runContext, byDefault),
      runContext.seed,
    );
    return {
      observed: letters,
      said: remarks.length === 0 ? 'It takes Norwegian letters in every product.' : remarks.join(' '),
      answer: answers[0],
    };
  }),
  currencies: withPayments(async (runContext) => {
    for (const product of payableProducts(runContext.target)) {
      const pay = (currency: string) => payIn(runContext, product, currency);
      if (!wentThrough(await pay('NOK'), runContext.target.readings)) continue;
      let refusal: Answer | undefined;
      for (const currency of ['EUR', 'USD', 'SEK']) {
        const answer = await pay(currency);
        refusal = answer.status >= 400 && answer.status < 500 ? answer : undefined;
        if (refusal === undefined) break;
      }
      if (refusal !== undefined)
        return {
          observed: 'kroner',
          said: `It makes a ${product.word} payment in NOK, and none in EUR, USD or SEK.`,
          answer: refusal,
        };
    }
    return { observed: 'all', said: 'It pays in other currencies than NOK.' };
  }),
  requestTarget: async ({ client, target }) => {
    const { call } = readingCall(target);
    const covered = (present: readonly string[]): readonly string[] => ['(request-target)', ...present];
    if (!isTaken(await client.call(call, {}, 'a request as it usually is'))) return untold(call.operation);
    const answer = await client.call(call, { signing: { covered } }, 'the same with (request-target) signed');
    return isTaken(answer)
      ? { observed: 'accepted', said: 'It takes a signature over (request-target).' }
      : { observed: 'not-judged', said: 'It takes no signature over (request-target).', answer };
  },
  statusBeforeApproval: withPayments(async (runContext) => {
    const payment = await unapprovedPayment(runContext);
    if (payment === undefined) return { said: 'It cannot be told: no payment awaited its approval.' };
    const answer = await runContext.client.call(payment, {}, 'the status before approval');
    if (answer.isSuccess)
      return { observed: 'readable', said: 'It told the status before approval.', answer };
    return answer.status < 500
      ? { observed: 'tolerated', said: 'It did not tell the status before approval.', answer }
      : untold('readPaymentStatus');
  }),
  acceptFix: withPayments(async (runContext) => {
    const { client, target } = runContext;
    const status = await unapprovedPayment(runContext);
    for (const call of [readingCall(target).call, ...(status === undefined ? [] : [status])]) {
      const without = await client.call(call, withoutAcceptFix, 'without x-accept-fix');
      if (isTaken(without) || without.status >= 500) continue;
      const withIt = await client.call(call, withAcceptFix, 'the same with x-accept-fix');
      if (isTaken(withIt) || (namesAcceptFix(without) && !namesAcceptFix(withIt)))
        return {
          observed: 'everywhere',
          said: 'It wants x-accept-fix at requests other than those that create something.',
          answer: without,
        };
    }
    return {
      observed: 'required',
      said: 'It wants x-accept-fix, if at all, only where payments and baskets are created.',
    };
  }),
};

const isTaken = ({ isSuccess, asksForSca }: Answer): boolean => isSuccess || asksForSca;

const untold = (operation: string): Found<never> => ({
  said: `It cannot be told: ${operation} was not answered as it should be.`,
});

const withAcceptFix = withHeader('x-accept-fix', acceptFixes[0].value);
const withoutAcceptFix: Variation = { beforeSigning: ({ headers }) => headers.remove('x-accept-fix') };
const namesAcceptFix = ({ bytes }: Answer): boolean => /x-accept-fix/i.test(bytes.toString('utf8'));

function withPayments<Value extends string>(ask: (runContext: RunContext) => Promise<Found<Value>>) {
  return async (runContext: RunContext): Promise<Found<Value>> =>
    runContext.target.mayCreatePayments ? ask(runContext) : { said: 'It cannot be told without payments.' };
}

async function pay(
  { client, target, seed }: RunContext,
  product: Product,
  change: (body: JsonObject) => JsonObject,
): Promise<Answer> {
  const facts = { ...target.accounts, now: client.clock.now(), letters: 'ascii-only' as const };
  const [body = {}] = fc.sample(simplePaymentsOf(product, facts, new Amounts(seed, -5)), {
    seed,
    numRuns: 1,
  });
  const query = { allowLogicalDuplicate: 'true' };
  return client.call({ operation: product.creation, body: change(body), query }, {}, 'learn the readings');
}

/** To an account in that currency, with the agent that such an account may need. */
const payIn = (runContext: RunContext, product: Product, currency: string): Promise<Answer> =>
  pay(runContext, product, (body) => {
    if (currency === 'NOK') return body;
    const account = (product === products.domestic ? norwegianAccountIn : germanAccountIn)(currency);
    const least = leastOfProduct(product, currency, runContext.target.readings.smallTransfers);
    const amounts = new Amounts(runContext.seed, -5);
    return {
      ...body,
      instructedAmount: { amount: decimal(least + amounts.nextMinor(currency), 2), currency },
      creditorAgent: account.agent,
      creditorAccount: {
        [product === products.domestic ? 'bban' : 'iban']: account.number,
        currency,
      },
    };
  });

/** The call that reads the status of a payment which awaits its approval. */
async function unapprovedPayment(runContext: RunContext): Promise<Call | undefined> {
  const [product] = payableProducts(runContext.target);
  if (product === undefined) return undefined;
  const answer = await pay(runContext, product, (body) => body);
  const paymentId = answer.text('paymentId');
  return answer.isSuccess && scaLinkOf(answer) !== undefined && paymentId !== undefined
    ? { operation: 'readPaymentStatus', params: { product: product.path, paymentId } }
    : undefined;
}
