import type { BoundedStore } from '../../signing/bounded-store.ts';
import type { TppCertificate } from '../../signing/certificate.ts';
import type { OperationName } from '../../spec/operations.ts';
import type { Basket, PaymentStore } from '../state/payment-store.ts';
import type { PsuState } from '../state/psu-state.ts';
import type { Trust } from '../state/trust.ts';
import type { RefusalAnswer, RefusalAnswers, RefusalKind } from './refusal-kinds.ts';

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

/**
 * What was called. Beside the operations of the specification: bulk and periodic payments, which it only mentions;
 * `page` for the SCA pages, which are not signed; `sandboxData` and `other` for what has no rules of its own.
 */
export type BankOperation =
  | OperationName
  | 'createBulkPayment'
  | 'createPeriodicPayment'
  | 'page'
  | 'sandboxData'
  | 'other';

/** A request as the rules see it: parsed where it could be, together with the exact bytes. */
export interface BankRequest {
  readonly operation: BankOperation;
  readonly method: string;
  /** Path and query as they stood in the request line. */
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** All values by lower-case name, in the order in which they came. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** The names of the headers as they were written. */
  readonly headerNames: readonly string[];
  /** The first value of a header, trimmed; undefined when absent. */
  header(name: string): string | undefined;
  readonly bytes: Buffer;
  /** The parsed JSON body; undefined when there is none or it is not JSON (a rule refuses that). */
  readonly body: unknown;
  /** The certificate sent, as far as it could be read. */
  readonly certificate: TppCertificate | undefined;
}

export interface Link {
  readonly href: string;
  readonly verbs: readonly string[];
}

/** What is wrong with a request, as a rule finds it. `path` points at the field or header. */
interface Fault {
  /** Tells status and code, by the table of the design. */
  readonly kind: RefusalKind;
  readonly text: string;
  readonly path?: string;
  readonly links?: Readonly<Record<string, Link>>;
  /** Headers of the answer, such as `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A fault with the status and code that it is answered with. */
export type Refusal = Omit<Fault, 'kind'> & Omit<RefusalAnswer, 'fixedBy'>;

export const refusalOf = (fault: Fault | Refusal, refusals: RefusalAnswers): Refusal => {
  if (!('kind' in fault)) return fault;
  const { kind, ...told } = fault;
  const { status, code } = refusals[kind];
  return { status, code, ...told };
};

/** One rule of the interface, tied to the requirement that it enforces. */
export interface Rule {
  readonly requirement: string;
  /** Other requirements that the same refusal serves: without the rule they are broken as well. */
  readonly also?: readonly string[];
  /** The specification allows the refusal and does not demand it, so a bank without the rule breaks nothing. */
  readonly ownChoice?: true;
  /** Trying it changes what the bank remembers, so it is tried in its turn only, and never out of curiosity. */
  readonly hasEffects?: true;
  /** Asks who speaks. Without a certificate no PSU can be known, nor asked in, so it comes first in any bank. */
  readonly asksWho?: true;
  /** A sentence for the log: `creditorName holds up to 70 characters`. */
  readonly name: string;
  /** The field that it is about: tells apart the rules of one requirement, whatever their sentences. */
  readonly place?: string;
  refuses(request: BankRequest, state: BankState): Fault | Refusal | undefined;
}

/** What the bank answers. A body is sent as JSON; `text` is sent as it is (pages). */
export interface BankAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: { readonly type: string; readonly content: string; readonly letters?: 'latin1' };
  /** How it is sent, where that is unusual. */
  readonly transfer?: 'chunked' | 'reset';
}

/**
 * An operation of the bank and what it does once no rule refuses. The rules that every operation shares (signature,
 * certificate, clock, digest, headers, body) are derived from the design and tried before the route's own.
 */
export interface Route {
  readonly operation: BankOperation;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path under the bank's prefix: `/v1/accounts/:accountId/balances`. */
  readonly path: string;
  readonly rules: readonly Rule[];
  handle(request: BankRequest, state: BankState): BankAnswer | Promise<BankAnswer>;
}

/** Whom a request speaks for, as far as SCA has shown. */
export type PsuStanding =
  | {
      readonly standing: 'authenticated';
      /** Undefined for a PSU whom only a careless bank lets in. */
      readonly customerId: string | undefined;
    }
  /** Named by X-PSU-IDENTITY, and authenticated together with the payment (single SCA). */
  | { readonly standing: 'identified'; readonly customerId: string }
  | { readonly standing: 'unknown-psu' }
  /** The PSU is known and has not passed SCA within this TPP-Session-ID. */
  | { readonly standing: 'no-session' }
  | { readonly standing: 'session-expired' };

/** What an SCA is for: access as such, or the approval of one thing (dynamic linking). */
export type ScaPurpose =
  | { readonly kind: 'access' }
  | { readonly kind: 'payment' | 'cancellation'; readonly paymentId: string }
  | { readonly kind: 'basket'; readonly basketId: string };

/** What payments and baskets need of SCA. */
export interface PsuDesk {
  standingOf(request: BankRequest, state: BankState): PsuStanding;
  /** Starts an SCA and gives the page to send the PSU to. */
  startSca(request: BankRequest, state: BankState, purpose: ScaPurpose): Link;
}

/** Everything that the bank remembers. It lives in memory and starts from the initial data set, as a sandbox does. */
export interface BankState extends PsuState {
  readonly trust: Trust;
  /** Authorisation numbers of the registered TPPs; undefined where no registry is asked, as in the sandbox. */
  readonly registry: ReadonlySet<string> | undefined;
  readonly payments: PaymentStore;
  readonly baskets: BoundedStore<Basket>;
  readonly psus: PsuDesk;
}

export type Links = Readonly<Record<string, Link>>;

/** A link to something that can be read. */
export const readable = (href: string): Link => ({ href, verbs: ['GET'] });

/** What is wrong, and where. Another kind only where one rule refuses in two ways. */
export type Finding = Omit<Fault, 'kind'> & { readonly kind?: RefusalKind };

type RuleExtras = Pick<Rule, 'also' | 'ownChoice' | 'place' | 'hasEffects'>;

/** The one way to make a rule of the bank. Status and code come from the design's table, by the kind of refusal. */
export const rule = (
  requirement: string,
  name: string,
  kind: RefusalKind,
  findIn: (request: BankRequest, state: BankState) => Finding | undefined,
  extras: RuleExtras = {},
): Rule => ({
  requirement,
  name,
  ...extras,
  refuses(request, state) {
    const finding = findIn(request, state);
    return finding === undefined ? undefined : { kind, ...finding };
  },
});

/** Several rules look at different sides of one finding; it is made once for each request. */
export function oncePerRequest<Finding>(
  find: (request: BankRequest) => Finding,
): (request: BankRequest) => Finding {
  const findings = new WeakMap<BankRequest, { readonly finding: Finding }>();
  return (request) => {
    const known = findings.get(request);
    if (known !== undefined) return known.finding;
    const finding = find(request);
    findings.set(request, { finding });
    return finding;
  };
}
