/** One header as it went over the wire: order, case and repetition are kept. */
export type HeaderLine = readonly [name: string, value: string];

/** The value of the first header of that name, whatever its case. */
export function headerValue(headers: readonly HeaderLine[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  return headers.find(([present]) => present.toLowerCase() === wanted)?.[1];
}

/**
 * Why no usable answer came. `overload` is a 429 that outlived every retry, `gateway` the answer of something that
 * stands before the bank (502, 503, 504, a web page), `proxy` a proxy on our side that did not lead to it, `size` an answer too
 * large to be read, `budget` that the run may ask no more.
 */
export type TroubleKind =
  | 'timeout'
  | 'reset'
  | 'refused'
  | 'dns'
  | 'tls'
  | 'protocol'
  | 'proxy'
  | 'overload'
  | 'gateway'
  | 'size'
  | 'budget';

/**
 * One request and its response. Every attempt is an exchange of its own, so a retry never hides what went before.
 * An exchange holds secrets until `redact` has seen it; only redacted exchanges leave the process.
 */
export interface Exchange {
  readonly id: string;
  /** What the exchange was for, in a check's words: `control`, `with the fault`, `approve`. */
  readonly purpose: string;
  /** The operation that was called, as named in `spec/operations.ts`, or `other`. */
  readonly operation: string;
  readonly attempt: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: RecordedRequest;
  readonly response?: RecordedResponse;
  readonly trouble?: { readonly kind: TroubleKind; readonly message: string };
}

export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderLine[];
  /** The body as text; bytes that are no UTF-8 are shown as replacement characters. */
  readonly body: string;
}

export interface RecordedResponse {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly body: string;
}

/** An answer that is not taken for the bank's. */
interface DoubtfulAnswer {
  readonly exchange: Exchange;
  readonly status: number;
  readonly bytes: Buffer;
}

/** No usable answer, however often it was tried. It says nothing about conformance. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  readonly kind: TroubleKind;
  readonly exchanges: readonly Exchange[];
  /** What stood in the way answered by HTTP: its last answer, for whoever can tell whether it was the bank after all. */
  readonly answer: DoubtfulAnswer | undefined;

  constructor(kind: TroubleKind, message: string, exchanges: readonly Exchange[], answer?: DoubtfulAnswer) {
    super(message);
    this.kind = kind;
    this.exchanges = exchanges;
    this.answer = answer;
  }
}

/** Headers in the order in which they are sent. Names are compared without case, and may be repeated. */
export class HeaderList {
  #lines: HeaderLine[];

  constructor(lines: Iterable<HeaderLine> = []) {
    this.#lines = [...lines];
  }

  get(name: string): string | undefined {
    return headerValue(this.#lines, name);
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

  /** Puts the lines into another order. */
  arrange(order: (lines: readonly HeaderLine[]) => readonly HeaderLine[]): void {
    this.#lines = [...order(this.#lines)];
  }

  lines(): readonly HeaderLine[] {
    return this.#lines;
  }
}
