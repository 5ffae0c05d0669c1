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
}
