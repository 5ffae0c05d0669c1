import { isObject, memberAt } from '../../spec/json.ts';
import { products } from '../../spec/products.ts';
import { type DesignChange, onRefusal, withBodies, withRoutes } from '../design/design-changes.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import { cancelledBySca, startedByTheTpp } from '../dialects/authorisations.ts';
import { detailsOnceApproved } from '../dialects/sca-first.ts';
import { isApproved, type Payment } from '../state/payment-store.ts';
import {
  at,
  both,
  byDots,
  type Deviation,
  deviation,
  isOfACompany,
  of,
  overlooking,
  overlooks,
  ruleOf,
} from './deviation.ts';
import { approving } from './wrongly-approved.ts';

/** What is told of a payment that is read in full, with one member of it told otherwise. */
const tellingDetail = (
  member: string,
  tell: (value: unknown) => unknown,
  isMeant: (request: BankRequest) => boolean = () => true,
) =>
  withBodies(['readPayment'], (body, request) =>
    member in body && isMeant(request) ? { ...body, [member]: tell(body[member]) } : undefined,
  );

const asNumber = (value: unknown): unknown => ({
  ...(isObject(value) ? value : {}),
  amount: Number(memberAt(value, 'amount')),
});

const isOfCompany = isOfACompany;

const paymentOf = ({ params }: BankRequest, { payments }: BankState): Payment | undefined =>
  payments.get(params.paymentId ?? '');

/** Deletions of some payments are answered, and not carried out. */
const keeping = (isKept: (payment: Payment, state: BankState) => boolean): DesignChange =>
  withRoutes((route) =>
    route.operation === 'deletePayment'
      ? {
          ...route,
          handle: (request, state) => {
            const payment = paymentOf(request, state);
            return payment !== undefined && isKept(payment, state)
              ? { status: 204 }
              : route.handle(request, state);
          },
        }
      : route,
  );

/** A deleted payment is only called so, for as long as nobody approves it. */
const hidingUntilApproved: DesignChange = (design) => {
  const hidden = new Set<string>();
  return withRoutes((route) => {
    if (route.operation === 'deletePayment')
      return {
        ...route,
        handle: ({ params }) => {
          hidden.add(params.paymentId ?? '');
          return { status: 204 };
        },
      };
    if (route.operation !== 'readPaymentStatus') return route;
    return {
      ...route,
      handle: (request, state) => {
        const payment = paymentOf(request, state);
        return payment === undefined || isApproved(payment) || !hidden.has(payment.paymentId)
          ? route.handle(request, state)
          : { status: 200, body: { transactionStatus: 'CANC' } };
      },
    };
  })(design);
};

