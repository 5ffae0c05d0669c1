import { isObject, memberAt } from '../../spec/json.ts';
import { withAnswers, withRoutes } from '../design/design-changes.ts';
import type { BankAnswer, BankRequest } from '../design/route.ts';
import { type Deviation, deviation, of, overlooking } from './deviation.ts';

/** What is told of a payment that is read in full, with one member of it told otherwise. */
const telling = (
  member: string,
  tell: (value: unknown) => unknown,
  isMeant: (request: BankRequest) => boolean = () => true,
) =>
  withAnswers(
    ['readPayment'],
    (answer, request): BankAnswer =>
      isObject(answer.body) && member in answer.body && isMeant(request)
        ? { ...answer, body: { ...answer.body, [member]: tell(answer.body[member]) } }
        : answer,
  );

const asNumber = (value: unknown): unknown => ({
  ...(isObject(value) ? value : {}),
  amount: Number(memberAt(value, 'amount')),
});

const isOfCompany = (request: BankRequest): boolean => request.header('psu-corporate-id') !== undefined;

/** Payments and baskets that are read in full, or taken back, where all is right with their status. */
export const paymentDetailDeviations: readonly Deviation[] = [
  deviation(
    'VER-03/details',
    'writes the amount of a payment that is read as a number',
    telling('instructedAmount', asNumber),
  ),
  deviation(
    'VER-03/details-of-companies',
    'writes the amount of a payment of a company that is read as a number',
    telling('instructedAmount', asNumber, isOfCompany),
  ),
  deviation(
    'TRN-10/details',
    'writes the day of execution of a payment that is read as DD.MM.YYYY',
    telling('requestedExecutionDate', (value) => String(value).split('-').toReversed().join('.')),
  ),
  deviation(
    'PST-04/details',
    'has a word of its own for the status of a payment that is read in full',
    telling('transactionStatus', () => 'OPEN'),
  ),
  deviation(
    'PST-04/details-of-companies',
    'has a word of its own for the status of a payment of a company that is read in full',
    telling('transactionStatus', () => 'OPEN', isOfCompany),
  ),
  deviation(
    'PST-13/deletion',
    'deletes a payment under another product than its own',
    overlooking(of('PST-13'), ({ operation }) => operation === 'deletePayment'),
  ),
  deviation(
    'PST-13/details',
    'shows the details of a payment under another product than its own',
    overlooking(of('PST-13'), ({ operation }) => operation === 'readPayment'),
  ),
  deviation(
    'PST-14/kept',
    'says that a payment is deleted, and keeps it',
    withRoutes((route) =>
      route.operation === 'deletePayment' ? { ...route, handle: () => ({ status: 204 }) } : route,
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
    deviation(
      `BSK-26/${operation}`,
      `takes ${operation} from others as well`,
      overlooking(of('BSK-26'), (request) => request.operation === operation),
    ),
  ),
  deviation(
    'BKR-04/approved',
    'has a word of its own for the status of a basket that is approved',
    withAnswers(
      ['readSigningBasketStatus', 'readSigningBasket'],
      (answer): BankAnswer =>
        isObject(answer.body) && answer.body['transactionStatus'] === 'ACTC'
          ? { ...answer, body: { ...answer.body, transactionStatus: 'ACCP' } }
          : answer,
    ),
  ),
];
