/** So many answers are looked at together: of fewer, chance alone would make a bank look slow. */
const looksAt = 32;

/** Never fewer are under way at once, unless fewer may be. */
const fewest = 4;

/** Where fewer at once lower the number of answers in a time to this share, the bank was not asked too much. */
const worthIt = 0.6;

/** After so many looks at a bank that is asked little and slow all the same, it is asked more; later where that did not help. */
const firstAskedMoreAfter = 4;
const lastAskedMoreAfter = 32;

/** After so many answers one more connection is tried, and the more often that goes wrong the later. */
const firstTryAfter = 32;
const lastTryAfter = 2_048;

interface Look {
  readonly since: number;
  answered: number;
  latencyMs: number;
}

/** With so many under way, how long an answer took and how many came in a time. */
interface Seen {
  readonly limit: number;
  readonly meanMs: number;
  readonly perMs: number;
}

/**
 * How many requests may be under way at once: fewer where answers take ever longer. A bank that is asked too much gives
 * as many answers in a time when fewer are under way. One that is slow, or uneven, by itself gives fewer: asking it less
 * would make a run crawl and help nobody, so its latency is taken for its own from then on. Whether it is one or the other
 * may change within a run, so that a bank that is asked little is asked more from time to time.
 */
export class InFlightLimit {
  readonly #allowed: number;
  /** As many as may be, or as many as there are connections for. */
  #most: number;
  /** Answers until one more is tried, where there were too few connections. */
  #untilMore = firstTryAfter;
  #sinceRefusal = 0;
  readonly #now: () => number;
  #limit: number;
  #quickestMs = Number.POSITIVE_INFINITY;
  /** What its answers take whatever is under way. */
  #ownLatencyMs = 0;
  #look: Look;
  /** What was so before fewer were put under way. */
  #before: Seen | undefined;
  /** What was so with the fewest, while twice as many are tried. */
  #low: Seen | undefined;
  #untilAskedMore = firstAskedMoreAfter;
  #looksSinceAskedMore = 0;

  constructor(most: number, now: () => number = Date.now) {
    this.#allowed = most;
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
    this.#tryOneMore();
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

  /** One more than there is room for was under way. */
  notConnected(): void {
    this.#most = Math.max(1, Math.min(this.#most, this.#limit) - 1);
    this.#limit = Math.min(this.#limit, this.#most);
    this.#untilMore = Math.min(2 * this.#untilMore, lastTryAfter);
    this.#sinceRefusal = 0;
  }

  /** There may have been no room for other reasons, which are over by now. */
  #tryOneMore(): void {
    if (this.#most >= this.#allowed) return;
    this.#sinceRefusal += 1;
    if (this.#sinceRefusal < this.#untilMore) return;
    this.#sinceRefusal = 0;
    this.#most += 1;
    this.#limit += 1;
  }

  #adapt(meanMs: number, perMs: number): void {
    const seen: Seen = { limit: this.#limit, meanMs, perMs };
    if (this.#low !== undefined) {
      this.#compare(this.#low, seen);
      return;
    }
    const isStrained = meanMs > 4 * Math.max(this.#quickestMs, this.#ownLatencyMs) + 100;
    if (!isStrained) {
      this.#before = undefined;
      this.#limit = Math.min(this.#most, Math.ceil(this.#limit * 1.25));
      return;
    }
    this.#before ??= seen;
    const isTried = this.#limit <= Math.max(fewest, this.#before.limit / 4);
    if (isTried && perMs < worthIt * this.#before.perMs) this.#takeForOwn(meanMs);
    else if (this.#limit > fewest) this.#limit = Math.max(fewest, Math.floor(this.#limit * 0.75));
    else this.#askMore(seen);
  }

  #askMore(seen: Seen): void {
    this.#looksSinceAskedMore += 1;
    if (this.#looksSinceAskedMore < this.#untilAskedMore || this.#limit >= this.#most) return;
    this.#looksSinceAskedMore = 0;
    this.#low = seen;
    this.#limit = Math.min(this.#most, 2 * this.#limit);
  }

  /** Who gives as many more answers as more are under way was not asked too much. */
  #compare(low: Seen, { perMs }: Seen): void {
    this.#low = undefined;
    if (low.perMs < worthIt * perMs) {
      this.#untilAskedMore = firstAskedMoreAfter;
      this.#takeForOwn(low.meanMs);
      return;
    }
    this.#untilAskedMore = Math.min(2 * this.#untilAskedMore, lastAskedMoreAfter);
    this.#limit = Math.min(low.limit, this.#most);
  }

  #takeForOwn(latencyMs: number): void {
    this.#ownLatencyMs = latencyMs;
    this.#limit = Math.min(this.#before?.limit ?? this.#most, this.#most);
    this.#before = undefined;
  }

  #newLook(): Look {
    return { since: this.#now(), answered: 0, latencyMs: 0 };
  }
}
