/** No clock in use is off by more; a Date that is (1970, the year 9999) was never read from one. */
const mostMs = 30 * 24 * 60 * 60 * 1000;

/** Whether a Date header can be the time of the answer that it stands in. */
export function isPossibleDate(date: string, now: number = Date.now()): boolean {
  const time = Date.parse(date);
  return Math.abs(time - now) <= mostMs;
}

/**
 * The bank's clock as its `Date` response headers tell it. A header says only the second, so each answer narrows
 * the offset to an interval, and the intervals of several answers are intersected.
 */
export class BankClock {
  #lowest = Number.NEGATIVE_INFINITY;
  #highest = Number.POSITIVE_INFINITY;
  #isDistrusted = false;

  /** Takes the Date header of an answer that was asked for at `sent` and had come by `received` (milliseconds). */
  observe(date: string | undefined, sent: number, received: number): void {
    const second = date === undefined ? Number.NaN : Date.parse(date);
    if (this.#isDistrusted || date === undefined || !isPossibleDate(date, received)) return;
    const lowest = second - received;
    const highest = second + 1000 - sent;
    if (lowest > this.#highest || highest < this.#lowest) {
      // The clock was set, or a proxy's Date came from a cache: what was known before holds no longer.
      this.#lowest = lowest;
      this.#highest = highest;
      return;
    }
    this.#lowest = Math.max(this.#lowest, lowest);
    this.#highest = Math.min(this.#highest, highest);
  }

  /** What the bank writes as its Date is not what it goes by: from now on our own clock is used. */
  distrust(): void {
    this.#isDistrusted = true;
    this.#lowest = Number.NEGATIVE_INFINITY;
    this.#highest = Number.POSITIVE_INFINITY;
  }

  get measured(): boolean {
    return Number.isFinite(this.#lowest);
  }

  /** Milliseconds by which the bank's clock is ahead of ours; 0 while nothing is known. */
  get offsetMs(): number {
    return this.measured ? (this.#lowest + this.#highest) / 2 : 0;
  }

  /** How far the offset may be off, in milliseconds. */
  get uncertaintyMs(): number {
    return this.measured ? (this.#highest - this.#lowest) / 2 : 1000;
  }

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }
}
