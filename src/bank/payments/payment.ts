import type { transactionStatuses } from '../../spec/code-lists.ts';

export type TransactionStatus = (typeof transactionStatuses)[number];

/** The three payment services of the framework: `/v1/{service}/{product}`. */
export type PaymentService = 'payments' | 'bulk-payments' | 'periodic-payments';

/** A payment as the bank keeps it. */
export interface Payment {
  readonly paymentId: string;
  readonly service: PaymentService;
  readonly product: string;
  /** The body as it was sent. */
  readonly body: unknown;
  /** Who created it; nobody else sees it. */
  readonly tpp: string;
  /** The customer for whom it was created; undefined while only SCA can tell. */
  readonly customerId: string | undefined;
  readonly corporateId: string | undefined;
  readonly createdAt: Date;
  readonly transactionStatus: TransactionStatus;
  /** Known once the payment was processed. */
  readonly fundsAvailable?: boolean;
  /** Rejected for now, and tried again by the next batch (States and transitions). */
  readonly temporarilyRejected?: true;
  readonly approvedAt?: Date;
  /** Kept in its state for those who want to see it there: batches pass it by. */
  readonly standsStill?: true;
}

/** Whether the PSU has approved it, or the bank has gone further. */
export const isApproved = (payment: Payment): boolean => payment.approvedAt !== undefined;
