import { steadyNow } from '../spec/steady-clock.ts';
import type { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import type { Pace } from './pace.ts';
import { isBack, kindOf, outage, silence } from './trouble-text.ts';

/** A shorter silence is not worth telling of. */
const tellingMs = 3_000;

/** So often is the bank asked, however short the time for which it is waited for. */
const fewestAttempts = 3;

export interface SittingOut {
  /** For how long a single silence is sat out. */
  readonly longestMs: number;
  /** The pause before the next attempt, by what became of the last one. */
  pauseMs(seen: Exchange, attempt: number): number;
  /** Asks for something that changes nothing, and tells the pace whether that was answered. */
  ask(attempt: number): Promise<Exchange>;
  /** Is told that the bank has fallen silent, for how long it is waited for, and when it answers again. */
  tell?(text: string): void;
}

/**
 * Sits out the silences of a bank, such as a restart. One that falls silent again and again may do so for as long once
 * more as it has answered in between: otherwise a run would crawl from one silence to the next.
 */
export class Silences {
  readonly #begunAt: number;
  #pastMs = 0;

  constructor(begunAt: number = steadyNow()) {
    this.#begunAt = begunAt;
  }

  /**
   * Asks, one request at a time, until the bank answers or has been waited for long enough. The others wait: a bank that
   * is down is not asked to the end of the run.
   */
  async sitOut(pace: Pace, last: Exchange, { longestMs, pauseMs, ask, tell }: SittingOut): Promise<void> {
    const since = pace.lastAnswerAt ?? steadyNow();
    const mayLastMs = this.#mayLastMs(longestMs, since);
    let seen = last;
    let isTold = false;
    for (let attempt = 1; pace.isDoubtful && pace.ended === undefined; attempt += 1) {
      const silentMs = steadyNow() - since;
      if (attempt > fewestAttempts && silentMs > mayLastMs) {
        pace.end(kindOf(seen), silence(pace.unansweredInARow, seen, since, this.#pastMs));
        return;
      }
      if (!isTold && silentMs > tellingMs && silentMs < mayLastMs) {
        isTold = true;
        tell?.(outage(seen, mayLastMs));
      }
      await pace.wait(pauseMs(seen, attempt));
      if (pace.isDoubtful && pace.ended === undefined) seen = await ask(attempt);
    }
    this.#pastMs += steadyNow() - since;
    if (isTold && pace.ended === undefined) tell?.(isBack(since));
  }

  /** For how long one may last that has begun at this time. */
  #mayLastMs(longestMs: number, since: number): number {
    const answeredMs = Math.max(0, since - this.#begunAt - this.#pastMs);
    return Math.min(longestMs, Math.max(0, longestMs + answeredMs - this.#pastMs));
  }
}

/** Whether the same request may be sent at any time to ask for the bank: it changes nothing, and nobody counts it. */
export const tellsWhoIsThere = ({ exchange: { operation }, isSuccess, asksForSca }: Answer): boolean =>
  (isSuccess || asksForSca) && ['listAccounts', 'startUserFlow', 'listSandboxCustomers'].includes(operation);
