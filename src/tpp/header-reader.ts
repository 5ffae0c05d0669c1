import type { HeaderLine } from './exchange.ts';

/** More names than any bank has; one that makes up new ones all the time is read all the same. */
const mostNames = 200;

/**
 * Most headers say the same every time, and thousands of exchanges are kept until the end of a run: a line that is the
 * same as the last one of its name is that one.
 */
export class KnownLines {
  readonly #last = new Map<string, HeaderLine>();

  of(name: string, value: string): HeaderLine {
    const last = this.#last.get(name);
    if (last?.[1] === value) return last;
    const line: HeaderLine = [last?.[0] ?? name, value];
    if (last !== undefined || this.#last.size < mostNames) this.#last.set(name, line);
    return line;
  }
}

/** Reads the headers of one bank's answers. */
export class HeaderReader {
  readonly #known = new KnownLines();

  /** Names and values in turn, as text or bytes. White space around a value is no part of it (RFC 9110, 5.5). */
  lines(raw: readonly (string | Buffer)[]): readonly HeaderLine[] {
    const lines: HeaderLine[] = [];
    for (let index = 0; index + 1 < raw.length; index += 2)
      lines.push(this.#known.of(String(raw[index]), String(raw[index + 1]).trim()));
    return lines;
  }
}
