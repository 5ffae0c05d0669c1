import { isObject } from '../../spec/json.ts';
import type { Basket, Payment } from '../state/payment-store.ts';
import type { Message, Money } from './payment-design.ts';
import type { RawResponse } from './raw-message.ts';
import type { BankAnswer, BankRequest, Link, Refusal } from './route.ts';

const get = ['GET'] as const;

/** Payment creation response (NDCT and NCBCT), and the framework's shapes for status, details and deletion. */
const paymentAnswers: Pick<
  Answers,
  'paymentCreated' | 'paymentStatus' | 'paymentDetails' | 'paymentDeleted'
> = {
  paymentCreated: ({ payment, fee, psuMessage, warnings, scaRedirect, address }) => ({
    status: 201,
    headers: { Location: address, 'ASPSP-SCA-Approach': 'REDIRECT' },
    body: {
      paymentId: payment.paymentId,
      transactionStatus: payment.transactionStatus,
      ...(fee === undefined ? {} : { transactionFees: fee }),
      transactionFeeIndicator: fee !== undefined,
      ...(warnings.length === 0 ? {} : { tppMessages: warnings }),
      ...(psuMessage === undefined ? {} : { psuMessage }),
      _links: {
        scaRedirect,
        self: { href: address, verbs: ['GET', 'DELETE'] },
        status: { href: `${address}/status`, verbs: get },
      },
    },
  }),
  paymentStatus: (payment, address) => ({
    status: 200,
    body: {
      ...statusOf(payment),
      ...(payment.fundsAvailable === false
        ? { psuMessage: 'There are not enough funds on the account.' }
        : {}),
      _links: { self: { href: address, verbs: ['GET', 'DELETE'] } },
    },
  }),
  paymentDetails: (payment, address) => ({
    status: 200,
    body: {
      ...(isObject(payment.body) ? payment.body : {}),
      paymentId: payment.paymentId,
      ...statusOf(payment),
      _links: { status: { href: `${address}/status`, verbs: get } },
    },
  }),
  paymentDeleted: () => ({ status: 204 }),
};

const statusOf = ({ transactionStatus, fundsAvailable }: Payment) => ({
  transactionStatus,
  ...(fundsAvailable === undefined ? {} : { fundsAvailable }),
});

/** Signing basket, response body; reading and deletion as in the framework. */
const basketAnswers: Pick<Answers, 'basketCreated' | 'basketStatus' | 'basketDetails' | 'basketDeleted'> = {
  basketCreated: ({ basket, transactionStatus, scaRedirect, address }) => ({
    status: 201,
    headers: { Location: address, 'ASPSP-SCA-Approach': 'REDIRECT' },
    body: {
      basketId: basket.basketId,
      transactionStatus,
      _links: {
        scaRedirect,
        self: { href: address, verbs: ['GET', 'DELETE'] },
        status: { href: `${address}/status`, verbs: ['GET'] },
      },
    },
  }),
  basketStatus: (_, transactionStatus) => ({ status: 200, body: { transactionStatus } }),
  basketDetails: (basket, transactionStatus, address) => ({
    status: 200,
    body: {
      basketId: basket.basketId,
      payments: basket.paymentIds,
      transactionStatus,
      _links: { status: { href: `${address}/status`, verbs: ['GET'] } },
    },
  }),
  basketDeleted: () => ({ status: 204 }),
};

/** Longest text of a message (Message object). */
const longestText = 512;

/** The framework's error body: what is wrong, where, and where to go next. */
const refusalAnswer = ({ status, code, text, path, links, headers }: Refusal): BankAnswer => ({
  status,
  ...(headers === undefined ? {} : { headers }),
  body: {
    tppMessages: [
      { category: 'ERROR', code, ...(path === undefined ? {} : { path }), text: text.slice(0, longestText) },
    ],
    ...(links === undefined ? {} : { _links: links }),
  },
});

/** A payment that was just created, with all that the TPP is told. */
export interface CreatedPayment {
  readonly payment: Payment;
  readonly fee: Money | undefined;
  readonly psuMessage: string | undefined;
  readonly warnings: readonly Message[];
  readonly scaRedirect: Link;
  /** Where the payment is read. */
  readonly address: string;
}

export interface CreatedBasket {
  readonly basket: Basket;
  readonly transactionStatus: BasketStatus;
  readonly scaRedirect: Link;
  readonly address: string;
}

export type BasketStatus = 'RCVD' | 'ACTC' | 'PATC' | 'RJCT';

/** The shape of everything that the bank says. Each function can be replaced, or wrapped to change one thing. */
export interface Answers {
  paymentCreated(this: void, created: CreatedPayment): BankAnswer;
  paymentStatus(this: void, payment: Payment, address: string): BankAnswer;
  paymentDetails(this: void, payment: Payment, address: string): BankAnswer;
  paymentDeleted(this: void, payment: Payment): BankAnswer;
  basketCreated(this: void, created: CreatedBasket): BankAnswer;
  basketStatus(this: void, basket: Basket, status: BasketStatus): BankAnswer;
  basketDetails(this: void, basket: Basket, status: BasketStatus, address: string): BankAnswer;
  basketDeleted(this: void, basket: Basket): BankAnswer;
  refusal(this: void, refusal: Refusal): BankAnswer;
  /** The last touch on every answer: other headers, a delay, an overload. `request` is undefined for unread ones. */
  finish(this: void, answer: BankAnswer, request: BankRequest | undefined): BankAnswer | Promise<BankAnswer>;
  /** The very last touch, on the bytes: after a signed response was signed. */
  seal(
    this: void,
    response: RawResponse,
    request: BankRequest | undefined,
  ): RawResponse | Promise<RawResponse>;
  /** Turns the body of an answer into its text. */
  serialise(this: void, body: unknown): string;
}

export const compliantAnswers: Answers = {
  ...paymentAnswers,
  ...basketAnswers,
  refusal: refusalAnswer,
  finish: (answer) => answer,
  seal: (response) => response,
  serialise: (body) => JSON.stringify(body),
};
