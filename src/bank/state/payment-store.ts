import { BoundedStore } from '../../signing/bounded-store.ts';
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
  /** How long it was; absent for those that the bank was started with. */
  readonly bodyBytes?: number;
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

/** A signing basket as the bank keeps it. Its status is that of its payments, so it is not stored. */
export interface Basket {
  readonly basketId: string;
  readonly paymentIds: readonly string[];
  readonly tpp: string;
  readonly customerId: string | undefined;
  readonly corporateId: string | undefined;
  readonly createdAt: Date;
}

/** More than several runs of the suite create; what is in use is kept in any case. */
const keptPayments = 10_000;

/** A payment may bring members that nobody knows, a megabyte of them: together they stay within this. */
const mostBytes = 64 * 1024 * 1024;

/** The payments of the bank, and which of them are alike. */
export class PaymentStore {
  readonly #payments = new BoundedStore<Payment>(keptPayments, {
    most: mostBytes,
    takenBy: ({ bodyBytes = 0 }) => bodyBytes,
  });
  /** Those that the bank was started with: a target file names them, however many came after. */
  readonly #standing = new Map<string, Payment>();
  readonly #byLikeness = new BoundedStore<string>(keptPayments);

  get size(): number {
    return this.#payments.size + this.#standing.size;
  }

  get(paymentId: string): Payment | undefined {
    return this.#standing.get(paymentId) ?? this.#payments.get(paymentId);
  }

  /** `likeness` is equal for logical duplicates. */
  add(payment: Payment, likeness: string): void {
    this.update(payment);
    this.#byLikeness.set(likeness, payment.paymentId);
  }

  /** A payment with a later state of itself. */
  update(payment: Payment): void {
    (payment.standsStill ? this.#standing : this.#payments).set(payment.paymentId, payment);
  }

  /** A payment that is a logical duplicate and was not cancelled. */
  alike(likeness: string): Payment | undefined {
    const payment = this.get(this.#byLikeness.get(likeness) ?? '');
    return payment === undefined || payment.transactionStatus === 'CANC' ? undefined : payment;
  }

  clear(): void {
    this.#payments.clear();
    this.#standing.clear();
    this.#byLikeness.clear();
  }

  values(): readonly Payment[] {
    return [...this.#standing.values(), ...this.#payments.values()];
  }
}
