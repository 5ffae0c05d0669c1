import type { JsonObject } from '../../payloads/json.ts';
import type { SigningIdentity } from '../../signing/identity.ts';
import { defaultProduct, type Product, products } from '../../spec/products.ts';
import type { ProfileId } from '../../spec/profiles.ts';
import { type Answer, verifyResponse } from '../../tpp/answer.ts';
import type { Call, Psu, Variation } from '../../tpp/call.ts';
import type { HeaderLine } from '../../tpp/exchange.ts';
import { retryDelay } from '../../tpp/gateway.ts';
import type { ScaReturn } from '../../tpp/sca/sca-return.ts';

/** What the PSU is sent to a page for. */
export type RedirectReason = 'access' | 'renewal' | 'payment' | 'basket';

/**
 * Every decision of the reference TPP; calls name the customer whom they are for. A deviation is a function from one behaviour to another, and so is a TPP
 * that is unusual and still right.
 */
export interface TppBehaviour {
  /** How a request differs from one as the client makes it. */
  vary(this: void, call: Call): Variation;
  /** The identity that signs a call, where it is not the TPP's own. */
  identityFor(this: void, call: Call): SigningIdentity | undefined;
  /** The body of a payment or basket before it is sent. */
  body(this: void, call: Call, body: JsonObject): JsonObject;
  /** Bytes of a body; undefined leaves that to the client. */
  bytes(this: void, call: Call, body: JsonObject): Buffer | undefined;
  /** The customer as the request names them. */
  present(this: void, psu: Psu, call: Call): Psu;
  /** Whether the PSU is sent to the link in the answer to a call. */
  follows(this: void, reason: RedirectReason, call: Call, psu: Psu): boolean;
  /** What is remembered of a customer who comes back from SCA. */
  remember(this: void, psu: Psu, back: ScaReturn): Psu;
  /** Whether an answer is to be believed. */
  trusts(this: void, answer: Answer): boolean;
  /** Milliseconds until a request that was put off is tried again. */
  pauseAfter(this: void, answer: Answer, attempt: number): number;
  readonly repeatsRefused: boolean;
  /** Ids of the payments that go into a basket. */
  basketIds(this: void, ids: readonly string[]): readonly string[];
  /** How many baskets are created. */
  readonly baskets: number;
  /** Whether payments are approved in a basket each, and not by themselves. */
  readonly signsInBaskets: boolean;
  /** How many payments are made for a company. */
  readonly corporatePayments: number;
  /** How often balances are read without the PSU. */
  readonly unattendedReads: number;
  /** How many days back transactions are read without the PSU. */
  readonly unattendedDays: number;
  /** How many transactions a page has when they are read; undefined leaves that to the bank. */
  readonly pageSize: number | undefined;
  /** How many payments are left by a PSU who never gets to the page of the bank. */
  readonly dropOuts: number;
  /** Whether a request that was put off is tried again. */
  readonly triesAgain: boolean;
  /** The journeys that it goes through; all of them when undefined. */
  readonly journeys: readonly string[] | undefined;
  /** What it pays with where any product would do. */
  readonly product: Product;
  /** Headers that are sent to the pages of the bank. */
  readonly pageHeaders: readonly HeaderLine[];
  /** How often the TPP asks again while the PSU is on the way to SCA. */
  readonly polls: number;
  /** Whether the status of a payment is asked for before it is approved. */
  readonly asksEarly: boolean;
  /** Whether an authorisation is started for what was created, although there is a link scaRedirect. */
  readonly startsAuthorisations: boolean;
}

export const correctBehaviour: TppBehaviour = {
  vary: () => ({}),
  identityFor: () => undefined,
  body: (_, body) => body,
  bytes: () => undefined,
  present: (psu) => psu,
  follows: () => true,
  remember: (psu, { psuId, psuCorporateId }) => ({
    ...psu,
    ...(psuId === undefined ? {} : { id: psuId }),
    ...(psuCorporateId === undefined ? {} : { corporateId: psuCorporateId }),
  }),
  trusts: (answer) => verifyResponse(answer).state !== 'broken',
  pauseAfter: ({ exchange }, attempt) => retryDelay(exchange.response?.headers ?? [], attempt, 200),
  repeatsRefused: false,
  basketIds: (ids) => ids,
  baskets: 1,
  signsInBaskets: false,
  corporatePayments: 1,
  unattendedReads: 2,
  unattendedDays: 30,
  pageSize: undefined,
  dropOuts: 0,
  triesAgain: true,
  journeys: undefined,
  product: defaultProduct,
  pageHeaders: [],
  polls: 0,
  asksEarly: false,
  startsAuthorisations: false,
};

/** What the reference TPP goes through for a profile that it offers alone. */
const journeysOf: Readonly<Partial<Record<ProfileId, readonly string[]>>> = {
  'domestic-payments': [
    'log in',
    'first-payment and status',
    'refused-payment',
    'session-expiry',
    'failed-sca',
  ],
  'cross-border-payments': [
    'log in',
    'first-payment and status',
    'refused-payment',
    'session-expiry',
    'failed-sca',
    'cross-border',
  ],
  'signing-baskets': ['log in', 'basket'],
  accounts: ['accounts'],
};

/** A TPP that offers these profiles and nothing else. */
export const offering =
  (...profiles: readonly ProfileId[]): BehaviourChange =>
  (behaviour) => ({
    ...behaviour,
    journeys: profiles.flatMap((id) => journeysOf[id] ?? []),
    product: profiles.includes('domestic-payments') ? products.domestic : paidWith(profiles, behaviour),
  });

const paidWith = (profiles: readonly ProfileId[], { product }: TppBehaviour): Product =>
  profiles.includes('cross-border-payments') ? products.crossBorder : product;

/** What a deviation or a dialect is. */
export type BehaviourChange = (behaviour: TppBehaviour) => TppBehaviour;

/** Changes every request, or those of some operations. */
export const varying =
  (
    variation: Variation | ((call: Call) => Variation),
    operations?: readonly Call['operation'][],
  ): BehaviourChange =>
  (behaviour) => ({
    ...behaviour,
    vary: (call) => {
      const before = behaviour.vary(call);
      if (operations !== undefined && !operations.includes(call.operation)) return before;
      return joined(before, typeof variation === 'function' ? variation(call) : variation);
    },
  });

function joined(first: Variation, second: Variation): Variation {
  return {
    beforeSigning: (draft) => {
      first.beforeSigning?.(draft);
      second.beforeSigning?.(draft);
    },
    signing: { ...first.signing, ...second.signing },
    afterSigning: (draft) => {
      first.afterSigning?.(draft);
      second.afterSigning?.(draft);
    },
  };
}

/** Changes the bodies of some operations. */
export const withBody =
  (operation: Call['operation'], change: (body: JsonObject) => JsonObject): BehaviourChange =>
  (behaviour) => ({
    ...behaviour,
    body: (call, body) => {
      const before = behaviour.body(call, body);
      return call.operation === operation ? change(before) : before;
    },
  });
