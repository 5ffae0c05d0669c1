import { isObject, textAt } from '../../spec/json.ts';
import { initiations } from '../../spec/products.ts';
import { type DesignChange, withAnswers, withRoutes } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { isApproved } from '../state/payment-store.ts';
import { alsoDeciding, type Dialect, deciding, dialect } from './dialect.ts';

/** What was created names where its authorisation is started, as in the framework, next to its other links. */
const offering = (keepsRedirect: (request: BankRequest) => boolean): DesignChange =>
  withAnswers(initiations, (answer, request) => {
    const href = textAt(answer.body, '_links', 'self', 'href');
    if (!isObject(answer.body) || !isObject(answer.body._links) || href === undefined) return answer;
    const { scaRedirect, ...others } = answer.body._links;
    const startAuthorisation = { href: `${href}/authorisations`, verbs: ['POST'] };
    const _links = keepsRedirect(request)
      ? { ...others, startAuthorisation, scaRedirect }
      : { ...others, startAuthorisation };
    return { ...answer, body: { ...answer.body, _links } };
  });

/** SCA of a payment or basket begins with an authorisation that the TPP starts, and in no other way. */
export const startedByTheTpp: DesignChange = offering(() => false);

/** The deletion of an approved payment is approved by the PSU as well. */
export const cancelledBySca: DesignChange = withRoutes((route) =>
  route.operation !== 'deletePayment'
    ? route
    : {
        ...route,
        handle(request, state) {
          const payment = state.payments.get(request.params.paymentId ?? '');
          if (payment === undefined || !isApproved(payment)) return route.handle(request, state);
          const startAuthorisation = {
            href: `${request.target}/cancellation-authorisations`,
            verbs: ['POST'],
          };
          const { transactionStatus } = payment;
          return { status: 202, body: { transactionStatus, _links: { startAuthorisation } } };
        },
      },
);

const isByIdentity = (request: BankRequest): boolean => request.header('psu-id') === undefined;

/** How banks of this family have a payment approved: the specification names the link scaRedirect alone. */
export const authorisationDialects: readonly Dialect[] = [
  ...[
    dialect(
      'authorisations/instead',
      'has the TPP start an authorisation for what it has created, and gives the link to SCA then',
      startedByTheTpp,
    ),
    dialect(
      'authorisations/as-well',
      'gives a link to SCA with what was created, and has the TPP start an authorisation if it likes',
      offering(() => true),
    ),
    dialect(
      'authorisations/unless-by-identity',
      'gives a link to SCA with payments by X-PSU-IDENTITY, and has the TPP start an authorisation for others',
      offering(isByIdentity),
    ),
  ].map((each) => alsoDeciding('sca', deciding('answers', each))),
  deciding(
    'deletion',
    dialect(
      'authorisations/of-cancellations',
      'answers the deletion of an approved payment with 202, and cancels it once the PSU has approved that',
      cancelledBySca,
    ),
  ),
];
