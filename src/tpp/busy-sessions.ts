import type { Pace } from './pace.ts';

/** What a bank answers that is at another request of the session: 409 (Conflict) or 423 (Locked). */
const saysBusy: ReadonlySet<number> = new Set([409, 423]);

/** Who has answered so often the same to a request that was sent alone means the request, and is not asked again. */
const mostDoubted = 12;

/**
 * A bank may look at one request of a session at a time and turn away another that comes meanwhile: nothing is said of
 * requests side by side. What is answered so in company is sent once more alone; where that changes the answer, all
 * others go one after the other from then on.
 */
export class BusySessions {
  #doubted = 0;

  /** Whether the answer may be due to others that were under way. */
  isDoubtful(status: number, hadCompany: boolean): boolean {
    return hadCompany && saysBusy.has(status) && this.#doubted < mostDoubted;
  }

  /** Sends it alone, and learns from the difference. */
  async alone<T>(pace: Pace, send: () => Promise<T>, isDifferent: (again: T) => boolean): Promise<T> {
    this.#doubted += 1;
    const again = await pace.alone(send);
    if (isDifferent(again)) {
      this.#doubted = 0;
      pace.oneByOne();
    }
    return again;
  }
}
