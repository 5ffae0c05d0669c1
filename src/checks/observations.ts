import type { Answer } from '../tpp/answer.ts';
import type { Exchange } from '../tpp/exchange.ts';

/** An answer of the whole run, for the checks that observe. */
export interface Observation {
  readonly exchange: Exchange;
  readonly answer: Answer;
}

/** More than a run of ordinary size sends. */
const most = 10_000;

/**
 * What the run has seen so far. A long one answers every question many times over, so from some number on only server
 * errors are kept: one of them is enough, and it may be the only one.
 */
export class Observations {
  readonly kept: Observation[] = [];
  #seen = 0;
  readonly #most: number;

  constructor(limit = most) {
    this.#most = limit;
  }

  /** How many answers there were, kept or not. */
  get seen(): number {
    return this.#seen;
  }

  add(observation: Observation): void {
    this.#seen += 1;
    if (this.kept.length < this.#most || observation.answer.status >= 500) this.kept.push(observation);
  }
}
