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

/** How the bank refuses a request on purpose; undefined where it lets it pass this time. */
type Provoke = (request: BankRequest, state: BankState) => Refusal | undefined;

/** The bank that provokes, and what it remembers of that. */
export class Provocations {
  readonly #retryAfterSeconds: number;
  readonly #done = new WeakMap<BankRequest, ProvocationId>();
  /** By TPP and customer: the session that was said to have expired. */
  readonly #expired = new Map<string, ScaSession | undefined>();
  /** The flows in which SCA fails, and the payments that they are for. */
  readonly #failing = new Set<string>();
  readonly #turns = new Map<ProvocationId, number>();
  /** Answers that are forged, and whether their digest is set right. */
  readonly #forged = new WeakMap<BankRequest, boolean>();

  constructor(retryAfterSeconds = 2) {
    this.#retryAfterSeconds = retryAfterSeconds;
  }

  /** What the bank has done to a request on purpose. */
  of(request: BankRequest): ProvocationId | undefined {
    return this.#done.get(request);
  }

  readonly change: DesignChange = allOf(
    withRules((operation, rules) => (isCreation(operation) ? [...rules, this.#rule] : rules)),
    withRoutes((route) => {
      if (isCreation(route.operation)) return this.#creating(route);
      if (route.operation === 'startPaymentAuthorisation') return this.#authorising(route);
      return route.operation === 'page' && route.method === 'POST' ? this.#failingPage(route) : route;
    }),
    withSealed((sealed, request) => {
      const hasRightDigest = request && this.#forged.get(request);
      return hasRightDigest === undefined ? sealed : forged(sealed, hasRightDigest);
    }),
  );

  readonly #refusals: Readonly<Partial<Record<ProvocationId, Provoke>>> = {
    'refused-payment': (request) =>
      this.#provoke('refused-payment', request, {
        status: 400,
        code: 'PAYMENT_FAILED',
        path: 'creditorAccount',
        text: 'The account of the creditor is closed.',
      }),
    'session-expiry': (request, state) => this.#expire(request, state),
    busy: (request) =>
      this.#overload('busy', request, {
        status: 429,
        code: 'ACCESS_EXCEEDED',
        text: 'There are too many requests. Try again later.',
      }),
    unavailable: (request) =>
      this.#overload('unavailable', request, {
        status: 503,
        code: 'SYSTEM_ERROR',
        text: 'The bank is closed for a moment. Try again later.',
      }),
  };

  readonly #rule: Rule = {
    requirement: 'TPP-20',
    name: 'provocation by the amount of the payment',
    ownChoice: true,
    hasEffects: true,
    refuses: (request, state) => {
      const id = askedFor(request);
      return id === undefined ? undefined : this.#refusals[id]?.(request, state);
    },
  };

  /** How often a provocation has had its turn: so many times in a row, then not, so that what is tried again goes through. */
  #turnOf(id: ProvocationId, inARow = 1): number | undefined {
    const turn = this.#turns.get(id) ?? 0;
    this.#turns.set(id, (turn + 1) % (inARow + 1));
    return turn < inARow ? turn : undefined;
  }

  #provoke(id: ProvocationId, request: BankRequest, refusal: Refusal): Refusal {
    this.#done.set(request, id);
    return refusal;
  }

  #overload(id: ProvocationId, request: BankRequest, refusal: Refusal): Refusal | undefined {
    const headers = { 'Retry-After': String(this.#retryAfterSeconds) };
    return this.#turnOf(id) === undefined ? undefined : this.#provoke(id, request, { ...refusal, headers });
  }

  #expire(request: BankRequest, state: BankState): Refusal | undefined {
    const psu = identifyPsu(request, state);
    const key = `${psu?.tppId}\n${psu?.customerNumber}`;
    const latest = psu && state.sessions.latest(psu.tppId, psu.customerNumber);
    // The PSU has passed SCA since. That is enough: nobody is asked for SCA again right after it.
    if (this.#expired.has(key) && this.#expired.get(key) !== latest) return undefined;
    this.#expired.set(key, latest);
    return this.#provoke('session-expiry', request, {
      status: 401,
      code: 'SCA_EXPIRED',
      path: 'TPP-Session-ID',
      text: 'The session has expired.',
      links: { scaRedirect: state.psus.startSca(request, state, { kind: 'access' }) },
    });
  }

  /** Payments whose SCA fails, and answers that get a false signature, are created as any other. */
  #creating(route: Route): Route {
    return {
      ...route,
      handle: async (request, state) => {
        const answer = await route.handle(request, state);
        const id = askedFor(request);
        if (id === 'failed-sca') {
          this.#failing.add(flowIdIn(textAt(answer.body, '_links', 'scaRedirect', 'href')));
          this.#failing.add(textAt(answer.body, 'paymentId') ?? '');
          this.#done.set(request, id);
        }
        // One time the signature shows it, the next time only whoever holds the digest against the body finds out.
        const turn = id === 'forged-response' ? this.#turnOf(id, 2) : undefined;
        if (turn !== undefined) {
          this.#done.set(request, 'forged-response');
          this.#forged.set(request, turn === 0);
        }
        return answer;
      },
    };
  }

  #authorising(route: Route): Route {
    return {
      ...route,
      handle: async (request, state) => {
        const answer = await route.handle(request, state);
        if (this.#failing.has(request.params.paymentId ?? ''))
          this.#failing.add(flowIdIn(textAt(answer.body, '_links', 'scaRedirect', 'href')));
        return answer;
      },
    };
  }

  #failingPage(route: Route): Route {
    return {
      ...route,
      handle: (request, state) => {
        const flow = state.flows.find(request.params.flowId ?? '');
        if (flow === undefined || flow.step === 'finished' || !this.#failing.has(flow.id))
          return route.handle(request, state);
        return failFlow(flow, {
          status: 401,
          code: 'PSU_CREDENTIALS_INVALID',
          message: 'The PSU could not be authenticated',
        });
      },
    };
  }
}

/** The provocation that a payment asks for by its amount. */
export function askedFor({
  operation,
  body,
}: {
  readonly operation: string;
  readonly body?: unknown;
}): ProvocationId | undefined {
  const product = createdBy(operation);
  if (product === undefined) return undefined;
  const isNok = textAt(body, 'instructedAmount', 'currency') === 'NOK';
  // Many a TPP pays abroad in another currency only. Sums as large as these come about by no chance.
  if (!isNok && product.meantFromOere === 0) return undefined;
  const amount = textAt(body, 'instructedAmount', 'amount');
  const ids = Object.keys(provokingAmounts) as ProvocationId[];
  return ids.find((id) => provokingAmount(id, product) === amount);
}

const flowIdIn = (href = ''): string => href.split('/').at(-1) ?? '';

/** Somebody on the way puts another payment and another page into a signed answer, and may set the digest right. */
function forged(response: RawResponse, hasRightDigest: boolean): RawResponse {
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
      hasRightDigest && name.toLowerCase() === 'digest' ? [name, digestHeader(body)] : [name, value],
    ),
  };
}
