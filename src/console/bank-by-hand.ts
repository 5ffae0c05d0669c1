import type { Bank } from '../bank/bank.ts';
import type { BankDesign } from '../bank/design/design.ts';
import { allOf, type DesignChange, withRules } from '../bank/design/design-changes.ts';
import type { Rule } from '../bank/design/route.ts';
import { type Deviation, deviationById } from '../bank/deviations/index.ts';
import { type Dialect, dialectById } from '../bank/dialects/index.ts';
import { type AdjustableClock, isoDateTime } from '../bank/state/clock.ts';
import type { Payment, TransactionStatus } from '../bank/state/payment-store.ts';
import { transactionStatuses } from '../spec/code-lists.ts';
import { textAt } from '../spec/json.ts';
import { limits } from '../spec/limits.ts';
import { nearest } from '../target/nearest.ts';

/** A wish that cannot be granted, with what to do instead. */
export class ByHandError extends Error {
  override readonly name = 'ByHandError';
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

export interface Behaviour {
  readonly dialects: readonly string[];
  readonly deviations: readonly string[];
  /** For so many requests of a TPP; absent: until it is changed. */
  readonly requests?: number;
}

/** An answer that the next requests get, whatever they ask. */
export interface NextAnswer {
  readonly status: 429 | 503;
  readonly retryAfterSeconds: number;
  readonly requests: number;
}

/** How the bank is now, and what can be changed. */
export interface ByHandState {
  readonly behaviour: Behaviour;
  readonly nextAnswer?: NextAnswer;
  readonly clock: { readonly now: string; readonly offsetSeconds: number };
  readonly sessions: readonly {
    readonly tppSessionId: string;
    readonly tpp: string;
    readonly customer: string | null;
    readonly context: string;
    readonly passedAt: string;
    readonly holds: boolean;
  }[];
  readonly payments: readonly {
    readonly paymentId: string;
    readonly product: string;
    readonly service: string;
    readonly amount: string | null;
    readonly currency: string | null;
    readonly creditor: string | null;
    readonly transactionStatus: string;
    readonly createdAt: string;
  }[];
}

export interface ByHandOptions {
  readonly bank: Bank;
  /** The design that the bank was started with, `interruption` included. */
  readonly startDesign: BankDesign;
  /** Compliant and plain: what dialects and deviations are applied to. */
  readonly plainDesign: BankDesign;
  readonly interruption: Interruption;
  readonly clock: AdjustableClock;
  readonly started: Pick<Behaviour, 'dialects' | 'deviations'>;
  /** Back to what the bank remembered at its start. */
  readonly reset: () => void;
}

/** How far the clock can be moved: ten years. */
const furthestSeconds = 10 * 366 * 86_400;
const mostRequests = 10_000;
const shownPayments = 50;

/** Lets the next requests be answered with something else. It is a change of the design, so that it works in any bank. */
export interface Interruption {
  readonly change: DesignChange;
  next: NextAnswer | undefined;
}

export function createInterruption(): Interruption {
  let left = 0;
  let next: NextAnswer | undefined;
  const rule: Rule = {
    requirement: 'ERR-06',
    name: 'an answer chosen in the console',
    ownChoice: true,
    hasEffects: true,
    refuses: () => {
      if (next === undefined || left <= 0) return undefined;
      const { status, retryAfterSeconds } = next;
      left -= 1;
      if (left === 0) next = undefined;
      return {
        status,
        code: status === 429 ? 'ACCESS_EXCEEDED' : 'SYSTEM_ERROR',
        text:
          status === 429
            ? 'There are too many requests. Try again later.'
            : 'The bank is closed for a moment.',
        headers: { 'Retry-After': String(retryAfterSeconds) },
      };
    },
  };
  return {
    change: withRules((operation, rules) => (operation === 'page' ? rules : [rule, ...rules])),
    get next() {
      return next === undefined ? undefined : { ...next, requests: left };
    },
    set next(answer) {
      next = answer;
      left = answer?.requests ?? 0;
    },
  };
}

/** What a person at the console, or the tests of a TPP, can do to the bank. */
export class BankByHand {
  readonly #options: ByHandOptions;
  readonly #expired = new Set<string>();
  #behaviour: Behaviour;
  /** What the bank goes back to after a behaviour for some requests. */
  #lasting: Behaviour;

  constructor(options: ByHandOptions) {
    this.#options = options;
    this.#behaviour = options.started;
    this.#lasting = options.started;
  }

  /** Dialects and deviations from now on, in place of those before. Neither: the bank is compliant and plain. */
  behave({ dialects, deviations, requests }: Behaviour): void {
    if (requests !== undefined) demandNumber('requests', requests, 1, mostRequests);
    const changes = [
      ...dialects.map((id) => found('dialect', id, dialectById)),
      ...deviations.map((id) => found('deviation', id, deviationById)),
    ];
    for (const change of changes) refuseRestart(change);
    const { bank, plainDesign, interruption } = this.#options;
    const next = allOf(...changes.map(({ apply }) => apply), interruption.change)(plainDesign);
    bank.behaveAs(next, requests);
    this.#behaviour = { dialects, deviations, ...(requests === undefined ? {} : { requests }) };
    if (requests === undefined) this.#lasting = this.#behaviour;
  }

  answerNext(answer: NextAnswer): void {
    if (answer.status !== 429 && answer.status !== 503) throw new ByHandError('status is 429 or 503.');
    demandNumber('requests', answer.requests, 1, mostRequests);
    demandNumber('retryAfterSeconds', answer.retryAfterSeconds, 0, 86_400);
    this.#options.interruption.next = answer;
  }

