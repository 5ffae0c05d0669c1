import { randomUUID } from 'node:crypto';
import { defaultProduct } from '../../spec/products.ts';
import type { BankState } from '../design/route.ts';
import type { Payment, PaymentService, TransactionStatus } from '../state/payment-store.ts';

/** Payments in states that a TPP cannot bring about by itself within a run. */
export interface SeededPayments {
  readonly bulk: string;
  readonly periodic: string;
  /** Status PDNG. */
  readonly pending: string;
  /** Rejected for lack of funds: status ACCP, fundsAvailable false. */
  readonly unfunded: string;
  /** Status RJCT. */
  readonly rejected: string;
  /** Approved by the PSU. */
  readonly approved: string;
}

/** For one TPP and one customer; what a run needs and cannot create. `again` gives them the ids that they had before. */
export function seedPayments(
  state: BankState,
  tpp: string,
  customerNumber: string,
  again?: SeededPayments,
): SeededPayments {
  const customerId = state.customers.byNumber(customerNumber)?.customerId;
  const [account] = state.customers.accountsOf(customerNumber);
  const body = {
    instructedAmount: { amount: '100.00', currency: 'NOK' },
    creditorName: 'Kraftlaget SA',
    creditorAccount: { bban: '86011117947', currency: 'NOK' },
    creditorAddress: { country: 'NO' },
    debtorAccount: { bban: account?.bban, currency: account?.currency },
  };
  const seed = (
    name: keyof SeededPayments,
    service: PaymentService,
    transactionStatus: TransactionStatus,
    extras: Partial<Payment> = {},
  ): string => {
    const payment: Payment = {
      paymentId: again?.[name] ?? randomUUID(),
      service,
      product: defaultProduct.path,
      body,
      tpp,
      customerId,
      corporateId: undefined,
      createdAt: state.clock.now(),
      transactionStatus,
      standsStill: true,
      ...extras,
    };
    state.payments.add(payment, payment.paymentId);
    return payment.paymentId;
  };
  const approvedAt = state.clock.now();
  return {
    bulk: seed('bulk', 'bulk-payments', 'RCVD', { body: { ...body, payments: [body] } }),
    periodic: seed('periodic', 'periodic-payments', 'RCVD'),
    pending: seed('pending', 'payments', 'PDNG', { approvedAt, fundsAvailable: true }),
    unfunded: seed('unfunded', 'payments', 'ACCP', { approvedAt, fundsAvailable: false }),
    rejected: seed('rejected', 'payments', 'RJCT', { approvedAt }),
    approved: seed('approved', 'payments', 'ACTC', { approvedAt }),
  };
}
