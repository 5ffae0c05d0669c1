/** Lets what is under way settle before anybody is taken for alone: whoever has ended may make room for the next one. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** So many begin again alone before it counts as of no use: one of them may disturb itself. */
const mostInVain = 3;

/**
 * Lets checks that others may have disturbed begin again alone, one after the other, as soon as every other check has ended
 * or waits for the same.
 */
export class TurnsAlone {
  #underWay = 0;
  readonly #waiting: ((isTheirTurn: boolean) => void)[] = [];
  #isSomeoneAlone = false;
  #inVain = 0;
  #hasHelped = false;

  /** Runs a check among others. */
  async among<T>(judge: () => Promise<T>): Promise<T> {
    this.#underWay += 1;
    try {
      return await judge();
    } finally {
      this.#underWay -= 1;
      void this.#next();
    }
  }

  /** Waits until nobody else is under way; undefined where being alone has never helped those who tried. */
  async alone<T>(begin: () => Promise<T>, isTheSame: (outcome: T) => boolean): Promise<T | undefined> {
    if (this.#isInVain) return undefined;
    const isMyTurn = await new Promise<boolean>((resolve) => {
      this.#waiting.push(resolve);
      void this.#next();
    });
    if (!isMyTurn) return undefined;
    try {
      const outcome = await begin();
      if (isTheSame(outcome)) this.#inVain += 1;
      else this.#hasHelped = true;
      return outcome;
    } finally {
      this.#isSomeoneAlone = false;
    }
  }

  get #isInVain(): boolean {
    return !this.#hasHelped && this.#inVain >= mostInVain;
  }

  async #next(): Promise<void> {
    await settled();
    if (this.#isInVain) for (const go of this.#waiting.splice(0)) go(false);
    if (this.#isSomeoneAlone || this.#underWay > this.#waiting.length) return;
    const go = this.#waiting.shift();
    if (go === undefined) return;
    this.#isSomeoneAlone = true;
    go(true);
  }
}
