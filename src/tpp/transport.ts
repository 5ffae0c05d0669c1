import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, type ZlibOptions } from 'node:zlib';
import { GrowingBytes } from '../spec/growing-bytes.ts';
import type { Doubt } from './deadline.ts';
import { type HeaderLine, headerValue, type TroubleKind } from './exchange.ts';
import { limits } from './limits.ts';

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
  /** `doubt` tells of a request that is lost before its time is over. */
  send(request: WireRequest, timeoutMs: number, doubt?: Doubt): Promise<WireResponse>;
  /** Closes the connections that are open once nothing is under way on them; further requests open new ones. */
  rest?(): Promise<void>;
  close(): Promise<void>;
}

/** The request got no answer. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly kind: TroubleKind;
  /** No connection came about, so that nothing of the request has left. */
  readonly isUnsent: boolean;

  constructor(
    kind: TroubleKind,
    message: string,
    options: ErrorOptions & { readonly isUnsent?: boolean } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.isUnsent = options.isUnsent ?? false;
  }
}

const inflated = promisify(inflate);
const inflatedRaw = promisify(inflateRaw);

/**
 * Some servers leave out the frame around what is deflated (RFC 9110, 8.4.1.2), whose first two bytes RFC 1950 tells.
 * What begins as JSON is only called so.
 */
function lacksFrame([first = 0, second = 0]: Buffer): boolean {
  const isFrame = (first & 0x0f) === 8 && (256 * first + second) % 31 === 0;
  return !isFrame && !'{['.includes(String.fromCharCode(first));
}

const unpackers = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: (packed: Buffer, options: ZlibOptions) =>
    (lacksFrame(packed) ? inflatedRaw : inflated)(packed, options),
  br: promisify(brotliDecompress),
} as const;

type Body = Pick<WireResponse, 'body' | 'packed' | 'cut'>;

const tooLong = `its body is longer than ${limits.bodyBytes} bytes`;

/** Collects a body up to the limit; what comes after it is left on the wire, and the connection with it. */
export class BodyReader {
  readonly #read = new GrowingBytes();

  add(chunk: Buffer): void {
    this.#read.add(chunk);
  }

  /** Whether there is more than is read. */
  get isFull(): boolean {
    return this.#read.length > limits.bodyBytes;
  }

  async end(encoding: string | undefined): Promise<Body> {
    const body = this.#read.whole();
    return this.isFull
      ? { body: body.subarray(0, limits.bodyBytes), cut: tooLong }
      : unpacked(body, encoding);
  }
}

/**
 * A request without Accept-Encoding leaves the coding to the server (RFC 9110, 12.5.3), so a packed body is unpacked,
 * as far as the limit goes. One that cannot be is left as it is, for the checks to say that it is no JSON.
 */
export async function unpacked(packed: Buffer, encoding = 'identity'): Promise<Body> {
  const unpack = unpackerOf(encoding);
  if (unpack === undefined || packed.length === 0) return { body: packed };
  try {
    return { body: await unpack(packed, { maxOutputLength: limits.bodyBytes }), packed };
  } catch (error) {
    const isTooLong = error instanceof RangeError;
    return isTooLong ? { body: Buffer.alloc(0), packed, cut: tooLong } : { body: packed };
  }
}

const unpackerOf = (encoding: string): (typeof unpackers)[keyof typeof unpackers] | undefined =>
  unpackers[encoding.trim().toLowerCase() as keyof typeof unpackers];

/** Whether it says that it is packed in a way that can be unpacked, and could not be. */
export const isDamaged = ({ headers, body, packed, cut }: Omit<WireResponse, 'status'>): boolean =>
  packed === undefined &&
  cut === undefined &&
  body.length > 0 &&
  unpackerOf(headerValue(headers, 'content-encoding') ?? '') !== undefined;
