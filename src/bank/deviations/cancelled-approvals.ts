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

export const cancelledApprovalDeviations: readonly Deviation[] = [
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
];
