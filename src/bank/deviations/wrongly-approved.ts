import { textAt } from '../../spec/json.ts';
import { products } from '../../spec/products.ts';
import {
  afterPages,
  type DesignChange,
  isCancelled,
  withAnswers,
  withState,
} from '../design/design-changes.ts';
import type { BankState } from '../design/route.ts';
import { startedByTheTpp } from '../dialects/authorisations.ts';
import { awaitsApproval } from '../payments/approval.ts';
import { type ApprovalTarget, approvalOf, type ScaFlow } from '../state/flows.ts';
import type { Payment } from '../state/payment-store.ts';
import { type Deviation, deviation } from './deviation.ts';
import { occasionOf } from './redirect-changes.ts';

/** What the PSU has cancelled is approved all the same. */
const approvedWhenCancelled = (isMeant: (flow: ScaFlow) => boolean) =>
  afterPages((answer, flow) => {
    if (flow.customerNumber !== undefined && isMeant(flow) && isCancelled(answer))
      approvalOf(flow)?.approve({ customerNumber: flow.customerNumber, agreementId: flow.agreementId });
    return undefined;
  });

/** Whoever comes in place of the PSU is turned away, and what they came for is approved all the same. */
const approvedWhenTurnedAway = afterPages((_, flow, { customers }, { bytes }) => {
  const number = new URLSearchParams(bytes.toString('utf8')).get('nationalId')?.replaceAll(' ', '');
  const comer = number === undefined ? undefined : customers.byNumber(number);
  const { customerNumber, agreementId } = flow;
  if (customerNumber !== undefined && comer !== undefined && comer.customerNumber !== customerNumber)
    approvalOf(flow)?.approve({ customerNumber, agreementId });
  return undefined;
});

/** The TPP alone approves a payment, by starting its authorisation once more. */
const approvedByStarting = (isMeant: (earlier: readonly ScaFlow[]) => boolean): DesignChange => {
  const started = new Map<string, ScaFlow[]>();
  return withAnswers(['startPaymentAuthorisation'], (answer, { params: { paymentId = '' } }, state) => {
    const earlier = started.get(paymentId) ?? [];
    const flow = state.flows.find(
      textAt(answer.body, '_links', 'scaRedirect', 'href')?.split('/').at(-1) ?? '',
    );
    const payment = state.payments.get(paymentId);
    if (payment !== undefined && isMeant(earlier))
      state.payments.update({ ...payment, transactionStatus: 'ACTC', approvedAt: state.clock.now() });
    if (flow !== undefined) started.set(paymentId, [...earlier, flow]);
    return answer;
  });
};

/** What passing SCA does to what it is about. */
export const approving = (
  change: (approval: ApprovalTarget, state: BankState) => ApprovalTarget['approve'],
): DesignChange =>
  withState((state) => ({
    flows: {
      ...state.flows,
      start: (start) => {
        const approval = approvalOf(start);
        const purpose = approval && { ...approval, approve: change(approval, state) };
        return state.flows.start(purpose === undefined ? start : { ...start, purpose });
      },
    },
  }));

/** SCA at the link of one payment counts for others of its PSU. */
const approvedTogether = (isMeant: (other: Payment, approval: ApprovalTarget) => boolean): DesignChange =>
  approving((approval, { payments, customers }) => (psu) => {
    const failure = approval.approve(psu);
    const customerId = customers.byNumber(psu.customerNumber)?.customerId;
    for (const payment of payments.values())
      if (
        failure === undefined &&
        payment.customerId === customerId &&
        awaitsApproval(payment) &&
        isMeant(payment, approval)
      )
        payments.update({ ...payment, approvedAt: payment.createdAt, transactionStatus: 'ACTC' });
    return failure;
  });

export const wrongApprovalDeviations: readonly Deviation[] = [
  deviation(
    'SES-05/approves-all',
    'takes all payments of a PSU for approved when one of them is',
    approvedTogether(({ standsStill }) => standsStill !== true),
  ),
  deviation(
    'SES-05/approves-those-abroad',
    'takes all cross-border payments of a PSU for approved when one of them is',
    approvedTogether(
      ({ product }, approval) => product === products.crossBorder.path && product === approval.product,
    ),
  ),
  deviation(
    'OWN-03/started-twice',
    'takes a payment for approved whose authorisation is started a second time',
    startedByTheTpp,
    approvedByStarting((earlier) => earlier.length === 1),
  ),
  deviation(
    'OWN-03/started-after-cancelling',
    'takes a payment for approved whose authorisation is started again once the PSU has cancelled',
    startedByTheTpp,
    approvedByStarting((earlier) => earlier.some(({ step }) => step === 'finished')),
  ),
  deviation(
    'OWN-03/cancelled',
    'approves a payment whose approval the PSU has cancelled',
    approvedWhenCancelled(() => true),
  ),
  deviation(
    'OWN-03/cancelled-baskets',
    'approves the payments of a basket whose approval the PSU has cancelled',
    approvedWhenCancelled((flow) => occasionOf(flow) === 'basket'),
  ),
  deviation(
    'OWN-03/turned-away',
    'turns another PSU away from the approval of a payment, which is approved all the same',
    approvedWhenTurnedAway,
  ),
];
