import { isObject, textAt } from '../../spec/json.ts';
import { initiations } from '../../spec/products.ts';
import { isApproved, type Payment } from '../state/payment-store.ts';
import { alsoRefusing, type DesignChange, inSuccesses, withAnswers, withRoutes } from './design-changes.ts';
import type { BankOperation, BankRequest, BankState } from './route.ts';

type Body = Readonly<Record<string, unknown>>;

/** Links without those at which the PSU could approve what was created. */
export const linkless = ({ scaRedirect: _, startAuthorisation: __, ...others }: Body): Body => others;

export const paymentOf = ({ params }: BankRequest, { payments }: BankState): Payment | undefined =>
  payments.get(params.paymentId ?? '');

/** What was created names where its authorisation is started, as in the framework, next to its other links. */
export const offering = (keepsRedirect: (request: BankRequest) => boolean): DesignChange =>
  withAnswers(initiations, (answer, request) => {
    const href = textAt(answer.body, '_links', 'self', 'href');
    if (!isObject(answer.body) || !isObject(answer.body._links) || href === undefined) return answer;
    const { scaRedirect, ...others } = answer.body._links;
    const startAuthorisation = { href: `${href}/authorisations`, verbs: ['POST'] };
    const _links = { ...others, startAuthorisation, ...(keepsRedirect(request) ? { scaRedirect } : {}) };
    return { ...answer, body: { ...answer.body, _links } };
  });

/** SCA of a payment or basket begins with an authorisation that the TPP starts, and in no other way. */
export const startedByTheTpp = offering(() => false);

/** The deletion of an approved payment is approved by the PSU as well. */
export const cancelledBySca = withRoutes((route) => ({
  ...route,
  handle(request, state) {
    const payment = route.operation === 'deletePayment' ? paymentOf(request, state) : undefined;
    if (payment === undefined || !isApproved(payment)) return route.handle(request, state);
    const startAuthorisation = { href: `${request.target}/cancellation-authorisations`, verbs: ['POST'] };
    const { transactionStatus } = payment;
    return { status: 202, body: { transactionStatus, _links: { startAuthorisation } } };
  },
}));

/** Payments of those operations are executed at once, without SCA. */
export const executing = (
  operations: readonly BankOperation[],
  isExempt: (request: BankRequest, payment: Payment, state: BankState) => boolean,
): DesignChange =>
  withAnswers(operations, (answer, request, state) => {
    const { payments, clock } = state;
    const payment = payments.get(textAt(answer.body, 'paymentId') ?? '');
    if (payment === undefined || !isObject(answer.body) || !isExempt(request, payment, state)) return answer;
    payments.update({ ...payment, transactionStatus: 'ACSC', approvedAt: clock.now() });
    const { _links: all, ...body } = answer.body;
    const _links = isObject(all) ? linkless(all) : {};
    return { ...answer, body: { ...body, transactionStatus: 'ACSC', _links } };
  });

export const awaitsApproval = (payment: Payment | undefined): payment is Payment =>
  payment?.transactionStatus === 'RCVD' && !isApproved(payment);

/** The known issue of domestic payments (States and transitions), here with the details of all of them. */
export const detailsOnceApproved = alsoRefusing(
  ['readPayment'],
  (request, state) => awaitsApproval(paymentOf(request, state)),
  409,
  'CONFLICT',
);

/** Links of what was created. */
export const links = (
  change: (links: Body) => unknown,
  operations: readonly BankOperation[] = initiations,
): DesignChange =>
  inSuccesses(operations, (body) =>
    isObject(body._links) ? { ...body, _links: change(body._links) } : body,
  );

/** Payments and baskets are created without a link at which the PSU could approve them. */
export const withoutScaLinks = links(linkless);
