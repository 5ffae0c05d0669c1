import { headerValue } from './exchange.ts';
import type { WireResponse } from './transport.ts';

/** Who is answered after this many further requests is not waited for any more. */
const mostRemembered = 2_000;

/**
 * So many have to come mixed up once more for a status to be one that the bank answers so, and times as many as not. A bank
 * that remembers no id of what it refuses knows that of what it has done: there it takes more than two chances in a row.
 */
const fewest = { again: 2, againWhereDone: 4, timesRighted: 4 } as const;

/** What became of answers that named another request, when theirs was sent again: once more mixed up, or not. */
interface Repeated {
  again: number;
  righted: number;
}

type Named = Pick<WireResponse, 'status' | 'headers'>;

/**
 * Finds answers to other requests: a proxy that reuses a connection after a time-out hands the answer that comes late to
 * whoever asks next. A bank that repeats X-Request-ID (as the framework has it) tells which request it answers. The
 * specification does not ask for that: one that repeats others than it was sent, most of the time or with answers of one
 * status, as banks do that remember the id of a request only once they have taken it, only repeats them badly.
 */
export class MixedUpAnswers {
  readonly #sent = new Set<string>();
  #right = 0;
  #mixedUp = 0;
  readonly #refused = new WeakSet<Named>();
  readonly #repeated = new Map<number, Repeated>();

  sent(requestId: string | undefined): void {
    if (requestId === undefined) return;
    this.#sent.add(requestId);
    const [oldest] = this.#sent;
    if (this.#sent.size > mostRemembered && oldest !== undefined) this.#sent.delete(oldest);
  }

  /**
   * Whether what came is the answer to another request than the one with this id. `before` is what the same request was
   * answered just before.
   */
  isOfAnother(response: Named, requestId: string | undefined, before?: Named): boolean {
    const named = headerValue(response.headers, 'x-request-id');
    const isRight = named === requestId;
    const namesAnother = !isRight && requestId !== undefined && named !== undefined && this.#sent.has(named);
    if (isRight && named !== undefined) this.#right += 1;
    if (namesAnother) this.#mixedUp += 1;
    this.#compare(response.status, namesAnother, before);
    if (!namesAnother || this.#right <= this.#mixedUp || this.#isUsualFor(response.status)) return false;
    this.#refused.add(response);
    return true;
  }

  /** Whether it was found to be the answer to another request. */
  hasTurnedAway(response: Named | undefined): boolean {
    return response !== undefined && this.#refused.has(response);
  }

  #compare(status: number, namesAnother: boolean, before: Named | undefined): void {
    if (before === undefined || !this.#refused.has(before)) return;
    const repeated = this.#repeatedOf(before.status);
    if (namesAnother && status === before.status) repeated.again += 1;
    else repeated.righted += 1;
  }

  #isUsualFor(status: number): boolean {
    const { again, righted } = this.#repeatedOf(status);
    const isOften = again >= (status < 400 ? fewest.againWhereDone : fewest.again);
    return isOften && again > fewest.timesRighted * righted;
  }

  #repeatedOf(status: number): Repeated {
    const known = this.#repeated.get(status) ?? { again: 0, righted: 0 };
    this.#repeated.set(status, known);
    return known;
  }
}
