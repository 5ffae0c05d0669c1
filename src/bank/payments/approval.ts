import { memberAt, textAt } from '../../spec/json.ts';
import type { BankState, ScaPurpose } from '../design/route.ts';
import type { ActingPsu } from '../state/customers.ts';
import type { ApprovalFailure, ApprovalTarget, SummaryLine } from '../state/flows.ts';
import { isApproved, type Payment } from '../state/payment-store.ts';

/** The PSU has approved a payment by SCA. False when it no longer awaits approval, or is that of another PSU. */
export function approvePayment(state: BankState, paymentId: string, psu: ActingPsu): boolean {
  const payment = state.payments.get(paymentId);
  if (payment === undefined || !awaitsApproval(payment) || !isOf(psu, payment, state)) return false;
  state.payments.update({ ...payment, approvedAt: state.clock.now(), transactionStatus: 'ACTC' });
  return true;
}

/** The PSU has approved that a payment is cancelled. False when that cannot be any more, or it is that of another PSU. */
function cancelPayment(state: BankState, paymentId: string, psu: ActingPsu): boolean {
  const payment = state.payments.get(paymentId);
  if (payment === undefined || hasEnded(payment) || !isOf(psu, payment, state)) return false;
  state.payments.update({ ...payment, transactionStatus: 'CANC' });
  return true;
}

/** Not atomic (Signing basket): every payment that can be approved is, whatever becomes of the others. */
export function approveBasket(state: BankState, basketId: string, psu: ActingPsu): boolean {
  const basket = state.baskets.get(basketId);
  if (basket === undefined) return false;
  const approved = basket.paymentIds.filter((paymentId) => approvePayment(state, paymentId, psu));
  return approved.length > 0;
}

export const hasEnded = ({ transactionStatus }: Payment): boolean =>
  transactionStatus === 'CANC' || transactionStatus === 'RJCT';

export const awaitsApproval = (payment: Payment): boolean => !isApproved(payment) && !hasEnded(payment);

const isOf = (psu: ActingPsu, { customerId }: Payment, { customers }: BankState): boolean =>
  customerId === undefined || customers.byNumber(psu.customerNumber)?.customerId === customerId;

/** What the SCA pages show of a payment or basket, and what its approval does. */
export const approvalTargets = (
  purpose: Exclude<ScaPurpose, { readonly kind: 'access' }>,
  state: BankState,
): ApprovalTarget => {
  if (purpose.kind !== 'basket') {
    const { paymentId, kind } = purpose;
    const approve = kind === 'payment' ? approvePayment : cancelPayment;
    return {
      kind,
      product: state.payments.get(paymentId)?.product ?? '',
      // Few of the many payments are ever looked at.
      get summary() {
        return paymentSummary(state.payments.get(paymentId));
      },
      approve: (psu) => failureUnless(approve(state, paymentId, psu)),
    };
  }
  const { basketId } = purpose;
  return {
    kind: 'basket',
    get summary() {
      return basketSummary(state, basketId);
    },
    approve: (psu) => failureUnless(approveBasket(state, basketId, psu)),
  };
};

const failureUnless = (approved: boolean): ApprovalFailure | undefined =>
  approved
    ? undefined
    : { status: 409, code: 'PAYMENT_FAILED', message: 'The payment no longer awaits approval.' };

function paymentSummary(payment: Payment | undefined): readonly SummaryLine[] {
  const body = payment?.body;
  const several = memberAt(body, 'payments');
  const lines: readonly (readonly [string, string | undefined])[] = [
    ['Amount', amountText(body)],
    ['Payee', textAt(body, 'creditorName')],
    ['To account', textAt(body, 'creditorAccount', 'bban') ?? textAt(body, 'creditorAccount', 'iban')],
    ['From account', debtorText(body)],
    ['Payments', Array.isArray(several) ? String(several.length) : undefined],
    ['Date', textAt(body, 'requestedExecutionDate') ?? textAt(body, 'startDate')],
  ];
  return lines.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
}

function basketSummary(state: BankState, basketId: string): readonly SummaryLine[] {
  const payments = (state.baskets.get(basketId)?.paymentIds ?? []).flatMap(
    (id) => state.payments.get(id) ?? [],
  );
  return [
    { label: 'Payments', value: String(payments.length) },
    ...payments.map(({ body }) => ({
      label: textAt(body, 'creditorName') ?? 'Payment',
      value: amountText(body) ?? '',
    })),
  ];
}

function amountText(body: unknown): string | undefined {
  const amount = textAt(body, 'instructedAmount', 'amount');
  return amount === undefined
    ? undefined
    : `${amount} ${textAt(body, 'instructedAmount', 'currency') ?? ''}`.trim();
}

const debtorText = (body: unknown): string | undefined =>
  textAt(body, 'debtorAccount', 'bban') ??
  textAt(body, 'debtorAccount', 'iban') ??
  textAt(body, 'debtorAccount', 'other', 'identification');
