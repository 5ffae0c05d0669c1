import { headerValue } from './exchange.ts';
import type { WireResponse } from './transport.ts';

/** Who is answered after this many further requests is not waited for any more. */
const mostRemembered = 2_000;

/**
 * Finds answers to other requests: a proxy that reuses a connection after a time-out hands the answer that comes late to
 * whoever asks next. A bank that repeats X-Request-ID (as the framework has it) tells which request it answers. One that
 * repeats others than it was sent, most of the time, only repeats them badly.
 */
export class MixedUpAnswers {
  readonly #sent = new Set<string>();
  #right = 0;
  #mixedUp = 0;

  sent(requestId: string | undefined): void {
    if (requestId === undefined) return;
    this.#sent.add(requestId);
    const [oldest] = this.#sent;
    if (this.#sent.size > mostRemembered && oldest !== undefined) this.#sent.delete(oldest);
  }

  /** Whether what came is the answer to another request than the one with this id. */
  isOfAnother({ headers }: Pick<WireResponse, 'headers'>, requestId: string | undefined): boolean {
    const named = headerValue(headers, 'x-request-id');
    if (named === undefined || requestId === undefined) return false;
    if (named === requestId) this.#right += 1;
    else if (this.#sent.has(named)) {
      this.#mixedUp += 1;
      return this.#right > this.#mixedUp;
    }
    return false;
  }
}
