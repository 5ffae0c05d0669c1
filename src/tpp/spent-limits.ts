import { steadyNow } from '../spec/steady-clock.ts';

/**
 * So many times the least pause is an operation turned away, and never taken, until its limit counts as spent: a minute and
 * a half, since limits are for a second or a minute, and whoever turns away for longer means a day.
 */
const spentAfter = 450;

/** So often at least. */
const fewestTimes = 10;

/** Who has not been turned away for so many times the least pause begins anew. */
const forgottenAfter = 150;

interface TurnedAway {
  readonly since: number;
  readonly times: number;
  readonly latest: number;
}

/**
 * Knows the operations that a bank takes no more, while it answers others: its payments of a day may be used up. What is
 * asked for then is asked for once, and has nothing to do with the pace; otherwise a run would crawl to its end.
 */
export class SpentLimits {
  readonly #turnedAway = new Map<string, TurnedAway>();
  readonly #spent = new Set<string>();

  has(operation: string): boolean {
    return this.#spent.has(operation);
  }

  answered(operation: string): void {
    this.#turnedAway.delete(operation);
    this.#spent.delete(operation);
  }

  /** An operation was turned away by 429 or 503; the bank has last answered, whatever it was asked for, at that time. */
  turnedAway(operation: string, lastAnswerAt = 0, patienceMs = 0, now: number = steadyNow()): void {
    const before = this.#turnedAway.get(operation);
    const isRecent = before !== undefined && now - before.latest <= forgottenAfter * patienceMs;
    const { since, times } = isRecent ? before : { since: now, times: 0 };
    this.#turnedAway.set(operation, { since, times: times + 1, latest: now });
    if (times + 1 >= fewestTimes && lastAnswerAt - since > spentAfter * patienceMs)
      this.#spent.add(operation);
  }
}
