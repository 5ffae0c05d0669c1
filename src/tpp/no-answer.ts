import type { Exchange, TroubleKind } from './exchange.ts';

/** An answer that is not taken for the bank's. */
export interface DoubtfulAnswer {
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
