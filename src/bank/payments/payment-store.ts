import { BoundedStore } from '../bounded-store.ts';
import type { Payment } from './payment.ts';

/** More than several runs of the suite create; what is in use is kept in any case. */
const keptPayments = 10_000;

/** The payments of the bank, and which of them are alike. */
export class PaymentStore {
  readonly #payments = new BoundedStore<Payment>(keptPayments);
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
