/**
 * The bank's clock as its `Date` response headers tell it. A header says only the second, so each answer narrows
 * the offset to an interval, and the intervals of several answers are intersected.
 */
export class BankClock {
  #lowest = Number.NEGATIVE_INFINITY;
  #highest = Number.POSITIVE_INFINITY;

  /** Takes the Date header of an answer that was asked for at `sent` and had come by `received` (milliseconds). */
  observe(date: string | undefined, sent: number, received: number): void {
    const second = date === undefined ? Number.NaN : Date.parse(date);
    if (Number.isNaN(second)) return;
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
