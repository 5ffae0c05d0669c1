import type { AddressInfo } from 'node:net';
import type { TppCertificate } from '../signing/certificate.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { accountInformationRoutes } from './accounts/routes.ts';
import { compliantDesign } from './compliant-design.ts';
import type { BankDesign } from './design/design.ts';
import { ConnectionReset, type RawRequest, type RawResponse } from './design/raw-message.ts';
import type { BankState, Route } from './design/route.ts';
import { type AnsweredRequest, dispatchTo, type RequestLine } from './http/dispatch.ts';
import { frontOf } from './http/front.ts';
import { approvalTargets } from './payments/approval.ts';
import { basketRoutes } from './payments/basket-routes.ts';
import { batchSchedule } from './payments/batch.ts';
import { paymentRoutes } from './payments/payment-routes.ts';
import { rulesFor } from './rules/rules-for.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { tppIdOf } from './sca/identify-psu.ts';
import { createPsuDesk } from './sca/psu-desk.ts';
import { scaRoutes } from './sca/routes.ts';
import { type SeededSession, seedSession } from './seed-session.ts';
import { BoundedStore } from './state/bounded-store.ts';
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
  /** Is told why a TLS handshake came to nothing. */
  readonly onFailedHandshake?: (error: Error) => void;
  readonly bodyLimitBytes?: number;
  readonly requestTimeoutMs?: number;
}

export interface Bank {
  readonly state: BankState;
  readonly design: BankDesign;
  /** Every operation with all its rules, in the order in which they are tried. */
  readonly routes: readonly Route[];
  listen(options?: ListenOptions): Promise<{ readonly port: number; readonly baseUrl: string }>;
  /** In process, without a socket. Repeated headers stay repeated. */
  inject(raw: RawRequest): Promise<RawResponse>;
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
  const design = options.design ?? compliantDesign;
  const prefix = options.prefix?.replace(/\/+$/, '') ?? '';
  let baseUrl = options.publicUrl ?? `https://localhost${prefix}`;
  const state = createState(options, design, () => baseUrl);
  const routes = routesOf(design, options.environment);
  const dispatch = dispatchTo(routes, prefix, state, design, {
    onRequest: options.onRequest,
    onAnswer: options.onAnswer,
    signer: options.signResponsesWith,
    beforeEach: batchSchedule(state),
  });
  const closers: (() => Promise<void>)[] = [];
  for (const session of options.sessions ?? []) seedSession(state, session);
  return {
    state,
    design,
    routes,
    async inject(raw) {
      const response = await dispatch(raw);
      if (response.transfer === 'reset') throw new ConnectionReset('The bank reset the connection.');
      return response;
    },
    psuIdOf: (certificate, customerNumber) => state.psuIds.idFor(tppIdOf({ certificate }), customerNumber),
    async listen({ port = 0, host = 'localhost', tls } = {}) {
      const front = frontOf(dispatch, design.refusals, {
        ...defaults,
        ...limitsIn(options),
        onFailedHandshake: options.onFailedHandshake,
        tls: tls === undefined ? undefined : { ...tls, ...design.tls },
      });
      closers.push(() => front.close());
      await front.listen({ port, host });
      const address = front.server.address() as AddressInfo;
      const listening = `${tls === undefined ? 'http' : 'https'}://${urlHost(host)}:${address.port}${prefix}`;
      baseUrl = options.publicUrl ?? listening;
      return { port: address.port, baseUrl: listening };
    },
    async close() {
      await Promise.all(closers.map((close) => close()));
    },
  };
}

function createState(options: BankOptions, design: BankDesign, baseUrl: () => string): BankState {
  const clock = shiftedClock(options.clock ?? systemClock, design.clockOffsetSeconds);
  return design.adaptState({
    ...createPsuState({ clock, baseUrl, defaultsAsOf: options.defaultsAsOf }),
    trust: trustIn(options.trustedAuthorities),
    registry: options.registry === undefined ? undefined : new Set(options.registry),
    payments: new PaymentStore(),
    baskets: new BoundedStore(10_000),
    psus: createPsuDesk(approvalTargets),
  });
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
  return design.adaptRoutes(
    routes.map((route) => ({
      ...route,
      rules: design.adaptRules(route.operation, [...rulesFor(route.operation, design), ...route.rules]),
    })),
  );
}

function limitsIn({ bodyLimitBytes, requestTimeoutMs }: BankOptions): Partial<typeof defaults> {
  return {
    ...(bodyLimitBytes === undefined ? {} : { bodyLimitBytes }),
    ...(requestTimeoutMs === undefined ? {} : { requestTimeoutMs }),
  };
}

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host);
