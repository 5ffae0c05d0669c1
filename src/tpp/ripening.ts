import { setTimeout } from 'node:timers/promises';
import { member } from '../spec/json.ts';
import { type Answer, parseBounded } from './answer.ts';
import type { Call, Psu } from './call.ts';
import { NoAnswerError } from './exchange.ts';

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
  readonly #createdAt = new Map<string, number>();
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

  created(answer: Answer): void {
    if (answer.status !== 201) return;
    const id = answer.text('paymentId');
    if (id === undefined) return;
    keep(this.#createdAt, paymentKey(id), performance.now());
    this.#note(paymentKey(id), this.#paymentMs);
  }

  /**
   * Of several machines of a bank one may know a payment later than the others, which shows when it is asked, and perhaps
   * not before the checks. What is unknown to the bank although it has just created it is asked for again.
   */
  async again(call: Call, answer: Answer, ask: () => Promise<Answer>): Promise<Answer> {
    const created = Math.max(
      ...paymentsIn(call).map((key) => this.#createdAt.get(key) ?? Number.NEGATIVE_INFINITY),
    );
    const leftMs = created + ageOfKnownMs - performance.now();
    if (leftMs <= 0 || this.#inVain >= mostInVain || !isUnknown(answer)) return answer;
    this.#inVain += 1;
    await this.#sleep(leftMs);
    const then = await ask();
    if (then.status >= 300) return answer;
    this.#inVain -= 1;
    this.paymentsTake(Math.max(ageOfKnownMs, this.#paymentMs / margin));
    return then;
  }

  /** Until all that the call is about can be used. */
  async wait({ params = {}, body }: Call, { id = '', sessionId }: Psu): Promise<void> {
    if (this.#ripeAt.size === 0) return;
    const keys = [sessionKey(id, sessionId), ...paymentsIn({ params, body })];
    const ripe = Math.max(...keys.map((key) => this.#ripeAt.get(key) ?? 0));
    const leftMs = ripe - performance.now();
    if (leftMs > 0) await this.#sleep(leftMs);
  }

  #note(key: string, ms: number): void {
    if (ms === 0 || this.#ripeAt.has(key)) return;
    keep(this.#ripeAt, key, performance.now() + ms);
  }
}

function keep(times: Map<string, number>, key: string, time: number): void {
  times.set(key, time);
  const [oldest] = times.keys();
  if (times.size > mostKnown && oldest !== undefined) times.delete(oldest);
}

/** The payments that a call is about. */
const paymentsIn = ({ params = {}, body }: Pick<Call, 'params' | 'body'>): readonly string[] =>
  [...Object.values(params), ...[member(writtenIn(body), 'paymentIds')].flat()].map((payment) =>
    paymentKey(String(payment)),
  );

const isUnknown = ({ status, asksForSca, messages }: Answer): boolean =>
  status === 404 ||
  (status >= 400 &&
    status < 500 &&
    !asksForSca &&
    messages.some(({ code }) => code === 'RESOURCE_UNKNOWN' || code === 'NOT_FOUND'));

/** What a body says that is sent as it was written: with white space, for one. */
const writtenIn = (body: unknown): unknown => (Buffer.isBuffer(body) ? parseBounded(body)?.value : body);

/** Who does not answer is told of elsewhere. */
const unlessSilent = (error: unknown): undefined => {
  if (!(error instanceof NoAnswerError)) throw error;
};

const sessionKey = (psuId: string, sessionId: string): string =>
  `session ${psuId.toLowerCase()} ${sessionId}`;
const paymentKey = (id: string): string => `payment ${id}`;
