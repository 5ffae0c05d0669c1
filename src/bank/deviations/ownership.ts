import type { DesignChange } from '../design/design-changes.ts';
import type { BankOperation } from '../design/route.ts';
import { approvalOf } from '../state/flows.ts';
import { type Deviation, deviation, of, overlooking } from './deviation.ts';
import { type Occasion, occasionOf } from './redirects.ts';

const onlyAt = (requirement: string, operation: BankOperation): DesignChange =>
  overlooking(of(requirement), (request) => request.operation === operation);

/** Whoever passes SCA at the link of a payment or basket approves it, as if its PSU had. */
const approvedByAnybody =
  (occasion: Occasion): DesignChange =>
  (design) => ({
    ...design,
    adaptState: (original) => {
      const state = design.adaptState(original);
      return {
        ...state,
        flows: {
          ...state.flows,
          start: (start) => {
            const approval = approvalOf(start);
            const { customerNumber } = start;
            if (approval === undefined || customerNumber === undefined || occasionOf(start) !== occasion)
              return state.flows.start(start);
            return state.flows.start({
              ...start,
              customerNumber: undefined,
              purpose: { ...approval, approve: (psu) => approval.approve({ ...psu, customerNumber }) },
            });
          },
        },
      };
    },
  });

/** Payments that others get at. */
export const ownershipDeviations: readonly Deviation[] = [
  ...(
    [
      ['OWN-01', 'another TPP'],
      ['OWN-02', 'another PSU'],
    ] as const
  ).flatMap(([requirement, who]) => [
    deviation(
      `${requirement}/status`,
      `tells ${who} the status of a payment`,
      onlyAt(requirement, 'readPaymentStatus'),
    ),
    deviation(
      `${requirement}/deletion`,
      `lets ${who} delete a payment`,
      onlyAt(requirement, 'deletePayment'),
    ),
  ]),
  deviation('OWN-03/anybody', 'lets another PSU approve a payment', approvedByAnybody('domestic')),
  ...(['basket', 'cross-border'] as const).map((occasion) =>
    deviation(
      `OWN-03/anybody-at-${occasion}`,
      `lets another PSU approve what is not theirs (${occasion})`,
      approvedByAnybody(occasion),
    ),
  ),
];
