/** How much room values may take together, and how much each takes, in whichever unit. */
export interface Room<Value> {
  readonly most: number;
  readonly takenBy: (value: Value) => number;
}

/**
 * Values by id, up to a limit: those that were not asked for the longest go first, so that what runs for long neither
 * grows nor forgets what is in use.
 */
export class BoundedStore<Value> {
  readonly #limit: number;
  readonly #room: Room<Value>;
  readonly #values = new Map<string, Value>();
  #taken = 0;

  constructor(limit: number, room: Room<Value> = { most: 0, takenBy: () => 0 }) {
    this.#limit = limit;
    this.#room = room;
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
    // The last one stays, however large it is: somebody has just been told of it.
    while (this.#values.size > this.#limit || (this.#taken > this.#room.most && this.#values.size > 1)) {
      const [oldest] = this.#values.keys();
      if (oldest === undefined) return;
      this.delete(oldest);
    }
  }

  /** The value of an id, or the one that `make` returns; what `make` throws is not kept. */
  getOrMake(id: string, make: () => Value): Value {
    const value = this.get(id) ?? make();
    this.set(id, value);
    return value;
  }

  delete(id: string): void {
    const value = this.#values.get(id);
    if (value !== undefined) this.#taken -= this.#room.takenBy(value);
    this.#values.delete(id);
  }

  clear(): void {
    this.#values.clear();
    this.#taken = 0;
  }

  /** A copy, because reading a value moves it. */
  values(): readonly Value[] {
    return [...this.#values.values()];
  }

  #renew(id: string, value: Value): void {
    this.delete(id);
    this.#values.set(id, value);
    this.#taken += this.#room.takenBy(value);
  }
}
