import { isObject } from '../../spec/json.ts';
import type { Message, Money } from '../design/design.ts';
import type { BankAnswer, Link } from '../design/route.ts';
import type { Basket, Payment } from '../state/payment-store.ts';

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

const get = ['GET'] as const;

/** Payment creation response (NDCT and NCBCT), and the framework's shapes for status, details and deletion. */
export const paymentAnswers = {
  created: ({ payment, fee, psuMessage, warnings, scaRedirect, address }: CreatedPayment): BankAnswer => ({
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
  status: (payment: Payment, address: string): BankAnswer => ({
    status: 200,
    body: {
      ...statusOf(payment),
      ...(payment.fundsAvailable === false
        ? { psuMessage: 'There are not enough funds on the account.' }
        : {}),
      _links: { self: { href: address, verbs: ['GET', 'DELETE'] } },
    },
  }),
  details: (payment: Payment, address: string): BankAnswer => ({
    status: 200,
    body: {
      ...(isObject(payment.body) ? payment.body : {}),
      paymentId: payment.paymentId,
      ...statusOf(payment),
      _links: { status: { href: `${address}/status`, verbs: get } },
    },
  }),
  deleted: (): BankAnswer => ({ status: 204 }),
};

/** Started by the TPP itself, for what was created or is to be cancelled: as in the framework. */
export const authorisationStarted = (id: string, scaRedirect: Link, address: string): BankAnswer => ({
  status: 201,
  headers: { 'ASPSP-SCA-Approach': 'REDIRECT' },
  body: {
    authorisationId: id,
    scaStatus: 'received',
    _links: { scaRedirect, scaStatus: { href: `${address}/${id}`, verbs: get } },
  },
});

const statusOf = ({ transactionStatus, fundsAvailable }: Payment) => ({
  transactionStatus,
  ...(fundsAvailable === undefined ? {} : { fundsAvailable }),
});

/** Signing basket, response body; reading and deletion as in the framework. */
export const basketAnswers = {
  created: ({ basket, transactionStatus, scaRedirect, address }: CreatedBasket): BankAnswer => ({
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
  status: (transactionStatus: BasketStatus): BankAnswer => ({ status: 200, body: { transactionStatus } }),
  details: (basket: Basket, transactionStatus: BasketStatus, address: string): BankAnswer => ({
    status: 200,
    body: {
      basketId: basket.basketId,
      payments: basket.paymentIds,
      transactionStatus,
      _links: { status: { href: `${address}/status`, verbs: ['GET'] } },
    },
  }),
  deleted: (): BankAnswer => ({ status: 204 }),
};
