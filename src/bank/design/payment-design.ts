import { randomUUID } from 'node:crypto';
import type { MessageCode } from '../../spec/code-lists.ts';
import { has } from '../../spec/json.ts';
import { products } from '../../spec/products.ts';
import type { Payment, TransactionStatus } from '../state/payment-store.ts';

export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export interface Message {
  readonly category: string;
  readonly code: MessageCode;
  readonly path?: string;
  readonly text?: string;
}

/** What the bank decides about payments. */
export interface PaymentDesign {
  newPaymentId(this: void): string;
  newBasketId(this: void): string;
  readonly statusOnCreation: TransactionStatus;
  /** The total fee; undefined when the payment is free. */
  feeOf(this: void, payment: Payment): Money | undefined;
  psuMessageOf(this: void, payment: Payment): string | undefined;
  /** Warnings to the TPP about a payment that was accepted. */
  warningsOf(this: void, payment: Payment): readonly Message[];
  /** Whether status and details can be read. Known issue: some banks cannot show a domestic payment before approval. */
  isReadable(this: void, payment: Payment): boolean;
  /** Whether a payment can still be deleted. */
  isDeletable(this: void, payment: Payment): boolean;
}

/** A payment that the bank has begun to execute, or that came to its end, is not deleted any more. */
const undeletable: readonly TransactionStatus[] = ['PDNG', 'ACSP', 'ACSC', 'CANC', 'RJCT'];

export const compliantPayments: PaymentDesign = {
  newPaymentId: randomUUID,
  newBasketId: randomUUID,
  statusOnCreation: 'RCVD',
  feeOf: ({ product }) =>
    product === products.crossBorder.path ? { amount: '50.00', currency: 'NOK' } : undefined,
  psuMessageOf: () => 'The payment awaits your approval.',
  warningsOf: ({ body }) =>
    has(body, 'remittanceInformationStructured')
      ? [
          {
            category: 'WARNING',
            code: 'FORMAT_ERROR',
            path: 'remittanceInformationStructured',
            text: 'To be deprecated: use remittanceInformationStructuredArray.',
          },
        ]
      : [],
  isReadable: () => true,
  isDeletable: ({ transactionStatus }) => !undeletable.includes(transactionStatus),
};

/** The known issue (States and transitions) for `isReadable`: a domestic payment shows itself only once it is approved. */
export const unreadableBeforeApproval = (payment: Payment): boolean =>
  payment.product !== products.domestic.path || payment.approvedAt !== undefined;
