/**
 * Values by id, up to a limit: those that were not asked for the longest go first, so that what runs for long neither
 * grows nor forgets what is in use.
 */
export class BoundedStore<Value> {
  readonly #limit: number;
  readonly #values = new Map<string, Value>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#values.size;
  }

  get(id: string): Value | undefined {
    const value = this.#values.get(id);
    // A Map keeps the order in which ids were set, so what is used moves to its end.
    if (value !== undefined) this.#renew(id, value);
    return value;
  }

  set(id: string, value: Value): void {
    this.#renew(id, value);
    if (this.#values.size > this.#limit) {
      const [oldest] = this.#values.keys();
      if (oldest !== undefined) this.#values.delete(oldest);
    }
  }

  /** The value of an id, or the one that `make` returns; what `make` throws is not kept. */
  getOrMake(id: string, make: () => Value): Value {
    const value = this.get(id) ?? make();
    this.set(id, value);
    return value;
  }

  delete(id: string): void {
    this.#values.delete(id);
  }

  clear(): void {
    this.#values.clear();
  }

  /** A copy, because reading a value moves it. */
  values(): readonly Value[] {
    return [...this.#values.values()];
  }

  #renew(id: string, value: Value): void {
    this.#values.delete(id);
    this.#values.set(id, value);
  }
}
