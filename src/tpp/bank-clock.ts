/** No clock in use is off by more; a Date that is (1970, the year 9999) was never read from one. */
const mostMs = 30 * 24 * 60 * 60 * 1000;

/** Whether a Date header can be the time of the answer that it stands in. */
export function isPossibleDate(date: string, now: number = Date.now()): boolean {
  const time = Date.parse(date);
  return Math.abs(time - now) <= mostMs;
}

/** After so many answers that agree, as many in a row have to say otherwise. */
const mostSupport = 8;

/** What answers have said of the offset, in milliseconds. */
interface Interval {
  lowest: number;
  highest: number;
  /** How many answers it is of. */
  support: number;
}

/** Narrows the interval to what the other says as well; false where they contradict each other. */
function narrow(known: Interval, { lowest, highest }: Interval): boolean {
  if (lowest > known.highest || highest < known.lowest) return false;
  known.lowest = Math.max(known.lowest, lowest);
  known.highest = Math.min(known.highest, highest);
  known.support += 1;
  return true;
}

/**
 * The bank's clock as its `Date` response headers tell it. A header says only the second, so each answer narrows
 * the offset to an interval, and the intervals of several answers are intersected.
 */
export class BankClock {
  #known: Interval | undefined;
  /** What the latest answers say, where that is something else. */
  #otherwise: Interval | undefined;
  #isDistrusted = false;

  /**
   * Takes the Date header of an answer that was asked for at `sent` and had come by `received` (milliseconds). What comes
   * from a cache says its Age in seconds (RFC 9111, 5.1).
   */
  observe(date: string | undefined, sent: number, received: number, age = 0): void {
    if (this.#isDistrusted || date === undefined || !isPossibleDate(date, received)) return;
    // The clock of this machine was set in between: of that answer nobody knows when it was asked for.
    if (received < sent) return;
    const second = Date.parse(date) + (Number.isSafeInteger(age) && age > 0 ? age * 1000 : 0);
    // An Age of centuries is none either, and no date can be made of that.
    if (Math.abs(second - received) > mostMs) return;
    const told: Interval = { lowest: second - received, highest: second + 1000 - sent, support: 1 };
    if (this.#known === undefined || narrow(this.#known, told)) {
      this.#known ??= told;
      this.#otherwise = undefined;
      return;
    }
    if (this.#otherwise === undefined || !narrow(this.#otherwise, told)) this.#otherwise = told;
    // One part of a bank may have a wrong clock, or a cache before it. A clock that was set is wrong in every answer.
    if (this.#otherwise.support < Math.min(this.#known.support, mostSupport)) return;
    this.#known = this.#otherwise;
    this.#otherwise = undefined;
  }

  /** What the bank writes as its Date is not what it goes by: from now on our own clock is used. */
  distrust(): void {
    this.#isDistrusted = true;
    this.#known = undefined;
  }

  get measured(): boolean {
    return this.#known !== undefined;
  }

  /** Milliseconds by which the bank's clock is ahead of ours; 0 while nothing is known. */
  get offsetMs(): number {
    return this.#known === undefined ? 0 : (this.#known.lowest + this.#known.highest) / 2;
  }

  /** How far the offset may be off, in milliseconds. */
  get uncertaintyMs(): number {
    return this.#known === undefined ? 1000 : (this.#known.highest - this.#known.lowest) / 2;
  }

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }
}
