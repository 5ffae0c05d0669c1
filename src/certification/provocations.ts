import { randomBytes, randomUUID } from 'node:crypto';
import {
  allOf,
  type DesignChange,
  withRoutes,
  withRules,
  withSealed,
} from '../bank/design/design-changes.ts';
import type { BankRequest, BankState, RawResponse, Refusal, Route, Rule } from '../bank/design/route.ts';
import { identifyPsu } from '../bank/sca/identify-psu.ts';
import { failFlow } from '../bank/sca/walk-flow.ts';
import type { Session as ScaSession } from '../bank/state/sessions.ts';
import { digestHeader } from '../signing/digest.ts';
import { textAt } from '../spec/json.ts';
import { createdBy, isCreation, type Product } from '../spec/products.ts';

/**
 * What a real bank does now and then, and a TPP must cope with. The TPP asks for it by the amount of a payment in NOK, so
 * that it happens when the developer looks, and nobody else is surprised by it. These are those of a domestic payment.
 */
const provokingAmounts = {
  'refused-payment': '400.00',
  'session-expiry': '401.00',
  'failed-sca': '403.00',
  busy: '429.00',
  'forged-response': '498.00',
  unavailable: '503.00',
} as const;
export type ProvocationId = keyof typeof provokingAmounts;

/** `400.00` for a domestic payment; where a product is meant for larger sums, so much more: `100400.00`. */
export const provokingAmount = (id: ProvocationId, { meantFromOere }: Product): string =>
  (meantFromOere / 100 + Number(provokingAmounts[id])).toFixed(2);

export interface Provocations {
  readonly change: DesignChange;
  /** What the bank has done to a request on purpose. */
  of(request: BankRequest): ProvocationId | undefined;
}

export function createProvocations(retryAfterSeconds = 2): Provocations {
  const done = new WeakMap<BankRequest, ProvocationId>();
  const expired = new Map<string, ScaSession | undefined>();
  const failing = new Set<string>();
  /** Whether it is the turn of a provocation: every other time, so that what is tried again goes through. */
  const turns = new Map<ProvocationId, boolean>();
  const isTurnOf = (id: ProvocationId): boolean => {
    const turn = !(turns.get(id) ?? false);
    turns.set(id, turn);
    return turn;
  };
  const provoke = (id: ProvocationId, request: BankRequest, refusal: Refusal): Refusal => {
    done.set(request, id);
    return refusal;
  };
  const overload = (id: 'busy' | 'unavailable', status: number, text: string) => (request: BankRequest) =>
    isTurnOf(id)
      ? provoke(id, request, {
          status,
          code: id === 'busy' ? 'ACCESS_EXCEEDED' : 'SYSTEM_ERROR',
          text,
          headers: { 'Retry-After': String(retryAfterSeconds) },
        })
      : undefined;

  const refusals: Readonly<
    Partial<Record<ProvocationId, (request: BankRequest, state: BankState) => Refusal | undefined>>
  > = {
    'refused-payment': (request) =>
      provoke('refused-payment', request, {
        status: 400,
        code: 'PAYMENT_FAILED',
        path: 'creditorAccount',
        text: 'The account of the creditor is closed.',
      }),
    'session-expiry': (request, state) => {
      const psu = identifyPsu(request, state);
      const key = `${psu?.tppId}\n${psu?.customerNumber}`;
      const latest = psu && state.sessions.latest(psu.tppId, psu.customerNumber);
      // The PSU has passed SCA since. That is enough: nobody is asked for SCA again right after it.
      if (expired.has(key) && expired.get(key) !== latest) return undefined;
      expired.set(key, latest);
      return provoke('session-expiry', request, {
        status: 401,
        code: 'SCA_EXPIRED',
        path: 'TPP-Session-ID',
        text: 'The session has expired.',
        links: { scaRedirect: state.psus.startSca(request, state, { kind: 'access' }) },
      });
    },
    busy: overload('busy', 429, 'There are too many requests. Try again later.'),
    unavailable: overload('unavailable', 503, 'The bank is closed for a moment. Try again later.'),
  };

  const rule: Rule = {
    requirement: 'TPP-20',
    name: 'provocation by the amount of the payment',
    ownChoice: true,
    hasEffects: true,
    refuses: (request, state) => {
      const id = askedFor(request);
      return id === undefined ? undefined : refusals[id]?.(request, state);
    },
  };

  /** Payments whose SCA fails, and answers that get a false signature, are created as any other. */
  const created = (route: Route): Route => ({
    ...route,
    handle: async (request, state) => {
      const answer = await route.handle(request, state);
      const id = askedFor(request);
      if (id === 'failed-sca') {
        failing.add(flowIdIn(textAt(answer.body, '_links', 'scaRedirect', 'href')));
        done.set(request, id);
      }
      if (id === 'forged-response' && isTurnOf(id)) done.set(request, id);
      return answer;
    },
  });

  const failingPage = (route: Route): Route => ({
    ...route,
    handle: (request, state) => {
      const flow = state.flows.find(request.params.flowId ?? '');
      if (flow === undefined || flow.step === 'finished' || !failing.has(flow.id)) {
        return route.handle(request, state);
      }
      return failFlow(flow, {
        status: 401,
        code: 'PSU_CREDENTIALS_INVALID',
        message: 'The PSU could not be authenticated',
      });
    },
  });

  return {
    of: (request) => done.get(request),
    change: allOf(
      withRules((operation, rules) => (isCreation(operation) ? [...rules, rule] : rules)),
      withRoutes((route) => {
        if (isCreation(route.operation)) return created(route);
        return route.operation === 'page' && route.method === 'POST' ? failingPage(route) : route;
      }),
      withForgery((request) => done.get(request) === 'forged-response'),
    ),
  };
}

function askedFor({ operation, body }: BankRequest): ProvocationId | undefined {
  const product = createdBy(operation);
  if (product === undefined || textAt(body, 'instructedAmount', 'currency') !== 'NOK') return undefined;
  const amount = textAt(body, 'instructedAmount', 'amount');
  const ids = Object.keys(provokingAmounts) as ProvocationId[];
  return ids.find((id) => provokingAmount(id, product) === amount);
}

const flowIdIn = (href = ''): string => href.split('/').at(-1) ?? '';

/** Somebody on the way puts another payment and another page into a signed answer, and remedies the digest. */
const withForgery = (isForged: (request: BankRequest) => boolean): DesignChange =>
  withSealed((sealed, request) => (request !== undefined && isForged(request) ? forged(sealed) : sealed));

function forged(response: RawResponse): RawResponse {
  const text = response.body.toString('utf8');
  const paymentId = textAt(JSON.parse(text), 'paymentId') ?? '';
  const flowId = flowIdIn(textAt(JSON.parse(text), '_links', 'scaRedirect', 'href'));
  const body = Buffer.from(
    text.replaceAll(paymentId, randomUUID()).replaceAll(flowId, randomBytes(24).toString('base64url')),
  );
  return {
    ...response,
    body,
    headers: response.headers.map(([name, value]) =>
      name.toLowerCase() === 'digest' ? [name, digestHeader(body)] : [name, value],
    ),
  };
}
