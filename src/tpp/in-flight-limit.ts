/** So many answers are looked at together: of fewer, chance alone would make a bank look slow. */
const looksAt = 32;

/** Never fewer are under way at once, unless fewer may be. */
const fewest = 4;

/** Where fewer at once lower the number of answers in a time to this share, the bank was not asked too much. */
const worthIt = 0.6;

interface Look {
  readonly since: number;
  answered: number;
  latencyMs: number;
}

/**
 * How many requests may be under way at once: fewer where answers take ever longer. A bank that is asked too much gives
 * as many answers in a time when fewer are under way. One that is slow, or uneven, by itself gives fewer: asking it less
 * would make a run crawl and help nobody, so its latency is taken for its own from then on.
 */
export class InFlightLimit {
  readonly #most: number;
  readonly #now: () => number;
  #limit: number;
  #quickestMs = Number.POSITIVE_INFINITY;
  /** What its answers take whatever is under way. */
  #ownLatencyMs = 0;
  #look: Look;
  /** What was so before fewer were put under way. */
  #before: { readonly limit: number; readonly perMs: number } | undefined;

  constructor(most: number, now: () => number = Date.now) {
    this.#most = most;
    this.#limit = most;
    this.#now = now;
    this.#look = this.#newLook();
  }

  get limit(): number {
    return this.#limit;
  }

  /** `isFull` when as many are under way as may be: the answers to fewer say nothing of the limit. */
  answered(latencyMs: number, isFull: boolean): void {
    this.#quickestMs = Math.min(this.#quickestMs, latencyMs);
    if (!isFull) {
      this.#look = this.#newLook();
      return;
    }
    this.#look.answered += 1;
    this.#look.latencyMs += latencyMs;
    if (this.#look.answered < looksAt) return;
    const { since, answered, latencyMs: sum } = this.#look;
    this.#look = this.#newLook();
    this.#adapt(sum / answered, answered / Math.max(this.#now() - since, 1));
  }

  #adapt(meanMs: number, perMs: number): void {
    const isStrained = meanMs > 4 * Math.max(this.#quickestMs, this.#ownLatencyMs) + 100;
    if (!isStrained) {
      this.#before = undefined;
      this.#limit = Math.min(this.#most, Math.ceil(this.#limit * 1.25));
      return;
    }
    this.#before ??= { limit: this.#limit, perMs };
    const isTried = this.#limit <= Math.max(fewest, this.#before.limit / 4);
    if (isTried && perMs < worthIt * this.#before.perMs) {
      this.#ownLatencyMs = meanMs;
      this.#limit = this.#before.limit;
      this.#before = undefined;
      return;
    }
    this.#limit = Math.min(this.#limit, Math.max(fewest, Math.floor(this.#limit * 0.75)));
  }

  #newLook(): Look {
    return { since: this.#now(), answered: 0, latencyMs: 0 };
  }
}
