import type { HeaderLine, TroubleKind } from './exchange.ts';

/** What goes over the wire, as it is. */
export interface WireRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: readonly HeaderLine[];
  readonly body: Buffer | undefined;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  /** Unpacked, where the response was packed. */
  readonly body: Buffer;
  /** The body as it was sent, where it was packed. */
  readonly packed?: Buffer;
  /** Why the body is not whole. */
  readonly cut?: string;
}

/** Carries a request to the bank: over undici, or straight into a bank in the same process. */
export interface Transport {
  send(request: WireRequest, timeoutMs: number): Promise<WireResponse>;
  close(): Promise<void>;
}

/** The request got no answer. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly kind: TroubleKind;

  constructor(kind: TroubleKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
