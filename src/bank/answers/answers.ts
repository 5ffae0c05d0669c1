import type { Basket } from '../baskets/basket.ts';
import type { RawResponse } from '../http/raw-message.ts';
import type { Payment } from '../payments/payment.ts';
import type { Message, Money } from '../payments/payment-design.ts';
import type { BankAnswer, BankRequest, Link, Refusal } from '../route.ts';
import { basketAnswers } from './basket-answers.ts';
import { paymentAnswers } from './payment-answers.ts';
import { refusalAnswer } from './refusal-answer.ts';

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
