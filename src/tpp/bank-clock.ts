import { dayMs } from '../spec/days.ts';
import { type Interval, narrow, SeveralClocks } from './several-clocks.ts';

/** No clock in use is off by more; a Date that is (1970, the year 9999) was never read from one. */
const mostMs = 30 * dayMs;

/** Whether a Date header can be the time of the answer that it stands in. */
export function isPossibleDate(date: string, now: number = Date.now()): boolean {
  const time = Date.parse(date);
  return Math.abs(time - now) <= mostMs;
}

/** After so many answers that agree, as many in a row have to say otherwise. */
const mostSupport = 8;

/**
 * The bank's clock as its `Date` response headers tell it. A header says only the second, so each answer narrows
 * the offset to an interval, and the intervals of several answers are intersected.
 */
export class BankClock {
  #known: Interval | undefined;
  /** What the latest answers say, where that is something else. */
  #otherwise: Interval | undefined;
  readonly #clocks = new SeveralClocks();
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
    this.#clocks.observe(told);
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
    const told = this.#told;
    return told === undefined ? 0 : (told.lowest + told.highest) / 2;
  }

  /** How far the offset may be off, in milliseconds. */
  get uncertaintyMs(): number {
    const told = this.#told;
    return told === undefined ? 1000 : (told.highest - told.lowest) / 2;
  }

  /** Which of several machines answers next is not known: a date has to suit them all. */
  get #told(): Pick<Interval, 'lowest' | 'highest'> | undefined {
    return this.#known === undefined ? undefined : (this.#clocks.spread ?? this.#known);
  }

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }
}
