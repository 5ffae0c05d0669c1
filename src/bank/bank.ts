import { BoundedStore } from '../signing/bounded-store.ts';
import type { TppCertificate } from '../signing/certificate.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { accountInformationRoutes } from './accounts/routes.ts';
import { type Behaviour, ChangingBehaviour } from './changing-behaviour.ts';
import { compliantDesign } from './compliant-design.ts';
import type { BankDesign } from './design/design.ts';
import {
  type BankState,
  ConnectionReset,
  type RawRequest,
  type RawResponse,
  type Route,
  type Rule,
} from './design/route.ts';
import { type AnsweredRequest, dispatchTo, type RequestLine } from './http/dispatch.ts';
import { frontOf, type OnFailedConnection } from './http/front.ts';
import { approvalTargets } from './payments/approval.ts';
import { basketRoutes } from './payments/basket-routes.ts';
import { batchSchedule } from './payments/batch.ts';
import { paymentRoutes } from './payments/payment-routes.ts';
import { rulesFor } from './rules/rules-for.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { tppIdOf } from './sca/identify-psu.ts';
import { createPsuDesk } from './sca/request-sca.ts';
import { scaRoutes } from './sca/routes.ts';
import { type Clock, shiftedClock, systemClock } from './state/clock.ts';
import { PaymentStore } from './state/payment-store.ts';
import { createPsuState } from './state/psu-state.ts';
import { trustIn } from './state/trust.ts';

export type Environment = 'sandbox' | 'production';

export interface BankOptions {
  /** PEM certificates of the authorities that are trusted for TPP certificates. */
  readonly trustedAuthorities: readonly string[];
  readonly clock?: Clock;
  /** Path before /v1, such as `/psd2`. */
  readonly prefix?: string;
  readonly design?: BankDesign;
  /** The sandbox operations are not part of the production interface; by default the bank is a sandbox. */
  readonly environment?: Environment;
  /** Where the bank is reached from outside, prefix included; by default where it listens. */
  readonly publicUrl?: string;
  /** A day in the past brings back the older answers that `x-accept-fix` changes (Versioning). */
  readonly defaultsAsOf?: string;
  /** Production checks: authorisation numbers of the registered TPPs. */
  readonly registry?: readonly string[];
  /** PSUs who have passed SCA already, for runs that do not walk the pages. */
  readonly sessions?: readonly SeededSession[];
  /** The bank signs its responses with this identity. */
  readonly signResponsesWith?: SigningIdentity;
  readonly onRequest?: (line: RequestLine) => void;
  /** Is told every request with its answer, before the answer is sent. */
  readonly onAnswer?: (answered: AnsweredRequest) => void;
  /** Is told why a connection came to nothing, in its TLS handshake or with what is no HTTP, and whence it came. */
  readonly onFailedConnection?: OnFailedConnection;
  readonly bodyLimitBytes?: number;
  readonly requestTimeoutMs?: number;
}

export interface Bank {
  /** What the bank remembers; as its design of the moment looks at it. */
  readonly state: BankState;
  readonly design: BankDesign;
  /** Every operation with all its rules, in the order in which they are tried. */
  readonly routes: readonly Route[];
  listen(options?: ListenOptions): Promise<{ readonly port: number; readonly baseUrl: string }>;
  /** In process, without a socket. Repeated headers stay repeated. */
  inject(raw: RawRequest): Promise<RawResponse>;
  /**
   * Is another bank from now on, or for so many requests of TPPs, and remembers what it did before. How it is reached
   * (TLS, prefix) stays as it is.
   */
  behaveAs(design: BankDesign, requests?: number): void;
  /** For how many requests it still is the bank that it is now; infinite where that lasts. */
  readonly requestsLeft: number;
  /** The PSU-ID by which a TPP knows a customer. */
  psuIdOf(tpp: TppCertificate, customerNumber: string): string;
  close(): Promise<void>;
}

export interface ListenOptions {
  readonly port?: number;
  readonly host?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
}

const defaults = { bodyLimitBytes: 1024 * 1024, requestTimeoutMs: 30_000 };

