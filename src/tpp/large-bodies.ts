import { createHash } from 'node:crypto';
import { Answer } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { limits } from './limits.ts';
import type { WireResponse } from './transport.ts';

/**
 * The large bodies of a run, for which there is only so much room together. The same one again takes none: a sandbox with
 * thousands of customers is asked to list them more than a hundred times.
 */
export class LargeBodies {
  #bytesLeft: number = limits.largeBytesOfARun;
  readonly #known = new Map<string, Buffer>();
  readonly #kept = new WeakSet<Buffer>();

  /** An answer with as much of its body as there is room for. */
  answerOf(exchange: Exchange, { body, packed, cut }: WireResponse, afterTrouble: boolean): Answer {
    const answer = new Answer(exchange, this.same(body), {
      afterTrouble,
      ...(packed === undefined ? {} : { packed: this.same(packed) }),
      ...(cut === undefined ? {} : { cut }),
    });
    // What counts is what is left of it within the limits, not what was sent.
    const { bytes, wireBytes } = answer;
    if (this.hasRoomFor(bytes, ...(wireBytes === bytes ? [] : [wireBytes]))) return answer;
    return new Answer(exchange, Buffer.from(body.subarray(0, limits.largeBytes)), {
      afterTrouble,
      cut: `the answers of this run are larger than ${limits.largeBytesOfARun} bytes together`,
    });
  }

  /** The same bytes as they came before, or these. */
  same(body: Buffer): Buffer {
    return (body.length > limits.largeBytes ? this.#known.get(hashOf(body)) : undefined) ?? body;
  }

  /** Whether there is room for an answer of these parts, which then is taken. */
  hasRoomFor(...parts: readonly Buffer[]): boolean {
    if (bytesIn(parts) <= limits.largeBytes) return true;
    const further = parts.filter((part) => !this.#kept.has(part));
    this.#bytesLeft -= bytesIn(further);
    if (further.length > 0 && this.#bytesLeft < 0) return false;
    for (const part of further) {
      this.#known.set(hashOf(part), part);
      this.#kept.add(part);
    }
    return true;
  }
}

const bytesIn = (parts: readonly Buffer[]): number => parts.reduce((sum, { length }) => sum + length, 0);

const hashOf = (body: Buffer): string => createHash('sha256').update(body).digest('base64');
