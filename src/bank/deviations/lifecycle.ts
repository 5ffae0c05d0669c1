import { type DesignChange, withBodies, withRefusals } from '../design/design-changes.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import type { Payment } from '../state/payment-store.ts';
import { type Deviation, deviation, refuses, refusing, ruleOf } from './deviation.ts';
import { afterApproval, withAnother } from './redirect-changes.ts';

const paymentOf = ({ params }: BankRequest, { payments }: BankState): Payment | undefined =>
  payments.get(params.paymentId ?? '');

const isInBasket = (request: BankRequest, { baskets }: BankState): boolean =>
  [...baskets.values()].some(({ paymentIds }) => paymentIds.includes(request.params.paymentId ?? ''));

/** Only one of its payments counts for the status of a basket that is read. */
const countingOne = (place: number): DesignChange =>
  withBodies(['readSigningBasketStatus', 'readSigningBasket'], (body, { params }, { baskets, payments }) => {
    const id = baskets.get(params.basketId ?? '')?.paymentIds.at(place);
    const isDone = payments.get(id ?? '')?.approvedAt !== undefined;
    return body['transactionStatus'] === 'PATC'
      ? { ...body, transactionStatus: isDone ? 'ACTC' : 'RCVD' }
      : undefined;
  });

/** Faults that show only after some steps. */
export const lifecycleDeviations: readonly Deviation[] = [
  deviation('BSK-20/first-approved', 'calls a basket approved whose first payment is', countingOne(0)),
  deviation('BSK-20/last-approved', 'calls a basket approved whose last payment is', countingOne(-1)),
  deviation(
    'STA-10/another-psu',
    'gives the PSU another PSU-ID when a payment is approved',
    afterApproval(withAnother('psu-id')),
  ),
  deviation(
    'STA-10/another-session',
    'names another session in the redirect after an approval',
    afterApproval(withAnother('tpp-session-id')),
  ),
  refuses(
    'STA-10/lost-in-a-basket',
    'cannot tell the status of a payment that was approved in a basket',
    ['readPaymentStatus'],
    (request, state) => paymentOf(request, state)?.approvedAt !== undefined && isInBasket(request, state),
  ),
  deviation(
    'STA-10/deleted-twice',
    'breaks down when a payment that is gone is deleted or read',
    refusing(
      'STA-10',
      ['readPaymentStatus', 'deletePayment'],
      (request, state) => paymentOf(request, state)?.transactionStatus === 'CANC',
      { status: 500, code: 'SYSTEM_ERROR' },
    ),
    withRefusals(ruleOf('ERR-04'), { status: 500 }),
  ),
];
