import type { RunContext } from './context.ts';

/** What the checks of a run share: each is made when the first of them asks for it, and is gone with the run. */
export class KeptInRun<Key, Value> {
  readonly #kept = new WeakMap<RunContext, Map<Key, Value>>();

  of(run: RunContext, key: Key, make: () => Value): Value {
    const ofRun = this.#kept.get(run) ?? new Map<Key, Value>();
    this.#kept.set(run, ofRun);
    if (ofRun.has(key)) return ofRun.get(key) as Value;
    const made = make();
    ofRun.set(key, made);
    return made;
  }

  /** Makes it anew for the next one who asks. */
  forget(run: RunContext, key: Key): void {
    this.#kept.get(run)?.delete(key);
  }
}

/**
 * The same of what is asked of the bank: an answer is kept, and whoever got none says nothing of the next. Nor does one that
 * does not last, as that of a session which is over: a check that is begun again would be given the same one again.
 */
export class AnswersInRun<Key, Value> {
  readonly #kept = new KeptInRun<Key, Promise<Value>>();
  readonly #lasts: (value: Value) => boolean;

  constructor(lasts: (value: Value) => boolean = () => true) {
    this.#lasts = lasts;
  }

  of(run: RunContext, key: Key, ask: () => Promise<Value>): Promise<Value> {
    const asked = this.#kept.of(run, key, ask);
    const forget = (): void => this.#kept.forget(run, key);
    asked.then((value) => this.#lasts(value) || forget(), forget);
    return asked;
  }
}

/** Work of several checks of a run that is done one after the other, whatever became of what went before. */
export class TurnsInRun {
  readonly #last = new WeakMap<RunContext, Promise<unknown>>();

  take<T>(run: RunContext, work: () => Promise<T>): Promise<T> {
    const done = Promise.allSettled([this.#last.get(run)]).then(work);
    this.#last.set(run, done);
    return done;
  }
}
