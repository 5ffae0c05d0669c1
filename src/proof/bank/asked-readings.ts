import { CheckContext, type RunContext } from '../../checks/context.ts';
import type { Readings } from '../../spec/interpretations.ts';

type ReadingName = keyof Readings;

/** The readings that each check asked for, by its id. Whatever a check never asked for cannot change what it says. */
export type AskedReadings = ReadonlyMap<string, ReadonlySet<ReadingName>>;

class WatchedContext extends CheckContext {
  readonly #asked: Set<ReadingName>;
  #watched: { readonly of: Readings; readonly readings: Readings } | undefined;

  constructor(runContext: RunContext, id: string, place: number, asked: Set<ReadingName>) {
    super(runContext, id, place);
    this.#asked = asked;
  }

  override get readings(): Readings {
    const of = super.readings;
    if (this.#watched?.of !== of) this.#watched = { of, readings: this.#watch(of) };
    return this.#watched.readings;
  }

  #watch(readings: Readings): Readings {
    return new Proxy(readings, {
      get: (all, name) => {
        this.#asked.add(name as ReadingName);
        return Reflect.get(all, name);
      },
    });
  }
}

/** The same run, which writes down what its checks ask for. */
export function watchingReadings(runContext: RunContext): {
  readonly runContext: RunContext;
  readonly asked: AskedReadings;
} {
  const asked = new Map<string, Set<ReadingName>>();
  const askedBy = (id: string): Set<ReadingName> => {
    const known = asked.get(id) ?? new Set();
    asked.set(id, known);
    return known;
  };
  return {
    asked,
    runContext: {
      ...runContext,
      contextFor(id, place) {
        return new WatchedContext(this, id, place, askedBy(id));
      },
    },
  };
}

/** Whether a check that was judged by the one readings says the same by the others. */
export const asksNothingElse =
  (asked: AskedReadings, one: Readings, other: Readings) =>
  ({ id }: { readonly id: string }): boolean =>
    [...(asked.get(id) ?? [])].every((name) => one[name] === other[name]);
