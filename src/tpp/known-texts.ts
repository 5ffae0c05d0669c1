/** All texts that are looked for are at least as long. */
const startLength = 3;

/** Room for the marks of so many different starts; two that share one cost a further look, and nothing else. */
const marks = 1 << 16;

interface KnownText<Meaning> {
  readonly known: string;
  readonly meaning: Meaning;
}

/** Texts that are looked for, with what they stand for. A text is read once, however many there are. */
export class KnownTexts<Meaning> {
  readonly #all = new Set<string>();
  readonly #byStart = new Map<string, KnownText<Meaning>[]>();
  readonly #marked = new Uint8Array(marks);

  get size(): number {
    return this.#all.size;
  }

  has(known: string): boolean {
    return this.#all.has(known);
  }

  add(known: string, meaning: Meaning): void {
    if (known.length < startLength || this.#all.has(known)) return;
    this.#all.add(known);
    this.#marked[markAt(known, 0)] = 1;
    const start = known.slice(0, startLength);
    this.#byStart.set(start, [...(this.#byStart.get(start) ?? []), { known, meaning }]);
  }

  /** A longer one that begins so. */
  beginningWith(start: string): KnownText<Meaning> | undefined {
    return this.allBeginningWith(start)[0];
  }

  allBeginningWith(start: string): readonly KnownText<Meaning>[] {
    const near = this.#byStart.get(start.slice(0, startLength)) ?? [];
    return near.filter(({ known }) => known.length > start.length && known.startsWith(start));
  }

  /** Tells of each place; the same known text is looked for again where `found` says that this one ends. */
  findIn(text: string, found: (known: string, meaning: Meaning, at: number) => number): void {
    if (this.size === 0) return;
    const goesOnAt = new Map<string, number>();
    for (let at = 0; at + startLength <= text.length; at += 1) {
      if (this.#marked[markAt(text, at)] === 0) continue;
      for (const { known, meaning } of this.#byStart.get(text.slice(at, at + startLength)) ?? []) {
        if (!text.startsWith(known, at) || at < (goesOnAt.get(known) ?? 0)) continue;
        goesOnAt.set(known, found(known, meaning, at));
      }
    }
  }
}

const markAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) % marks;
