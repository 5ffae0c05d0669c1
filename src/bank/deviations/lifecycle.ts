import { randomUUID } from 'node:crypto';
import { withRefusals, withRoutes } from '../design-changes.ts';
import type { Payment } from '../payments/payment.ts';
import type { BankRequest, Route } from '../route.ts';
import { approvalOf } from '../sca/approval-target.ts';
import type { BankState } from '../state.ts';
import { type Deviation, deviation } from './deviation.ts';
import { refusing } from './rule-changes.ts';

const paymentOf = ({ params }: BankRequest, { payments }: BankState): Payment | undefined =>
  payments.get(params.paymentId ?? '');

/** The redirect after a payment or basket was approved, or after all other SCA, changed. */
const afterApproval = (change: (location: string) => string) => afterSca(true, change);
const afterAccess = (change: (location: string) => string) => afterSca(false, change);

const afterSca = (isApproval: boolean, change: (location: string) => string) =>
  withRoutes((route: Route) =>
    route.operation === 'page' && route.method === 'POST'
      ? {
          ...route,
          handle: async (request, state) => {
            const flow = state.flows.find(request.params.flowId ?? '');
            const answer = await route.handle(request, state);
            const location = answer.headers?.Location;
            if (flow === undefined || location === undefined) return answer;
            if ((approvalOf(flow) !== undefined) !== isApproval) return answer;
            return { ...answer, headers: { ...answer.headers, Location: change(location) } };
          },
        }
      : route,
  );

const withAnother = (name: string) => (location: string) =>
  location.replace(new RegExp(`([?&]${name}=)[^&]*`), `$1${randomUUID()}`);

const without = (name: string) => (location: string) =>
  location.replace(new RegExp(`([?&])${name}=[^&]*&?`), '$1');

const elsewhere = (location: string): string =>
  `https://elsewhere.example/done?${location.split('?')[1] ?? ''}`;

const isInBasket = (request: BankRequest, { baskets }: BankState): boolean =>
  [...baskets.values()].some(({ paymentIds }) => paymentIds.includes(request.params.paymentId ?? ''));

/** Faults that show only after some steps. */
export const lifecycleDeviations: readonly Deviation[] = [
  ...(
    [
      ['RDR-01', 'psu-id'],
      ['RDR-02', 'tpp-session-id'],
      ['RDR-03', 'context'],
    ] as const
  ).flatMap(([id, name]) => [
    deviation(
      `${id}/missing-after-approval`,
      `leaves ${name} out of the redirect when a payment was approved`,
      afterApproval(without(name)),
    ),
    deviation(
      `${id}/missing-after-access`,
      `leaves ${name} out of the redirect when access was granted`,
      afterAccess(without(name)),
    ),
  ]),
  deviation(
    'SCA-03/elsewhere-after-approval',
    'sends the PSU who has approved a payment to an address of its own',
    afterApproval(elsewhere),
  ),
  deviation(
    'SCA-03/elsewhere-after-access',
    'sends the PSU who has granted access to an address of its own',
    afterAccess(elsewhere),
  ),
  deviation(
    'STA-10/another-psu',
    'gives the PSU another PSU-ID when a payment is approved',
    afterApproval(withAnother('psu-id')),
  ),
  deviation(
    'STA-10/another-session',
    'tells another session after an approval',
    afterApproval(withAnother('tpp-session-id')),
  ),
  deviation(
    'STA-10/lost-in-a-basket',
    'cannot tell the status of a payment that was approved in a basket',
    refusing(
      'STA-10',
      ['readPaymentStatus'],
      (request, state) => paymentOf(request, state)?.approvedAt !== undefined && isInBasket(request, state),
    ),
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
    withRefusals((rule) => rule.requirement === 'ERR-04', { status: 500 }),
  ),
];
