import { createHash } from 'node:crypto';
import { limits } from './limits.ts';

/**
 * The large bodies of a run, for which there is only so much room together. The same one again takes none: a sandbox with
 * thousands of customers is asked to list them more than a hundred times.
 */
export class LargeBodies {
  #bytesLeft: number = limits.largeBytesOfARun;
  readonly #known = new Map<string, Buffer>();
  readonly #kept = new WeakSet<Buffer>();

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
