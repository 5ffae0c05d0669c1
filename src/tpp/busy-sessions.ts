import type { Pace } from './pace.ts';
import type { WireResponse } from './transport.ts';

/** What a bank answers that is at another request of the session: 409 (Conflict) or 423 (Locked). */
const saysBusy: ReadonlySet<number> = new Set([409, 423]);

/** So many different answers are doubted: who says the same to a request that was sent alone means the request. */
const mostDoubted = 12;

/**
 * Freedom: wire/one-of-a-session. What is answered so in company is sent once more alone; where that changes the
 * answer, all others go one after the other from then on.
 */
export class BusySessions {
  /** By what was said: whether it was meant, once it is known. */
  readonly #verdicts = new Map<string, Promise<boolean>>();

  /**
   * What comes of the request when it is sent alone; undefined where the answer is not due to others that were under way.
   * To be alone it holds up all others, so that the same words are doubted once.
   */
  async again<T>(
    pace: Pace,
    { said, hadCompany, send, statusOf }: DoubtfulRequest<T>,
  ): Promise<T | undefined> {
    if (!hadCompany || !saysBusy.has(said.status)) return undefined;
    const words = wordsOf(said);
    const known = this.#verdicts.get(words);
    if (known !== undefined) return (await known) ? undefined : pace.alone(send);
    if (this.#verdicts.size >= mostDoubted) return undefined;
    const again = pace.alone(send);
    const isMeant = again.then(
      (answer) => (statusOf(answer) ?? said.status) === said.status,
      () => true,
    );
    this.#verdicts.set(words, isMeant);
    if (!(await isMeant)) pace.oneByOne();
    return again;
  }
}

interface DoubtfulRequest<T> {
  readonly said: Said;
  readonly hadCompany: boolean;
  readonly send: () => Promise<T>;
  readonly statusOf: (answer: T) => number | undefined;
}

interface Said extends Pick<WireResponse, 'status' | 'body'> {
  readonly operation: string;
}

/** Without what differs from one request to the next: ids, numbers and times. */
const wordsOf = ({ operation, status, body }: Said): string =>
  `${operation} ${status} ${body.toString('utf8', 0, 400).replace(/[\w-]*\d[\w-]*/g, '')}`;
