import type { Answer } from '../tpp/answer.ts';
import type { Exchange } from '../tpp/exchange.ts';

/** An answer of the whole run, for the checks that observe. */
export interface Observation {
  readonly exchange: Exchange;
  readonly answer: Answer;
}

/** More of one kind than a run of ordinary size sees. */
const mostOfAKind = 2_000;

/** More in all than a run of ordinary size sees; of what comes after them so many of a kind are kept. */
const mostOfAll = 8_000;
const mostOfALateKind = 50;

/** Bytes of all bodies that are kept; after that only short ones are. */
const mostBytes = 32 * 1024 * 1024;
const shortBytes = 4 * 1024;

/**
 * What the run has seen so far. A long one answers the same question many times over, so of each operation and status
 * only so many answers are kept. Server errors are all kept: one of them is enough, and it may be the only one.
 */
export class Observations {
  readonly kept: Observation[] = [];
  readonly #ofKind = new Map<string, number>();
  readonly #most: number;
  #bytes = 0;

  constructor(most = mostOfAKind) {
    this.#most = most;
  }

  /** How many answers there were, kept or not. */
  get seen(): number {
    return [...this.#ofKind.values()].reduce((sum, count) => sum + count, 0);
  }

  add(observation: Observation): void {
    const { exchange, answer } = observation;
    const kind = `${exchange.operation} ${answer.status}`;
    const count = (this.#ofKind.get(kind) ?? 0) + 1;
    this.#ofKind.set(kind, count);
    const isRoom = this.#bytes + answer.bytes.length <= mostBytes || answer.bytes.length <= shortBytes;
    const most = this.kept.length < mostOfAll ? this.#most : Math.min(this.#most, mostOfALateKind);
    if ((count > most || !isRoom) && answer.status < 500) return;
    this.#bytes += answer.bytes.length;
    this.kept.push(observation);
  }
}