/** The reference bank. Nothing listens until `listen`; `inject` works at once. */
export async function createBank(options: BankOptions): Promise<Bank> {
  const { design = compliantDesign, publicUrl } = options;
  const prefix = options.prefix?.replace(/\/+$/, '') ?? '';
  let baseUrl = publicUrl ?? `https://localhost${prefix}`;
  // Its data set is made by the clock of its first design, before there is a behaviour.
  let now = (): BankDesign => design;
  const behaviourOf = behavioursOf(options, prefix, {
    clockOffset: () => now().clockOffsetSeconds,
    baseUrl: () => baseUrl,
  });
  const behaviour = new ChangingBehaviour(behaviourOf(design));
  now = () => behaviour.current.design;
  const closers: (() => Promise<void>)[] = [];
  for (const session of options.sessions ?? []) seedSession(behaviour.current.state, session);
  return {
    get state() {
      return behaviour.current.state;
    },
    get design() {
      return behaviour.current.design;
    },
    get routes() {
      return behaviour.current.routes;
    },
    get requestsLeft() {
      return behaviour.requestsLeft;
    },
    behaveAs: (next, requests) => behaviour.changeTo(behaviourOf(next), requests),
    async inject(raw) {
      const response = await behaviour.dispatch(raw);
      if (response.transfer === 'reset') throw new ConnectionReset('The bank reset the connection.');
      return response;
    },
    psuIdOf: (certificate, customerNumber) =>
      behaviour.current.state.psuIds.idFor(tppIdOf({ certificate }), customerNumber),
    async listen({ port = 0, host = 'localhost', tls } = {}) {
      const front = frontOf(behaviour.dispatch, design.refusals, {
        ...defaults,
        ...limitsIn(options),
        onFailedConnection: options.onFailedConnection,
        tls: tls === undefined ? undefined : { ...tls, ...design.tls },
      });
      closers.push(() => front.close());
      const taken = await front.listen({ port, host });
      const listening = `${tls === undefined ? 'http' : 'https'}://${urlHost(host)}:${taken}${prefix}`;
      baseUrl = publicUrl ?? listening;
      return { port: taken, baseUrl: listening };
    },
    async close() {
      await Promise.all(closers.map((close) => close()));
    },
  };
}

/** What of a bank changes while it is running. */
interface Surroundings {
  readonly clockOffset: () => number;
  readonly baseUrl: () => string;
}

/** Every bank that it can be has the same memory. */
function behavioursOf(
  options: BankOptions,
  prefix: string,
  surroundings: Surroundings,
): (design: BankDesign) => Behaviour {
  const memory = createState(options, surroundings);
  return (design) => {
    const state = design.adaptState(memory);
    const routes = routesOf(design, options.environment);
    const dispatch = dispatchTo(routes, prefix, state, design, {
      onRequest: options.onRequest,
      onAnswer: options.onAnswer,
      signer: options.signResponsesWith,
      beforeEach: batchSchedule(state),
    });
    return { design, state, routes, dispatch };
  };
}

function createState(options: BankOptions, { clockOffset, baseUrl }: Surroundings): BankState {
  const clock = shiftedClock(options.clock ?? systemClock, clockOffset);
  return {
    ...createPsuState({ clock, baseUrl, defaultsAsOf: options.defaultsAsOf }),
    trust: trustIn(options.trustedAuthorities),
    registry: options.registry === undefined ? undefined : new Set(options.registry),
    payments: new PaymentStore(),
    baskets: new BoundedStore(10_000),
    psus: createPsuDesk(approvalTargets),
  };
}

/** All routes, each with the rules that its operation shares with others before its own. */
export function routesOf(design: BankDesign, environment: Environment = 'sandbox'): readonly Route[] {
  const routes = [
    ...paymentRoutes(design),
    ...basketRoutes(design),
    ...scaRoutes(),
    ...accountInformationRoutes(),
    ...(environment === 'sandbox' ? sandboxRoutes() : []),
  ];
  return design.adaptRoutes(routes.map((route) => withAllRules(route, design)));
}

/** Its rules are put together when they are first asked for: hardly anybody calls all operations of a bank. */
function withAllRules(route: Route, design: BankDesign): Route {
  let all: readonly Rule[] | undefined;
  return {
    ...route,
    get rules() {
      all ??= design.adaptRules(route.operation, [...rulesFor(route.operation, design), ...route.rules]);
      return all;
    },
  };
}

function limitsIn({ bodyLimitBytes, requestTimeoutMs }: BankOptions): Partial<typeof defaults> {
  return {
    ...(bodyLimitBytes === undefined ? {} : { bodyLimitBytes }),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
  };
}

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** A PSU who has passed SCA for a TPP, and has granted access to all accounts. */
export interface SeededSession {
  readonly tpp: TppCertificate;
  readonly customerNumber: string;
  /** TPP-Session-ID. */
  readonly sessionId: string;
  /** The agreement under which a corporate PSU acts: its PSU-Corporate-ID. */
  readonly agreementId?: string;
  /** How long ago SCA was passed; just now without it. */
  readonly secondsAgo?: number;
}

export function seedSession(state: BankState, session: SeededSession): void {
  const { customerNumber, sessionId, agreementId, secondsAgo = 0 } = session;
  const tppId = tppIdOf({ certificate: session.tpp });
  const psu = { customerNumber, agreementId };
  const context = agreementId === undefined ? 'PRIVATE' : 'CORPORATE';
  const passedAt = new Date(state.clock.now().getTime() - secondsAgo * 1000);
  state.sessions.pass(tppId, customerNumber, { sessionId, context, agreementId, passedAt });
  const accounts = [...state.customers.reachableAccounts(psu), ...state.customers.reachableCardAccounts(psu)];
  state.consents.grant(
    tppId,
    psu,
    accounts.map(({ id }) => id),
  );
}
