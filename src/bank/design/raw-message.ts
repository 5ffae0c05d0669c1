/** A request as it came, before anything was read into it. Repeated headers stay repeated. */
export interface RawRequest {
  readonly method: string;
  /** Path and query, as on the request line. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: Uint8Array;
  /** How it came, where it came over TLS: `TLSv1.3`. */
  readonly tlsVersion?: string;
  /** The address that it came from, where it came over a socket. */
  readonly source?: string;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** How it is sent: in chunks instead of with a length, or not at all, because the connection is reset. */
  readonly transfer?: 'chunked' | 'reset';
}

/** What a caller in process sees of a reset connection. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset';
  readonly code = 'ECONNRESET';
}
