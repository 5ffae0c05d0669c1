import { setTimeout } from 'node:timers/promises';
import { member } from '../spec/json.ts';
import { createdBy } from '../spec/products.ts';
import type { Answer } from './answer.ts';
import type { Call, Psu } from './call.ts';
import { NoAnswerError } from './exchange.ts';
import { jsonOf } from './json-of-body.ts';

/** So much is waited in excess of what was seen once. */
const margin = 1.5;

/** A payment of this age is known to all of a bank: a part of it may be behind the others. */
const ageOfKnownMs = 2_500;

/** So often it is waited in vain, for what is refused because it is unknown and stays so. */
const mostInVain = 5;

/** More are not remembered: the oldest is ripe long since. */
const mostKnown = 2_000;

/**
 * What a bank has just made may take a moment until all of the bank knows of it: a session after SCA, a payment after its
 * creation. How long is learned before the run; from then on nothing is used before its time.
 */
export class Ripening {
  #sessionMs = 0;
  #paymentMs = 0;
  readonly #ripeAt = new Map<string, number>();
  readonly #created = new Map<string, Created>();
  #inVain = 0;

  #learning: Promise<number> | undefined;
  readonly #sleep: (ms: number) => Promise<unknown>;

  constructor(sleep: (ms: number) => Promise<unknown> = setTimeout) {
    this.#sleep = sleep;
  }

  /** Finds out, the first time that SCA is passed in a new session, how long that takes to be known; in milliseconds. */
  learnSessions(find: () => Promise<number | undefined>): Promise<number> {
    this.#learning ??= this.#learnBy(find);
    return this.#learning;
  }

  /** The same in a session that the bank may have known before, from another run: only that it takes long says something. */
  async learnOldSession(find: () => Promise<number | undefined>): Promise<number> {
    const ms = await this.#learnBy(find);
    if (ms > 0) this.#learning ??= Promise.resolve(ms);
    return ms;
  }

  async #learnBy(find: () => Promise<number | undefined>): Promise<number> {
    const ms = (await find().catch(unlessSilent)) ?? 0;
    this.#sessionMs = ms * margin;
    return ms;
  }

  paymentsTake(ms: number): void {
    this.#paymentMs = ms * margin;
  }

  /** SCA was passed in this session; what is approved in one that is there already is no beginning of it. */
  begun({ psuId = '', sessionId = '' }: { readonly psuId?: string; readonly sessionId?: string }): void {
    this.#note(sessionKey(psuId, sessionId), this.#sessionMs);
  }

  created({ operation }: Call, { id: psuId }: Psu, answer: Answer): void {
    if (answer.status !== 201) return;
    const id = answer.text('paymentId');
    if (id === undefined) return;
    keep(this.#created, id, { at: performance.now(), psuId, product: createdBy(operation)?.path });
    this.#note(paymentKey(id), this.#paymentMs);
  }

  /**
   * Of several machines of a bank one may know a payment later than the others, which shows when it is asked, and perhaps
   * not before the checks. Where all that it is asked about was created just now, and for this PSU, what is unknown to the
   * bank is asked for again.
   */
  async again(call: Call, psu: Psu, answer: Answer, ask: () => Promise<Answer>): Promise<Answer> {
    const ids = paymentsIn(call);
    if (call.operation === 'deletePayment' && answer.isSuccess)
      for (const id of ids) this.#created.delete(id);
    if (this.#inVain >= mostInVain || !isUnknown(answer)) return answer;
    const created = ids.map((id) => this.#created.get(id));
    const latest = Math.max(...created.map((each) => (isOf(each, call, psu) ? each.at : Number.NaN)));
    const leftMs = latest + ageOfKnownMs - performance.now();
    // Neither where nothing was created, nor where one of them was not.
    if (!Number.isFinite(leftMs) || leftMs <= 0) return answer;
    await this.#sleep(leftMs);
    const then = await ask();
    if (then.status >= 300) {
      this.#inVain += 1;
      return answer;
    }
    this.paymentsTake(Math.max(ageOfKnownMs, this.#paymentMs / margin));
    return then;
  }

  /** Until all that the call is about can be used. */
  async wait({ params = {}, body }: Call, { id = '', sessionId }: Psu): Promise<void> {
    if (this.#ripeAt.size === 0) return;
    const payments = [...Object.values(params), ...[member(writtenIn(body), 'paymentIds')].flat()];
    const keys = [sessionKey(id, sessionId), ...payments.map((payment) => paymentKey(String(payment)))];
    const ripe = Math.max(...keys.map((key) => this.#ripeAt.get(key) ?? 0));
    const leftMs = ripe - performance.now();
    if (leftMs > 0) await this.#sleep(leftMs);
  }

  #note(key: string, ms: number): void {
    if (ms === 0 || this.#ripeAt.has(key)) return;
    keep(this.#ripeAt, key, performance.now() + ms);
  }
}

/** A payment of the run. */
interface Created {
  readonly at: number;
  readonly psuId: string | undefined;
  readonly product: string | undefined;
}

/** Others than its PSU, and who asks under another product, do not find it anyway. */
const isOf = (created: Created | undefined, { params = {} }: Call, { id }: Psu): created is Created =>
  created !== undefined && created.psuId === id && (params.product ?? created.product) === created.product;

function keep<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.set(key, value);
  const [oldest] = kept.keys();
  if (kept.size > mostKnown && oldest !== undefined) kept.delete(oldest);
}

/** The ids of the payments that a call is about. */
const paymentsIn = ({ params = {}, body }: Call): readonly string[] =>
  [params.paymentId ?? [], member(writtenIn(body), 'paymentIds') ?? []].flat(2).map(String);

const isUnknown = ({ status, asksForSca, messages }: Answer): boolean =>
  status === 404 ||
  (status >= 400 &&
    status < 500 &&
    !asksForSca &&
    messages.some(({ code }) => code === 'RESOURCE_UNKNOWN' || code === 'NOT_FOUND'));

/** What a body says that is sent as it was written: with white space, for one. */
const writtenIn = (body: unknown): unknown => (Buffer.isBuffer(body) ? jsonOf(body) : body);

/** Who does not answer is told of elsewhere. */
const unlessSilent = (error: unknown): undefined => {
  if (!(error instanceof NoAnswerError)) throw error;
};

const sessionKey = (psuId: string, sessionId: string): string =>
  `session ${psuId.toLowerCase()} ${sessionId}`;
const paymentKey = (id: string): string => `payment ${id}`;
