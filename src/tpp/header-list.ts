import type { HeaderLine } from './exchange.ts';

/** Headers in the order in which they are sent. Names are compared without case, and may be repeated. */
export class HeaderList {
  #lines: HeaderLine[];

  constructor(lines: Iterable<HeaderLine> = []) {
    this.#lines = [...lines];
  }

  get(name: string): string | undefined {
    const wanted = name.toLowerCase();
    return this.#lines.find(([present]) => present.toLowerCase() === wanted)?.[1];
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  /** Replaces the header where it stands, or adds it at the end. */
  set(name: string, value: string): void {
    const wanted = name.toLowerCase();
    const index = this.#lines.findIndex(([present]) => present.toLowerCase() === wanted);
    if (index < 0) {
      this.#lines.push([name, value]);
      return;
    }
    this.#lines[index] = [name, value];
    this.#lines = this.#lines.filter(
      ([present], position) => position <= index || present.toLowerCase() !== wanted,
    );
  }

  /** Adds a line even when the header is there already. */
  add(name: string, value: string): void {
    this.#lines.push([name, value]);
  }

  remove(name: string): void {
    const unwanted = name.toLowerCase();
    this.#lines = this.#lines.filter(([present]) => present.toLowerCase() !== unwanted);
  }

  lines(): readonly HeaderLine[] {
    return this.#lines;
  }
}
