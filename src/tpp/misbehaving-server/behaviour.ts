import type { Duplex } from 'node:stream';
import type { HeaderLine } from '../exchange.ts';

/** An answer of the bank on its way to the TPP. */
export interface Reply {
  readonly status: number;
  readonly headers: readonly HeaderLine[];
  readonly body: Buffer;
}

/** What a behaviour may use besides the answer. */
export interface Surroundings {
  /** The connection, for whoever writes to it without regard for HTTP. */
  readonly socket: Duplex;
  /** An address where nobody of ours has any business. */
  readonly elsewhere: string;
  /** The headers of the request, names and values in turn. */
  readonly asked: readonly string[];
  /** The answer to the request before this one. */
  readonly previous: Reply | undefined;
}

/**
 * When it misbehaves: with every request, with one in so many, or from one of them on. `offset` keeps those apart that
 * misbehave equally often.
 */
export type When =
  | 'always'
  | { readonly oneIn: number; readonly offset?: number }
  | { readonly after: number };

/**
 * What a run has to make of it. `survived`: every check is judged, as if nothing had been. `no-failure`: nothing is
 * blamed on the bank, and some checks may stay open. `blocked`: no check can be run. `gives-up`: what was judged stands,
 * and the rest is inconclusive. `judged`: it may fail, since the bank itself would.
 */
export type Outcome =
  | 'survived'
  | 'no-failure'
  | 'blocked'
  | 'gives-up'
  | 'judged'
  | { readonly fails: readonly string[] };

/** One way in which a server, or what stands before it, misbehaves. */
export interface Behaviour {
  readonly id: string;
  readonly when: When;
  readonly outcome: Outcome;
  /** Nothing listens at all. */
  readonly isDown?: true;
  /** Whose certificate it shows. */
  readonly certificate?: 'of-another-authority' | 'of-another-name';
  readonly newestTls?: 'TLSv1.1';
  /** Takes nobody who does not speak HTTP/2. */
  readonly onlyHttp2?: true;
  /** Closes every connection beyond so many at once. */
  readonly mostConnections?: number;
  /** Takes a connection over before TLS has begun. */
  readonly connect?: (socket: Duplex & { resetAndDestroy?(): unknown }) => void;
  /** Writes to the connection itself, and so has the last word. */
  readonly writesItself?: true;
  /** Changes the answer; undefined when it has written to the connection itself, or never will. */
  readonly answer?: (reply: Reply, surroundings: Surroundings) => Reply | undefined;
}

export function isDue(when: When, number: number): boolean {
  if (when === 'always') return true;
  return 'oneIn' in when ? number % when.oneIn === (when.offset ?? 0) : number > when.after;
}

/** The usual times at which a behaviour shows. */
export const some: When = { oneIn: 10 };
export const everything: When = 'always';
export const late: When = { after: 60 };
