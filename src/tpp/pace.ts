import { steadyNow } from '../spec/steady-clock.ts';
import { NoAnswerError, type TroubleKind } from './exchange.ts';
import { InFlightLimit } from './in-flight-limit.ts';
import { StartGap } from './start-gap.ts';

/** How many requests a run may send, and as what it was asked for: `300` or `30s`. */
export interface Budget {
  readonly asked: string;
  readonly requests: number;
}

export interface PaceLimits {
  /** Requests in flight at once. */
  readonly concurrency: number;
  /** Requests started per second; unlimited when absent. */
  readonly requestsPerSecond?: number;
  /** No request is started after so many milliseconds; unlimited when absent. */
  readonly maxTimeMs?: number;
  /** What the run was asked to stay within: what does not fit in is not sent. */
  readonly budget?: Budget;
  /** The least pause before a further attempt; short in tests and proofs. */
  readonly patienceMs?: number;
}

/** The least pause before a further attempt, where nothing else is said. */
export const usualPatienceMs = 200;

/** Never slower than so many times the patience between two starts. */
const slowestGap = 5;

/** Requests in a row without a usable answer, on all connections, after which it is asked whether anybody is there. */
const doubtfulAfter = 8;

/** Whoever has answered so short a time ago is there. */
const recentMs = 2_000;

/** The longest time that a timer of Node can be set to. */
const longestTimerMs = 2 ** 31 - 1;

interface Waiting {
  readonly start: () => void;
  readonly fail: (error: Error) => void;
}

/**
 * Lets requests through so that latency is hidden and a small sandbox is not flooded. It starts as quick as it may,
 * slows down to what the bank takes when many are turned away or answers take ever longer, and picks up with every
 * window in which that is no longer so. A pause that a single request was asked for is that request's own.
 */
export class Pace {
  readonly #inFlightLimit: InFlightLimit;
  readonly #startGap: StartGap;
  /** By sender, in the order in which they came. */
  readonly #waiting = new Map<object, Waiting[]>();
  readonly #sleeping = new Set<() => void>();
  #inFlight = 0;
  #nextStart = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  readonly #deadline: NodeJS.Timeout | undefined;
  #slowestMs = 0;
  #unanswered = 0;
  #hasLost = false;
  #sent = 0;
  readonly #budget: Budget | undefined;
  #lastAnswerAt: number | undefined;
  #isClosed = false;
  /** Who waits in it goes before all others. */
  readonly #firstLane = {};
  /** Those who want nobody beside them now, and whether that holds for all. */
  #wantAlone = 0;
  #isOneByOne = false;
  #ended: { readonly kind: TroubleKind; readonly reason: string } | undefined;

