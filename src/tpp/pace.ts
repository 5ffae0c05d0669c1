import { setTimeout as sleep } from 'node:timers/promises';

export interface PaceLimits {
  /** Requests in flight at once. */
  readonly concurrency: number;
  /** Requests started per second; unlimited when absent. */
  readonly requestsPerSecond?: number;
}

/**
 * The pace that a bank which asked for patience gets, in milliseconds between two starts. It picks up after some time
 * without being turned away, or after so many requests: a bank that stumbles over one in a hundred is not overloaded.
 */
const slowed = { least: 10, most: 1000, pickUpAfter: 10_000, orAfterStarts: 40 } as const;

/** Lets requests through so that latency is hidden and a small sandbox is not flooded. */
export class Pace {
  readonly #concurrency: number;
  readonly #ownGapMs: number;
  #gapMs: number;
  #inFlight = 0;
  #nextStart = 0;
  #pausedUntil = 0;
  #startsSinceChange = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limits: PaceLimits) {
    this.#concurrency = Math.max(1, limits.concurrency);
    this.#ownGapMs = limits.requestsPerSecond === undefined ? 0 : 1000 / limits.requestsPerSecond;
    this.#gapMs = this.#ownGapMs;
  }

  async run<T>(send: () => Promise<T>): Promise<T> {
    if (this.#inFlight >= this.#concurrency)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inFlight += 1;
    try {
      await this.#turn();
      return await send();
    } finally {
      const next = this.#waiting.shift();
      // A place that is handed on stays taken.
      if (next === undefined) this.#inFlight -= 1;
      else next();
    }
  }

  /** The bank asked for patience: nobody starts before the pause is over, and the pace slows down for a while. */
  holdBack(pauseMs: number): void {
    const now = Date.now();
    // Requests that were in flight together are turned away together, which is one reason to slow down, not many.
    if (now >= this.#pausedUntil) {
      this.#gapMs = Math.min(Math.max(this.#gapMs * 2, slowed.least), slowed.most);
      this.#startsSinceChange = 0;
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs);
  }

  async #turn(): Promise<void> {
    this.#startsSinceChange += 1;
    for (;;) {
      const now = Date.now();
      this.#pickUp(now);
      const start = Math.max(now, this.#nextStart, this.#pausedUntil);
      this.#nextStart = start + this.#gapMs;
      if (start <= now) return;
      await sleep(start - now);
      if (Date.now() >= this.#pausedUntil) return;
    }
  }

  /** One rough moment of the bank must not slow down the rest of a long run. */
  #pickUp(now: number): void {
    if (this.#gapMs <= this.#ownGapMs || now < this.#pausedUntil) return;
    const waitedLong = now >= this.#pausedUntil + slowed.pickUpAfter;
    if (!waitedLong && this.#startsSinceChange <= slowed.orAfterStarts) return;
    this.#startsSinceChange = 0;
    this.#gapMs = Math.max(this.#ownGapMs, this.#gapMs / 2);
    if (this.#gapMs < 1) this.#gapMs = this.#ownGapMs;
    this.#pausedUntil = now;
  }
}
