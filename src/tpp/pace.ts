import { setTimeout as sleep } from 'node:timers/promises';

export interface PaceLimits {
  /** Requests in flight at once. */
  readonly concurrency: number;
  /** Requests started per second; unlimited when absent. */
  readonly requestsPerSecond?: number;
}

/** Lets requests through so that latency is hidden and a small sandbox is not flooded. */
export class Pace {
  readonly #concurrency: number;
  #gapMs: number;
  #inFlight = 0;
  #nextStart = 0;
  #pausedUntil = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limits: PaceLimits) {
    this.#concurrency = Math.max(1, limits.concurrency);
    this.#gapMs = limits.requestsPerSecond === undefined ? 0 : 1000 / limits.requestsPerSecond;
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

  /** The bank asked for patience: nobody starts before the pause is over, and the pace slows down. */
  holdBack(pauseMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + pauseMs);
    this.#gapMs = Math.min(Math.max(this.#gapMs * 1.5, 2), 500);
  }

  async #turn(): Promise<void> {
    for (;;) {
      const now = Date.now();
      const start = Math.max(now, this.#nextStart, this.#pausedUntil);
      this.#nextStart = Math.max(now, this.#nextStart) + this.#gapMs;
      if (start <= now) return;
      await sleep(start - now);
      if (Date.now() >= this.#pausedUntil) return;
    }
  }
}
