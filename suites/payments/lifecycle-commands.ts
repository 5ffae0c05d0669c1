import fc from 'fast-check';
import { mustHaveBaskets } from '../../src/checks/basket-path.ts';
import { mustBeAbleToPay } from '../../src/checks/controls.ts';
import {
  accepted,
  asksForSca,
  type Expectation,
  expectAnswer,
  refused,
  sessionEnded,
  succeeded,
} from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, isRefusedRepetition } from '../../src/checks/outcomes.ts';
import { aSimplePayment } from '../../src/checks/subject.ts';
import { defaultProduct, everyProduct, type Product } from '../../src/spec/products.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { ScaReturn } from '../../src/tpp/sca/sca-return.ts';
import { scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { type LifecycleBank, type Model, pick } from './lifecycle-bank.ts';
import { onceApproved } from './once-approved.ts';
import { statusTold } from './told-status.ts';

type Step = fc.AsyncCommand<Model, LifecycleBank>;

/** Not shown how it is answered, nor that it is offered (501); only a server error is wrong. */
const noServerError: Expectation = {
  text: 'no server error (5xx)',
  met: ({ status }) => status < 500 || status === 501,
};

function expect(bank: LifecycleBank, answer: Answer, expectation: Expectation, when: string): void {
  expectAnswer(bank.context, answer, expectation, when);
}

/** A step in words, with when it makes sense and what it does. */
const step = (
  text: string,
  makesSense: (model: Model) => boolean,
  run: (model: Model, bank: LifecycleBank) => Promise<void>,
): Step => ({
  check: (model) => makesSense(model),
  run,
  toString: () => text,
});

/** After SCA: PSU-ID does not change, and the session is that of the request (Redirect after successful SCA). */
function expectReturn(bank: LifecycleBank, back: ScaReturn | undefined): void {
  if (back === undefined) return;
  bank.context.evidence = bank.context.exchanges.slice(-1);
  if (back.psuId?.toLowerCase() !== bank.psu.id?.toLowerCase())
    throw new ExpectationFailed(`psu-id ${bank.psu.id} after approval`, back.psuId ?? 'nothing');
  if (back.sessionId !== bank.psu.sessionId)
    throw new ExpectationFailed(
      `tpp-session-id ${bank.psu.sessionId} after approval`,
      back.sessionId ?? 'nothing',
    );
}

const create = (product: Product): Step =>
  step(
    `create a ${product.word} payment`,
    () => true,
    async (model, bank) => {
      const answer = await bank.create(product);
      // Nothing is said of states where a creditor is unknown or funds are used up: others are about valid payments.
      await mustBeAbleToPay(bank.context, aSimplePayment(product), answer);
      expect(bank, answer, accepted(), 'for a valid payment');
      const id = answer.text('paymentId');
      // Under the reading that allows it, SCA comes before the payment.
      if (id === undefined) return;
      const link = scaLinkOf(answer);
      // Without a link it may have been exempted and executed already: nothing is expected of it.
      const place = model.payments.push({ product, state: link === undefined ? 'open' : 'awaiting' }) - 1;
      bank.paymentIds[place] = id;
      if (link !== undefined) bank.gave(`payment ${place}`, link);
    },
  );

const approve = (drawn: number): Step =>
  step(
    `approve payment ${drawn} of those that await it`,
    (model) => model.in('awaiting').length > 0,
    async (model, bank) => {
      const place = pick(model.in('awaiting'), drawn) ?? 0;
      const back = await bank.approve(`payment ${place}`);
      if (back !== 'over') expectReturn(bank, back);
      const payment = model.payments[place];
      if (payment !== undefined) payment.state = back === 'over' ? 'open' : 'approved';
    },
  );

/** The status of an approved payment can be read; before that a domestic one may be unreadable (known issue). */
const readStatus = (drawn: number): Step =>
  step(
    `read the status of payment ${drawn}`,
    (model) => model.payments.length > 0,
    async (model, bank) => {
      const place = drawn % model.payments.length;
      const payment = model.payments[place];
      if (payment === undefined) return;
      const isApproved = payment.state === 'approved';
      const read = () => bank.status(place, payment);
      const answer = isApproved ? await onceApproved(bank.context, read) : await read();
      expect(
        bank,
        answer,
        isApproved ? succeeded() : noServerError,
        `for the status of a payment that is ${isApproved ? 'approved' : 'not approved'}`,
      );
    },
  );

const putIntoBasket = (drawn: readonly number[]): Step =>
  step(
    `put payments ${drawn.join(' and ')} of those that await approval into a basket`,
    (model) => model.in('awaiting').length > 0,
    async (model, bank) => {
      // Whether products may be mixed is not said.
      const [{ product } = { product: undefined }] = model
        .in('awaiting')
        .map((place) => model.payments[place] ?? { product: undefined });
      const waiting = model.in('awaiting').filter((place) => model.payments[place]?.product === product);
      const payments = [...new Set(drawn.map((number) => pick(waiting, number) ?? 0))];
      const answer = await bank.basket(bank.idsOf(payments));
      if (!accepted().met(answer, bank.context.readings)) await mustHaveBaskets(bank.context, answer);
      expect(bank, answer, accepted(), 'for a basket of payments that await approval');
      const place = model.baskets.push({ payments, isOpen: true }) - 1;
      for (const payment of payments) {
        const inside = model.payments[payment];
        if (inside !== undefined) inside.state = 'in-basket';
        bank.forget(`payment ${payment}`);
      }
      const link = scaLinkOf(answer);
      if (link !== undefined) bank.gave(`basket ${place}`, link);
    },
  );

const approveBasket = (drawn: number): Step =>
  step(
    `approve basket ${drawn} of those that are open`,
    (model) => model.openBaskets.length > 0,
    async (model, bank) => {
      const place = pick(model.openBaskets, drawn) ?? 0;
      const back = await bank.approve(`basket ${place}`);
      if (back !== 'over') expectReturn(bank, back);
      const basket = model.baskets[place];
      if (basket === undefined) return;
      basket.isOpen = false;
      for (const payment of basket.payments) {
        const inside = model.payments[payment];
        if (inside?.state === 'in-basket') inside.state = back === 'over' ? 'open' : 'approved';
      }
    },
  );

const putUnknownIntoBasket: Step = step(
  'put a payment that does not exist into a basket',
  () => true,
  async (_, bank) => {
    if (bank.context.readings.basketContents !== 'refuse-empty-and-unknown') return;
    const answer = await bank.basket([bank.unknownId()]);
    // Where SCA cannot be passed, every basket is refused so: nothing is said of this one.
    if (answer.asksForSca)
      throw new Inconclusive(
        'SCA is asked for before a basket of a payment that does not exist is looked at.',
      );
    expect(bank, answer, refused(), 'for a basket of a payment that does not exist');
  },
);

/** Whether a payment can be deleted is the bank's affair, except in status PDNG. */
const remove = (drawn: number): Step =>
  step(
    `delete payment ${drawn}`,
    (model) => model.payments.length > 0,
    async (model, bank) => {
      const place = drawn % model.payments.length;
      const payment = model.payments[place];
      if (payment === undefined) return;
      const isPending = statusTold(await bank.status(place, payment)) === 'PDNG';
      const answer = await bank.remove(place, payment);
      expect(
        bank,
        answer,
        isPending ? refused() : noServerError,
        isPending ? 'for deleting a payment with status PDNG' : 'for deleting a payment',
      );
      // One that died on the way may have been carried out, and be refused for that when it is sent again.
      if (!answer.isSuccess && !isRefusedRepetition(answer)) return;
      payment.state = answer.isSuccess ? 'gone' : 'open';
      bank.forget(`payment ${place}`);
      for (const basket of model.baskets) if (basket.payments.includes(place)) basket.isOpen = false;
    },
  );

/** Limits: a new TPP-Session-ID requires SCA; when that is cancelled, the old session remains valid. */
const cancelNewSession: Step = step(
  'ask for accounts in a new session and cancel its SCA',
  () => true,
  async (_, bank) => {
    if (!bank.readsAccounts) return;
    const answer = await bank.accounts(bank.unknownSession());
    expect(bank, answer, asksForSca(), 'for accounts in a new session');
    if (await bank.cancelNewSession(scaLinkOf(answer) ?? ''))
      expect(
        bank,
        await bank.accounts(),
        succeeded(),
        'for accounts after SCA in a new session was cancelled',
      );
  },
);

/** Limits: when SCA in a new session is completed, the old session is invalidated. */
const replaceSession: Step = step(
  'pass SCA in a new session',
  () => true,
  async (model, bank) => {
    const { id } = bank.psu;
    await bank.replaceSession();
    model.endSession();
    if (bank.psu.id?.toLowerCase() !== id?.toLowerCase())
      throw new ExpectationFailed(`psu-id ${id} in every session`, bank.psu.id ?? 'nothing');
    if (bank.readsAccounts)
      expect(bank, await bank.accounts(), succeeded(), 'for accounts in the new session');
  },
);

const useEndedSession: Step = step(
  'ask for accounts in a session that has ended',
  (model) => model.endedSessions > 0,
  async (_, bank) => {
    const old = bank.ended.at(-1);
    if (old === undefined || !bank.readsAccounts) return;
    expect(
      bank,
      await bank.accounts(old),
      sessionEnded(),
      'for accounts in a session that a newer one has ended',
    );
  },
);

/** How every sequence begins, so that there is something to approve, read and delete. */
export const firstSteps: readonly Step[] = everyProduct.map(create);

/** A sequence that nobody has drawn, and so is told as far as it came. */
class FixedSequence implements Iterable<Step> {
  readonly #steps: readonly Step[];
  #taken: readonly Step[] = [];

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  *[Symbol.iterator](): Iterator<Step> {
    this.#taken = [];
    for (const next of this.#steps) {
      this.#taken = [...this.#taken, next];
      yield next;
    }
  }

  toString(): string {
    return this.#taken.join(',');
  }
}

/** Through every state once, so that none is left to chance: the sequences that are drawn come after it. */
export const everyState = (mayReplaceSession: boolean): Iterable<Step> =>
  new FixedSequence([
    ...everyProduct.flatMap((_, place) => [approve(0), readStatus(place)]),
    create(defaultProduct),
    create(defaultProduct),
    putIntoBasket([0, 1]),
    approveBasket(0),
    readStatus(everyProduct.length),
    readStatus(everyProduct.length + 1),
    // One that is approved, by itself.
    remove(0),
    create(defaultProduct),
    remove(everyProduct.length + 2),
    remove(everyProduct.length + 2),
    readStatus(everyProduct.length + 2),
    putUnknownIntoBasket,
    cancelNewSession,
    ...(mayReplaceSession ? [replaceSession, useEndedSession] : []),
  ]);

/** Sequences of steps, likelier ones listed more than once. Sessions are only replaced where that disturbs nobody. */
export function sequences(mayReplaceSession: boolean): fc.Arbitrary<Iterable<Step>> {
  const place = fc.nat({ max: 7 });
  const approvals = [place.map(approve), place.map(approveBasket)];
  const baskets = fc.array(place, { minLength: 1, maxLength: 3 }).map(putIntoBasket);
  return fc.commands(
    [
      ...everyProduct.map((product) => fc.constant(create(product))),
      ...approvals,
      ...approvals,
      place.map(readStatus),
      place.map(readStatus),
      baskets,
      baskets,
      fc.constant(putUnknownIntoBasket),
      place.map(remove),
      fc.constant(cancelNewSession),
      ...(mayReplaceSession ? [fc.constant(replaceSession), fc.constant(useEndedSession)] : []),
    ],
    { maxCommands: 14, size: 'max', disableReplayLog: true },
  );
}
