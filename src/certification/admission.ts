import type { ReachedBound, RecordedExchange } from './recording.ts';

/** What is kept of requests that no trusted TPP has signed, from one address. */
export const mostUnsigned = { requests: 2000, bytes: 32 * 1024 * 1024, sources: 64 } as const;

/** `More than 2000 requests from 192.0.2.7 were signed by no TPP …` */
export const boundText = ({ source }: ReachedBound): string =>
  source === undefined
    ? `Requests that no trusted TPP has signed came from more than ${mostUnsigned.sources} addresses: those from further ones are answered and not kept.`
    : `More than ${mostUnsigned.requests} requests, or ${mostUnsigned.bytes / 1024 / 1024} MB of them, came from ${source} and were signed by no trusted TPP: further ones are answered and not kept.`;

/**
 * Bounds the memory and the disk that anyone who reaches the port can take up. What a trusted TPP has signed is always
 * kept, and so are the visits to SCA pages that the bank has handed out.
 */
export class Admission {
  readonly #bySource = new Map<string, { requests: number; bytes: number }>();
  readonly #told = new Set<string | undefined>();
  readonly #onBound: (bound: ReachedBound) => void;

  constructor(onBound: (bound: ReachedBound) => void) {
    this.#onBound = onBound;
  }

  admits(exchange: RecordedExchange, source: string, isSigned: () => boolean): boolean {
    const isVisit = exchange.operation === 'page' && exchange.response.status !== 404;
    if (isVisit || isSigned()) return true;
    const used = this.#bySource.get(source) ?? { requests: 0, bytes: 0 };
    if (!this.#bySource.has(source) && this.#bySource.size >= mostUnsigned.sources) {
      return this.#tell({ at: exchange.at });
    }
    used.requests += 1;
    used.bytes += sizeOf(exchange);
    this.#bySource.set(source, used);
    return used.requests <= mostUnsigned.requests && used.bytes <= mostUnsigned.bytes
      ? true
      : this.#tell({ at: exchange.at, source });
  }

  #tell(bound: ReachedBound): false {
    if (!this.#told.has(bound.source)) {
      this.#told.add(bound.source);
      this.#onBound(bound);
    }
    return false;
  }
}

const sizeOf = ({ request, response }: RecordedExchange): number =>
  JSON.stringify(request).length + JSON.stringify(response).length;
