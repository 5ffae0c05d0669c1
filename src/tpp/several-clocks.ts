/** What answers have said of how far a clock is ahead of ours, in milliseconds. */
export interface Interval {
  lowest: number;
  highest: number;
  /** How many answers it is of. */
  support: number;
}

/** Narrows the interval to what the other says as well; false where they contradict each other. */
export function narrow(known: Interval, { lowest, highest }: Interval): boolean {
  if (lowest > known.highest || highest < known.lowest) return false;
  known.lowest = Math.max(known.lowest, lowest);
  known.highest = Math.min(known.highest, highest);
  known.support += 1;
  return true;
}

const mostClocks = 4;
const leastAnswers = 4;
/** A clock that is set goes over to another time once, and does not come back. */
const leastTurns = 6;
/** Those that are further apart are no clocks that requests are judged by: no Date would suit them all. */
const mostApartMs = 60_000;

/** Machines behind one address may each have a clock of its own, and answer by turns. */
export class SeveralClocks {
  #clocks: readonly Interval[] = [];
  #latest: Interval | undefined;
  #turns = 0;

  observe(told: Interval): void {
    const own = this.#clocks.find((clock) => narrow(clock, told)) ?? this.#add({ ...told });
    if (this.#latest !== undefined && own !== this.#latest) this.#turns += 1;
    this.#latest = own;
  }

  #add(clock: Interval): Interval {
    const most = this.#clocks.toSorted((one, other) => other.support - one.support);
    this.#clocks = [...most.slice(0, mostClocks - 1), clock];
    return clock;
  }

  /** From the slowest to the fastest of them; undefined where there is one. */
  get spread(): Pick<Interval, 'lowest' | 'highest'> | undefined {
    const often = this.#clocks.filter(({ support }) => support >= leastAnswers);
    if (often.length < 2 || this.#turns < leastTurns) return undefined;
    const lowest = Math.min(...often.map((clock) => clock.lowest));
    const highest = Math.max(...often.map((clock) => clock.highest));
    return highest - lowest > mostApartMs ? undefined : { lowest, highest };
  }
}
