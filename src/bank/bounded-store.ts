/** Values by id, up to a limit: the oldest go first, so that a bank that runs for long does not grow. */
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
    return this.#values.get(id);
  }

  set(id: string, value: Value): void {
    this.#values.set(id, value);
    if (this.#values.size > this.#limit) {
      const [oldest] = this.#values.keys();
      if (oldest !== undefined) this.#values.delete(oldest);
    }
  }

  delete(id: string): void {
    this.#values.delete(id);
  }

  clear(): void {
    this.#values.clear();
  }

  values(): IterableIterator<Value> {
    return this.#values.values();
  }
}