/** Payments and baskets that are read in full, or taken back, where all is right with their status. */
export const paymentDetailDeviations: readonly Deviation[] = [
  deviation(
    'VER-03/details',
    'writes the amount of a payment that is read as a number',
    tellingDetail('instructedAmount', asNumber),
  ),
  deviation(
    'VER-03/details-of-companies',
    'writes the amount of a payment of a company that is read as a number',
    tellingDetail('instructedAmount', asNumber, isOfCompany),
  ),
  deviation(
    'VER-03/details-once-approved',
    'writes the amount of a payment as a number, in details that it tells once the PSU has approved it',
    (design) => detailsOnceApproved(tellingDetail('instructedAmount', asNumber)(design)),
  ),
  deviation(
    'TRN-10/details',
    'writes the day of execution of a payment that is read as DD.MM.YYYY',
    tellingDetail('requestedExecutionDate', byDots),
  ),
  ...(
    [
      ['misread', 'reads texts as ISO 8859-1', (text: string) => Buffer.from(text).toString('latin1')],
      [
        'given-up',
        'keeps a question mark for each Norwegian letter',
        (text: string) => text.replace(/[^\p{ASCII}]/gu, '?'),
      ],
    ] as const
  ).map(([id, title, spoil]) =>
    deviation(
      `TRN-04/${id}`,
      title,
      tellingDetail('creditorName', (value) => spoil(String(value))),
    ),
  ),
  deviation(
    'PST-04/details',
    'has a word of its own for the status of a payment that is read in full',
    tellingDetail('transactionStatus', () => 'OPEN'),
  ),
  deviation(
    'PST-04/details-of-companies',
    'has a word of its own for the status of a payment of a company that is read in full',
    tellingDetail('transactionStatus', () => 'OPEN', isOfCompany),
  ),
  ...(
    [
      ['CANC', 'a deleted payment'],
      ['PDNG', 'a pending payment'],
      ['RJCT', 'a rejected payment'],
    ] as const
  ).map(([status, what]) =>
    deviation(
      `PST-04/details-in-${status.toLowerCase()}`,
      `has a word of its own for the status of ${what} that is read in full`,
      tellingDetail('transactionStatus', (value) => (value === status ? 'OPEN' : value)),
    ),
  ),
  overlooks(
    'PST-12/domestic',
    'shows the status of a domestic payment under another product',
    ({ params }) => params['product'] === products.crossBorder.path,
  ),
  overlooks('OWN-02/for-companies', 'shows everything to whoever acts for a company', isOfCompany),
  ...(['OWN-01', 'OWN-02'] as const).map((id) =>
    deviation(
      `${id}/details-once-approved`,
      `shows ${id === 'OWN-01' ? 'other TPPs' : 'other PSUs'} the details of a payment, which it has once that is approved`,
      (design) => detailsOnceApproved(overlooking(of(id), at('readPayment'))(design)),
    ),
  ),
  overlooks('PST-13/deletion', 'deletes a payment under another product than its own', at('deletePayment')),
  overlooks(
    'PST-13/details',
    'shows the details of a payment under another product than its own',
    at('readPayment'),
  ),
  overlooks(
    'PST-13/details-of-domestic',
    'shows the details of a domestic payment under another product than its own',
    ({ operation, params }) => operation === 'readPayment' && params['product'] === products.crossBorder.path,
  ),
  deviation(
    'PST-14/kept',
    'says that a payment is deleted, and keeps it',
    keeping(() => true),
  ),
  deviation(
    'PST-14/details',
    'goes on telling the former status in the details of a deleted payment',
    tellingDetail('transactionStatus', (value) => (value === 'CANC' ? 'RCVD' : value)),
  ),
  deviation(
    'PST-14/kept-domestic',
    'says that a domestic payment is deleted, and keeps it',
    keeping(({ product }) => product === products.domestic.path),
  ),
  overlooks(
    'OWN-02/details-of-companies',
    'shows another PSU the details of payments of companies',
    (request, state) =>
      request.operation === 'readPayment' && paymentOf(request, state)?.corporateId !== undefined,
  ),
  deviation(
    'PST-14/kept-for-companies',
    'says that a payment of a company is deleted, and keeps it',
    keeping(({ corporateId }) => corporateId !== undefined),
  ),
  deviation(
    'PST-14/kept-once-approved',
    'says that an approved payment is deleted, and keeps it',
    keeping(isApproved),
  ),
  deviation(
    'PST-14/kept-after-sca',
    'keeps an approved payment when the PSU has approved by SCA that it is cancelled',
    cancelledBySca,
    approving((approval) => (approval.kind === 'cancellation' ? () => undefined : approval.approve)),
  ),
  deviation(
    'PST-14/approved-once-deleted',
    'lets a deleted payment be approved at its link, and carries it out',
    hidingUntilApproved,
  ),
  deviation(
    'PST-14/kept-in-a-basket',
    'says that a payment in a basket is deleted, and keeps it',
    keeping(({ paymentId }, { baskets }) =>
      [...baskets.values()].some(({ paymentIds }) => paymentIds.includes(paymentId)),
    ),
  ),
  deviation(
    'PST-15/all-of-the-psu',
    'deletes every payment of the PSU together with one of them',
    withRoutes((route) =>
      route.operation === 'deletePayment'
        ? {
            ...route,
            handle: (request, state) => {
              const owner = state.payments.get(request.params.paymentId ?? '')?.customerId;
              for (const payment of state.payments.values())
                if (payment.customerId === owner && payment.standsStill === undefined)
                  state.payments.update({ ...payment, transactionStatus: 'CANC' });
              return route.handle(request, state);
            },
          }
        : route,
    ),
  ),
  ...(['readSigningBasketStatus', 'readSigningBasket', 'deleteSigningBasket'] as const).map((operation) =>
    overlooks(`BSK-26/${operation}`, `takes ${operation} from others as well`, at(operation)),
  ),
  deviation(
    'BSK-26/startBasketAuthorisation',
    'takes startBasketAuthorisation from others as well',
    startedByTheTpp,
    overlooking(of('BSK-26'), ({ operation }) => operation === 'startBasketAuthorisation'),
  ),
  ...(['readSigningBasketStatus', 'readSigningBasket', 'deleteSigningBasket'] as const).map((operation) =>
    overlooks(
      `BSK-26/${operation}-by-companies`,
      `takes ${operation} from whoever acts for a company`,
      both(at(operation), isOfACompany),
    ),
  ),
  ...(
    [
      ['details', 'readPayment', 'shows whoever acts for a company the details of payments of others'],
      ['deletion', 'deletePayment', 'lets whoever acts for a company delete payments of others'],
    ] as const
  ).map(([what, operation, title]) =>
    overlooks(`OWN-02/${what}-by-companies`, title, both(at(operation), isOfACompany)),
  ),
  overlooks(
    'BSK-26/of-companies',
    'lets others read and delete the baskets of companies',
    ({ params }, { baskets }) => baskets.get(params.basketId ?? '')?.corporateId !== undefined,
  ),
  deviation(
    'BSK-26/refused-and-deleted',
    'refuses to delete a basket of others, and deletes it all the same',
    onRefusal(
      (rule, operation) => operation === 'deleteSigningBasket' && ruleOf('BSK-26')(rule),
      (refusal, { params }, { baskets }) => {
        baskets.delete(params.basketId ?? '');
        return refusal;
      },
    ),
  ),
  ...(
    [
      ['RCVD', 'fresh', 'of which none is approved'],
      ['ACTC', 'approved', 'of which all are approved'],
    ] as const
  ).map(([status, name, what]) =>
    deviation(
      `BSK-20/rejected-when-read-${name}`,
      `reports a basket of payments ${what} as rejected when it is read`,
      withBodies(['readSigningBasketStatus', 'readSigningBasket'], (body) =>
        body['transactionStatus'] === status ? { ...body, transactionStatus: 'RJCT' } : undefined,
      ),
    ),
  ),
  deviation(
    'BKR-04/approved',
    'has a word of its own for the status of a basket that is approved',
    withBodies(['readSigningBasketStatus', 'readSigningBasket'], (body) =>
      body['transactionStatus'] === 'ACTC' ? { ...body, transactionStatus: 'ACCP' } : undefined,
    ),
  ),
];
