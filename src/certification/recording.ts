import type { ProfileId } from '../spec/profiles.ts';
import type { HeaderLine } from '../tpp/exchange.ts';
import type { ProvocationId } from './provocations.ts';

/** The file that holds every exchange of a certification. */
export const recordingFile = 'exchanges.ndjson';

/**
 * The folder next to that of the run, for the exchanges as they were on the wire. What stands in the run's own folder is
 * redacted and attested: it can be given away, and this cannot.
 */
export const unredactedFolder = (dir: string): string => `${dir.replace(/[\\/]+$/, '')}-unredacted`;

export const recordingFormat = 1;

/** What is known before the first request. */
export interface RecordingStart {
  readonly tool: { readonly name: string; readonly version: string };
  readonly startedAt: string;
  /** Where the TPP reaches the bank, path prefix included. */
  readonly baseUrl: string;
  /** PEM certificates of the authorities that the TPP's certificate may come from. */
  readonly trustedAuthorities: readonly string[];
  /** The profiles that the TPP is certified for; those that it uses when absent. */
  readonly profiles?: readonly ProfileId[];
  /** SHA-256 fingerprints of the bank's certificates, by their use. */
  readonly fingerprints?: Readonly<Record<string, string>>;
}

/** One request and its answer. Bodies are Base64, because the digest is over bytes. */
export interface RecordedExchange {
  readonly number: number;
  /** When the request came, by the bank's clock. */
  readonly at: string;
  readonly durationMs: number;
  /** What was called; `page` for the PSU at the SCA pages, `unknown` where nothing stands at the path. */
  readonly operation: string;
  readonly tlsVersion?: string;
  /** The address that it came from. */
  readonly source?: string;
  readonly request: {
    readonly method: string;
    readonly target: string;
    readonly headers: readonly HeaderLine[];
    readonly body?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly HeaderLine[];
    readonly body?: string;
  };
  /** The rule of the bank that refused it. */
  readonly refusedBy?: { readonly requirement: string; readonly rule: string };
  /** What the bank did on purpose to see what the TPP makes of it. */
  readonly provocation?: ProvocationId;
  /** The PSU-ID as the bank gave it, of the PSU that the request names; absent where the bank knows none. */
  readonly psuId?: string;
}

/** A connection that came to nothing: in its TLS handshake, or with what is no HTTP. */
export interface FailedConnection {
  readonly at: string;
  /** OpenSSL's code, such as `ERR_SSL_UNSUPPORTED_PROTOCOL`, or that of the reader of HTTP, which begins with `HPE_`. */
  readonly code: string;
  readonly message: string;
  /** The address that it came from. */
  readonly source?: string;
}

/** Who goes away in the middle, and what comes after the last request of a connection, hides no request. */
const withoutRequest = ['HPE_INVALID_EOF_STATE', 'HPE_CLOSED_CONNECTION'];

/** Whether TLS was in order, and what came through it could not be read as a request. */
export const isUnreadable = ({ code }: FailedConnection): boolean =>
  code.startsWith('HPE_') && !withoutRequest.includes(code);

/** What was reached, so that the report can say what it does not show. */
export interface ReachedBound {
  readonly at: string;
  /** The address that it came from; absent where it came from too many. */
  readonly source?: string;
}

export type EndReason = 'complete' | 'finish' | 'signal' | 'timeout';

export interface RecordingEnd {
  readonly at: string;
  readonly reason: EndReason;
  /** How many exchanges the bank has answered by then. */
  readonly answered?: number;
}

export type RecordingLine =
  | { readonly kind: 'start'; readonly format: number; readonly value: RecordingStart }
  | { readonly kind: 'exchange'; readonly value: RecordedExchange }
  | { readonly kind: 'handshake'; readonly value: FailedConnection }
  | { readonly kind: 'bound'; readonly value: ReachedBound }
  | { readonly kind: 'end'; readonly value: RecordingEnd };
