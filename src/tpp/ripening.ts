import { setTimeout } from 'node:timers/promises';
import { member } from '../spec/json.ts';
import { type Answer, parseBounded } from './answer.ts';
import type { Call, Psu } from './call.ts';
import { NoAnswerError } from './exchange.ts';

/** So much is waited in excess of what was seen once. */
const margin = 1.5;

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
    if (this.#paymentMs === 0 || answer.status !== 201) return;
    const id = answer.text('paymentId');
    if (id !== undefined) this.#note(paymentKey(id), this.#paymentMs);
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
    this.#ripeAt.set(key, performance.now() + ms);
    const [oldest] = this.#ripeAt.keys();
    if (this.#ripeAt.size > mostKnown && oldest !== undefined) this.#ripeAt.delete(oldest);
  }
}

/** What a body says that is sent as it was written: with white space, for one. */
const writtenIn = (body: unknown): unknown => (Buffer.isBuffer(body) ? parseBounded(body)?.value : body);

/** Who does not answer is told of elsewhere. */
const unlessSilent = (error: unknown): undefined => {
  if (!(error instanceof NoAnswerError)) throw error;
};

const sessionKey = (psuId: string, sessionId: string): string =>
  `session ${psuId.toLowerCase()} ${sessionId}`;
const paymentKey = (id: string): string => `payment ${id}`;
