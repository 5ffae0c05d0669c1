import { onPages } from '../design/design-changes.ts';
import { approvalOf, type ScaFlow } from '../state/flows.ts';
import { type Deviation, deviation } from './deviation.ts';
import { occasionOf } from './redirect-changes.ts';

/** What the PSU has cancelled is approved all the same. */
const approvedWhenCancelled = (isMeant: (flow: ScaFlow) => boolean) =>
  onPages((route) => async (request, state) => {
    const flow = state.flows.find(request.params.flowId ?? '');
    const answer = await route.handle(request, state);
    if (flow?.customerNumber === undefined || !isMeant(flow)) return answer;
    if (answer.headers?.Location?.includes('code='))
      approvalOf(flow)?.approve({ customerNumber: flow.customerNumber, agreementId: flow.agreementId });
    return answer;
  });

/** Whoever comes in place of the PSU is turned away, and what they came for is approved all the same. */
const approvedWhenTurnedAway = onPages((route) => async (request, state) => {
  const flow = state.flows.find(request.params.flowId ?? '');
  const answer = await route.handle(request, state);
  const number = new URLSearchParams(request.bytes.toString('utf8')).get('nationalId')?.replaceAll(' ', '');
  const comer = number === undefined ? undefined : state.customers.byNumber(number);
  if (flow?.customerNumber === undefined || comer === undefined) return answer;
  if (comer.customerNumber !== flow.customerNumber)
    approvalOf(flow)?.approve({ customerNumber: flow.customerNumber, agreementId: flow.agreementId });
  return answer;
});

export const wrongApprovalDeviations: readonly Deviation[] = [
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
