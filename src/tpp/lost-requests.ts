import { steadyNow } from '../spec/steady-clock.ts';
import type { Doubt } from './deadline.ts';

/** An operation that was answered so often is known, and takes no more than so many times what it took of late. */
const known = { answers: 8, times: 2 } as const;

/** What is left, with each further answer, of the time that one has taken: a halt of the bank is forgotten after dozens. */
const fading = 0.97;

/** No request is given up before. */
const leastMs = 2_000;

/** Who has been answered in the meantime was sent so much later: what the bank took up at the same time says nothing. */
const laterMs = 500;

/**
 * So many in a row of an operation were waited for in vain, while others were answered, that no more is expected of it:
 * then it is asked for once each time, and given up as soon as any is.
 */
const hopelessAfter = 4;

interface Known {
  answers: number;
  slowestMs: number;
}

interface InVain {
  readonly since: number;
  readonly requests: number;
  /** When the first of them was given up. */
  readonly givenUpAt: number;
  /** Whether one of them was sent after that: one halt takes all with it that are under way. */
  readonly isTriedAgain: boolean;
}

/**
 * Tells a request that is lost from one that takes its time: others that were sent later have been answered, and it is
 * still not, long after it would have been. To wait to the end for each of many that are lost would make a run crawl.
 * A bank that halts for a while answers nobody, so that nothing is given up then.
 */
export class LostRequests {
  readonly #known = new Map<string, Known>();
  readonly #inVain = new Map<string, InVain>();
  #sentLast = 0;
  #asking: Promise<void> | undefined;

  answered(operation: string, sentAt: number, durationMs: number): void {
    this.#sentLast = Math.max(this.#sentLast, sentAt);
    this.#inVain.delete(operation);
    const before = this.#known.get(operation);
    if (before === undefined) {
      this.#known.set(operation, { answers: 1, slowestMs: durationMs });
      return;
    }
    before.answers += 1;
    before.slowestMs = Math.max(fading * before.slowestMs, durationMs);
  }

  /** One that was sent at that time was waited for in vain. */
  gaveUp(operation: string, sentAt: number, at = steadyNow()): void {
    const before = this.#inVain.get(operation);
    const { since, requests, givenUpAt } = before ?? { since: sentAt, requests: 0, givenUpAt: at };
    const isTriedAgain = before?.isTriedAgain === true || sentAt >= givenUpAt;
    this.#inVain.set(operation, { since, requests: requests + 1, givenUpAt, isTriedAgain });
  }

  /** Whether an operation is not answered any more, or never was, while others are. */
  isHopeless(operation: string): boolean {
    const inVain = this.#inVain.get(operation);
    if (inVain === undefined || inVain.requests < hopelessAfter) return false;
    const mayBeAHalt = this.#known.has(operation) && !inVain.isTriedAgain;
    return !mayBeAHalt && this.#sentLast > inVain.since + laterMs;
  }

  /** Whether this one is lost; `ask` sends another one, where none is under way by which that could be seen. */
  doubtOf(operation: string, sentAt: number, ask: () => Promise<void>): Doubt | undefined {
    const { answers = 0, slowestMs = 0 } = this.#known.get(operation) ?? {};
    const isHopeless = this.isHopeless(operation);
    if (answers < known.answers && !isHopeless) return undefined;
    // Who is answered together with others after a halt may come a moment after them.
    let isSeen = false;
    return {
      afterMs: isHopeless ? leastMs : Math.max(leastMs, known.times * slowestMs),
      isLost: () => {
        if (isSeen) return true;
        isSeen = this.#sentLast > sentAt + laterMs;
        if (!isSeen) this.#ask(ask);
        return false;
      },
    };
  }

  /** One at a time, whoever asks. */
  #ask(ask: () => Promise<void>): void {
    this.#asking ??= ask()
      .catch(() => undefined)
      .finally(() => {
        this.#asking = undefined;
      });
  }
}
