import type { BasketStatus } from '../answers/answers.ts';
import { isApproved, type Payment } from '../payments/payment.ts';
import type { BankState } from '../state.ts';
import type { Basket } from './basket.ts';

/**
 * The worst case among the payments (Signing basket): one rejected rejects, one not approved keeps the basket from
 * being accepted. A payment that the bank no longer has counts as rejected.
 */
export function worstCase(payments: readonly (Payment | undefined)[]): BasketStatus {
  if (payments.some(isLost)) return 'RJCT';
  const approved = payments.filter((payment) => payment !== undefined && isApproved(payment)).length;
  if (approved === payments.length) return 'ACTC';
  return approved === 0 ? 'RCVD' : 'PATC';
}

const isLost = (payment: Payment | undefined): boolean =>
  payment === undefined || payment.transactionStatus === 'RJCT' || payment.transactionStatus === 'CANC';

export const basketStatus = ({ paymentIds }: Basket, { payments }: BankState): BasketStatus =>
  worstCase(paymentIds.map((id) => payments.get(id)));
