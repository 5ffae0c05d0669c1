/** Bytes that come in pieces, put together as they come: however small the pieces are, no more is kept than their bytes. */
export class GrowingBytes {
  #kept = Buffer.alloc(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#kept.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#kept.length));
      this.#kept.copy(larger, 0, 0, this.#length);
      this.#kept = larger;
    }
    piece.copy(this.#kept, this.#length);
    this.#length = length;
  }

  /** In memory of its own: as a part of a larger piece it would keep all of that for as long as it is kept. */
  whole(): Buffer {
    const whole = Buffer.allocUnsafeSlow(this.#length);
    this.#kept.copy(whole, 0, 0, this.#length);
    return whole;
  }
}