  /** How far the bank's clock is ahead of this machine's. */
  setClock(offsetSeconds: number): void {
    demandNumber('offsetSeconds', offsetSeconds, -furthestSeconds, furthestSeconds);
    this.#options.clock.offsetSeconds = offsetSeconds;
  }

  /** Ends the SCA of a TPP-Session-ID, or of all. Tells how many. */
  expireSessions(sessionId?: string): number {
    const { state } = this.#options.bank;
    const ended = state.sessions
      .list()
      .filter((session) => sessionId === undefined || session.sessionId === sessionId)
      .filter((session) => state.sessions.holds(session));
    if (ended.length === 0 && sessionId !== undefined) {
      throw new ByHandError('No session of that TPP-Session-ID holds.', 404);
    }
    const longAgo = new Date(state.clock.now().getTime() - (limits.sessionSeconds + 1) * 1000);
    for (const { tppId, customerNumber, ...session } of ended) {
      state.sessions.pass(tppId, customerNumber, { ...session, passedAt: longAgo });
      this.#expired.add(session.sessionId);
    }
    return ended.length;
  }

  /** Whether a session was ended here: such a one is not to be renewed. */
  hasExpired(sessionId: string): boolean {
    return this.#expired.has(sessionId);
  }

  /** Puts a payment into a state. One that the PSU had not approved counts as approved from then on. */
  setPaymentStatus(paymentId: string, status: string, fundsAvailable?: boolean): void {
    const known = transactionStatuses.find((candidate) => candidate === status);
    if (known === undefined) {
      throw new ByHandError(`transactionStatus is one of ${transactionStatuses.join(', ')}.`);
    }
    const { payments, clock } = this.#options.bank.state;
    const payment = payments.get(paymentId);
    if (payment === undefined) throw new ByHandError('There is no such payment.', 404);
    payments.update(changed(payment, known, clock.now(), fundsAvailable));
  }

  /** Everything as it was when the bank started. */
  reset(): void {
    const { bank, startDesign, clock, interruption, started, reset } = this.#options;
    clock.offsetSeconds = 0;
    interruption.next = undefined;
    this.#expired.clear();
    this.#behaviour = started;
    this.#lasting = started;
    bank.behaveAs(startDesign);
    reset();
  }

  #behaviourNow(): Behaviour {
    const { requestsLeft } = this.#options.bank;
    if (this.#behaviour.requests === undefined) return this.#behaviour;
    return requestsLeft > 0 && requestsLeft <= mostRequests
      ? { ...this.#behaviour, requests: requestsLeft }
      : this.#lasting;
  }

  /** What is set, and what can be changed. */
  get state(): ByHandState {
    const { bank, clock, interruption } = this.#options;
    const { state } = bank;
    return {
      behaviour: this.#behaviourNow(),
      ...(interruption.next === undefined ? {} : { nextAnswer: interruption.next }),
      clock: { now: isoDateTime(state.clock.now()), offsetSeconds: clock.offsetSeconds },
      sessions: state.sessions
        .list()
        .toReversed()
        .slice(0, shownPayments)
        .map((session) => ({
          tppSessionId: session.sessionId,
          tpp: session.tppId,
          customer: state.customers.byNumber(session.customerNumber)?.customerName ?? null,
          context: session.context,
          passedAt: isoDateTime(session.passedAt),
          holds: state.sessions.holds(session),
        })),
      payments: state.payments.values().toReversed().slice(0, shownPayments).map(shownPayment),
    };
  }
}

const shownPayment = (payment: Payment): ByHandState['payments'][number] => ({
  paymentId: payment.paymentId,
  product: payment.product,
  service: payment.service,
  amount: textAt(payment.body, 'instructedAmount', 'amount')?.slice(0, 30) ?? null,
  currency: textAt(payment.body, 'instructedAmount', 'currency')?.slice(0, 10) ?? null,
  creditor: textAt(payment.body, 'creditorName')?.slice(0, 70) ?? null,
  transactionStatus: payment.transactionStatus,
  createdAt: isoDateTime(payment.createdAt),
});

const changed = (
  payment: Payment,
  transactionStatus: TransactionStatus,
  now: Date,
  fundsAvailable: boolean | undefined,
): Payment => ({
  ...payment,
  transactionStatus,
  approvedAt: payment.approvedAt ?? now,
  ...(fundsAvailable === undefined ? {} : { fundsAvailable }),
});

function demandNumber(name: string, value: number, least: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw new ByHandError(`${name} is a whole number from ${least} to ${most}.`);
  }
}

function found<Switch>(kind: string, id: string, known: ReadonlyMap<string, Switch>): Switch {
  const value = known.get(id);
  if (value !== undefined) return value;
  const near = nearest(id, [...known.keys()]);
  throw new ByHandError(
    `There is no ${kind} "${id.slice(0, 80)}".${near === undefined ? '' : ` Did you mean ${near}?`} See: xs2a-conformance list --${kind}s`,
    404,
  );
}

/** What lies in the connection itself cannot change while the bank listens. */
function refuseRestart(change: Dialect | Deviation): void {
  const needsRestart =
    ('prefix' in change && change.prefix !== undefined) ||
    ('signsResponses' in change && change.signsResponses === true) ||
    ('needsTls' in change && change.needsTls === true);
  if (!needsRestart) return;
  throw new ByHandError(
    `${change.id} is about how the bank is reached: start it so, with serve --${'requirement' in change ? 'deviation' : 'dialect'} ${change.id}.`,
    409,
  );
}