  constructor(limits: PaceLimits) {
    this.#inFlightLimit = new InFlightLimit(Math.max(1, limits.concurrency));
    this.#startGap = new StartGap(
      limits.requestsPerSecond === undefined ? 0 : 1000 / limits.requestsPerSecond,
      slowestGap * (limits.patienceMs ?? usualPatienceMs),
    );
    const { maxTimeMs, budget } = limits;
    this.#budget = budget;
    if (maxTimeMs !== undefined && maxTimeMs <= longestTimerMs) {
      const reason = `The time of the run is used up: ${Math.round(maxTimeMs / 1000)} s (--max-time).`;
      this.#deadline = setTimeout(() => this.end('timeout', reason), maxTimeMs).unref();
    }
  }

  /**
   * Runs it when its turn has come; throws a {@link NoAnswerError} when the run has ended by then. Who has the fewest
   * waiting goes first: who sends one request after the other would otherwise wait behind hundreds with every one.
   */
  async run<T>(send: () => Promise<T>, sender: object = {}): Promise<T> {
    await new Promise<void>((start, fail) => {
      const before = this.#waiting.get(sender);
      if (before === undefined) this.#waiting.set(sender, [{ start, fail }]);
      else before.push({ start, fail });
      this.#admit();
    });
    try {
      return await send();
    } finally {
      this.#inFlight -= 1;
      this.#admit();
    }
  }

  /** Counts a request that is about to be sent; throws a {@link NoAnswerError} where the budget has none left. */
  spend(): void {
    const budget = this.#budget;
    if (budget !== undefined && this.#sent >= budget.requests) {
      this.end('budget', `The budget of the run is used up: --budget ${budget.asked}.`);
      throw this.ended;
    }
    this.#sent += 1;
  }

  /** Requests sent so far, those for pages of SCA included. */
  get sent(): number {
    return this.#sent;
  }

  /** Runs it with no other under way, as soon as those are done: all that wait do so meanwhile. */
  async alone<T>(send: () => Promise<T>): Promise<T> {
    this.#wantAlone += 1;
    try {
      return await this.run(send, this.#firstLane);
    } finally {
      this.#wantAlone -= 1;
      this.#admit();
    }
  }

  /** From now on one request is under way at a time. */
  oneByOne(): void {
    this.#isOneByOne = true;
  }

  /** Whether more than one request is under way. */
  get hasCompany(): boolean {
    return this.#inFlight > 1;
  }

  get #mostInFlight(): number {
    return this.#isOneByOne || this.#wantAlone > 0 ? 1 : this.#inFlightLimit.limit;
  }

  /** Waits without taking a place; not longer than the run. */
  async wait(ms: number): Promise<void> {
    if (this.#ended !== undefined || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#sleeping.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(ms, longestTimerMs));
      this.#sleeping.add(wake);
    });
  }

  /** The bank has answered. */
  answered(latencyMs: number): void {
    this.#unanswered = 0;
    this.#lastAnswerAt = steadyNow();
    this.#slowestMs = Math.max(this.#slowestMs, latencyMs);
    this.#inFlightLimit.answered(latencyMs, this.#inFlight >= this.#inFlightLimit.limit);
    this.#startGap.taken();
    if (!this.#isClosed) return;
    this.#isClosed = false;
    this.#startGap.forget();
    this.#admit();
  }

  /** The bank, or what stands before it, has asked for patience: 429 or 503. */
  turnedAway(): void {
    this.#unanswered += 1;
    this.#startGap.turnedAway();
  }

  /** A request has died on the way, or a gateway could not hand it on. */
  lost(): void {
    this.#unanswered += 1;
    this.#hasLost = true;
  }

  /** Whether any request has been lost: an answer that comes late may be handed to whoever asks next. */
  get hasLost(): boolean {
    return this.#hasLost;
  }

  /**
   * No connection came about. Where the bank answers others meanwhile, it takes fewer at once than are under way: some
   * allow a handful for each client.
   */
  notConnected(): void {
    const isThere = this.#lastAnswerAt !== undefined && steadyNow() - this.#lastAnswerAt < recentMs;
    if (isThere) this.#inFlightLimit.notConnected();
  }

  /** Whether so many requests in a row got no usable answer that somebody has to ask whether the bank is there at all. */
  get isDoubtful(): boolean {
    return this.#unanswered >= doubtfulAfter;
  }

  /** Requests in a row without a usable answer. */
  get unansweredInARow(): number {
    return this.#unanswered;
  }

  /** When the bank last answered; undefined when it never has. */
  get lastAnswerAt(): number | undefined {
    return this.#lastAnswerAt;
  }

  /** The time in which a bank that is there would have answered. */
  patienceWith(timeoutMs: number): number {
    return Math.min(timeoutMs, Math.max(3000, 2 * this.#slowestMs));
  }

  /** Starts nothing more until the bank has answered again. */
  close(): void {
    this.#isClosed = true;
  }

  /** Starts nothing more at all. Whoever waits for a turn is told why. */
  end(kind: TroubleKind, reason: string): void {
    this.#ended ??= { kind, reason };
    clearTimeout(this.#deadline);
    for (const wake of [...this.#sleeping]) wake();
    this.#admit();
  }

  /** Why the run has ended, for whoever is about to try again. */
  get ended(): NoAnswerError | undefined {
    return this.#ended === undefined
      ? undefined
      : new NoAnswerError(this.#ended.kind, this.#ended.reason, []);
  }

  #admit(): void {
    clearTimeout(this.#timer);
    const { ended } = this;
    if (ended !== undefined) {
      const all = [...this.#waiting.values()].flat();
      this.#waiting.clear();
      for (const { fail } of all) fail(ended);
      return;
    }
    while (this.#waiting.size > 0 && this.#inFlight < this.#mostInFlight && !this.#isClosed) {
      const now = steadyNow();
      if (this.#nextStart > now) {
        this.#timer = setTimeout(() => this.#admit(), this.#nextStart - now);
        return;
      }
      // A timer that was late by a millisecond must not make the whole run slower.
      this.#nextStart = Math.max(this.#nextStart, now - 1) + this.#startGap.ms;
      this.#inFlight += 1;
      this.#takeNext()?.start();
    }
  }

  #takeNext(): Waiting | undefined {
    const first = this.#waiting.get(this.#firstLane);
    let next: readonly [object, Waiting[]] | undefined = first && [this.#firstLane, first];
    for (const lane of first === undefined ? this.#waiting : []) {
      if (next === undefined || lane[1].length < next[1].length) next = lane;
      if (next[1].length === 1) break;
    }
    if (next === undefined) return undefined;
    const [sender, requests] = next;
    const taken = requests.shift();
    if (requests.length === 0) this.#waiting.delete(sender);
    return taken;
  }
}
