/** Remembers the most recently used values, up to a limit. */
export class BoundedCache<Value> {
  readonly #limit: number;
  readonly #values = new Map<string, Value>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#values.size;
  }

  /** The remembered value, or the one that `make` returns; what `make` throws is not remembered. */
  getOrMake(key: string, make: () => Value): Value {
    const known = this.#values.get(key);
    const value = known === undefined ? make() : known;
    // A Map keeps the order of insertion, so putting a used value at the end keeps the stalest one first.
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.#limit) {
      const [stalest] = this.#values.keys();
      if (stalest !== undefined) this.#values.delete(stalest);
    }
    return value;
  }
}
