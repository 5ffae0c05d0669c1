import type { TppCertificate } from '../../signing/certificate.ts';
import { creations, everyProduct, products } from '../../spec/products.ts';
import { type DesignChange, withRoutes, withState } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, BankState } from '../design/route.ts';
import { startedByTheTpp } from '../dialects/authorisations.ts';
import { tppIdOf } from '../sca/identify-psu.ts';
import { approvalOf, type ScaFlow, type ScaStart } from '../state/flows.ts';
import {
  alsoAt,
  at,
  atPayments,
  both,
  type Deviation,
  deviation,
  inHeader,
  isOfACompany,
  type Mistake,
  mistaking,
  not,
  of,
  overlooking,
  overlooks,
  refuses,
  withCertificate,
  withHeader,
} from './deviation.ts';
import { afterFlows, asPrivate, type Occasion, occasionOf } from './redirect-changes.ts';
import { isNamedByIdentity } from './single-sca.ts';

const customerNamedBy = (request: BankRequest, { psuIds }: BankState): string | undefined =>
  psuIds.customerNumberOf(tppIdOf(request), request.header('psu-id') ?? '');

/** The customer who has passed SCA in the session that a request names. */
const customerOfSession = (request: BankRequest, { customers, sessions }: BankState): string | undefined =>
  customers
    .list()
    .map(({ customerNumber }) => customerNumber)
    .find(
      (number) => sessions.latest(tppIdOf(request), number)?.sessionId === request.header('tpp-session-id'),
    );

/** Whoever comes with the PSU-ID of another TPP is taken for that one. */
export function asTheOtherTpp(): Mistake {
  const given = new Map<string, TppCertificate>();
  return (request, state) => {
    const psuId = request.header('psu-id')?.toLowerCase() ?? '';
    if (customerNamedBy(request, state) === undefined)
      return withCertificate(request, given.get(psuId) ?? request.certificate);
    if (request.certificate !== undefined) given.set(psuId, request.certificate);
    return request;
  };
}

const inAnySession: Mistake = (request, state) => {
  const customer = customerNamedBy(request, state);
  const other = customerOfSession(request, state);
  if (customer === undefined || other === undefined) return request;
  return withHeader(request, 'tpp-session-id', state.sessions.latest(tppIdOf(request), customer)?.sessionId);
};

/** A session says whether it is private or of a company, and not whose it is. */
const inAnySessionAlike: Mistake = (request, state) => {
  const contextOf = (customer: string | undefined) =>
    customer === undefined ? undefined : state.sessions.latest(tppIdOf(request), customer)?.context;
  return contextOf(customerNamedBy(request, state)) === contextOf(customerOfSession(request, state))
    ? inAnySession(request, state)
    : request;
};

/** Whoever comes with a PSU-ID that nobody has is taken for the PSU of the session. */
export const asThePsuOfTheSession: Mistake = (request, state) => {
  const customer = customerOfSession(request, state);
  if (customerNamedBy(request, state) !== undefined || customer === undefined) return request;
  return withHeader(request, 'psu-id', state.psuIds.idFor(tppIdOf(request), customer));
};

/** PSU-Corporate-ID is demanded and not looked at, where there is such an agreement or where there is none. */
export const withAnyAgreement =
  (isThere: boolean): Mistake =>
  (request, state) => {
    const id = request.header('psu-corporate-id')?.toLowerCase();
    const own = state.customers.agreementsOf(customerNamedBy(request, state) ?? '');
    const isOthers = id !== undefined && own.every((agreement) => agreement.id !== id);
    const isMistaken = isOthers && (state.customers.agreement(id ?? '') !== undefined) === isThere;
    return isMistaken ? withHeader(request, 'psu-corporate-id', own[0]?.id) : request;
  };

/** As much of an id as a careless bank compares. */
const beginning = (id: string | undefined): string => (id ?? '').slice(0, 8);

/** Which of the ids a header stands for, where only their beginnings are compared. */
const byItsBeginning =
  (
    name: string,
    idsOf: (request: BankRequest, state: BankState) => readonly (string | undefined)[],
  ): Mistake =>
  (request, state) => {
    const sent = request.header(name);
    const meant = idsOf(request, state).find((id) => id !== undefined && beginning(id) === beginning(sent));
    return sent === undefined || meant === undefined ? request : withHeader(request, name, meant);
  };

export const sessionByItsBeginning = byItsBeginning('tpp-session-id', (request, state) => [
  state.sessions.latest(tppIdOf(request), customerNamedBy(request, state) ?? '')?.sessionId,
]);

const psuByItsBeginning = byItsBeginning('psu-id', (request, { customers, psuIds }) =>
  customers.list().map(({ customerNumber }) => psuIds.idFor(tppIdOf(request), customerNumber)),
);

const agreementByItsBeginning = byItsBeginning('psu-corporate-id', (request, state) =>
  state.customers.agreementsOf(customerNamedBy(request, state) ?? '').map(({ id }) => id),
);

const places: Readonly<Record<string, BankOperation>> = {
  ...Object.fromEntries(everyProduct.map(({ word, creation }) => [word, creation])),
  basket: 'createSigningBasket',
  accounts: 'listAccounts',
};

const mixtures: readonly {
  readonly requirement: string;
  readonly title: string;
  readonly mistake: () => Mistake;
  readonly at: readonly string[];
}[] = [
  {
    requirement: 'SCA-15',
    title: 'lets another TPP use a PSU-ID and session',
    mistake: asTheOtherTpp,
    // The payments of a basket are not those of the other TPP either, so that there are two reasons to refuse it.
    at: Object.keys(places).filter((place) => place !== 'basket'),
  },
  {
    requirement: 'SCA-16',
    title: 'takes a PSU-ID in the session of another PSU',
    mistake: () => inAnySession,
    at: ['accounts'],
  },
  {
    requirement: 'SCA-17',
    title: 'takes any PSU-ID in a session that holds',
    mistake: () => asThePsuOfTheSession,
    at: Object.keys(places),
  },
  // At payments and baskets the rule itself can be left out; here nothing could be shown without an agreement.
  {
    requirement: 'COR-03',
    title: 'takes a PSU-Corporate-ID that nobody has',
    mistake: () => withAnyAgreement(false),
    at: ['accounts'],
  },
  {
    requirement: 'COR-04',
    title: 'takes the PSU-Corporate-ID of others',
    mistake: () => withAnyAgreement(true),
    at: ['accounts'],
  },
];

const actsInCorporateContext = inHeader('psu-context', 'CORPORATE');
const isNamed = inHeader('psu-id');

/** Single-SCA initiation in corporate context: the agreement is chosen on the way. */
const isSingleSca = (flow: ScaFlow): boolean =>
  approvalOf(flow) !== undefined && flow.context === 'CORPORATE' && flow.agreementId === undefined;

const afterSingleSca = (change: (location: string) => string): DesignChange =>
  afterFlows(isSingleSca, change);

const psuContext: readonly Deviation[] = [
  ...alsoAt(
    atPayments,
    refuses(
      'COR-05/refused',
      'knows PSU-Context PRIVATE only',
      creations,
      both(actsInCorporateContext, isNamed),
    ),
  ),
  overlooks(
    'COR-01/context-is-enough',
    'wants no PSU-Corporate-ID where PSU-Context says CORPORATE',
    actsInCorporateContext,
  ),
  overlooks(
    'COR-01/context-alone',
    'wants PSU-Corporate-ID only where PSU-Context says CORPORATE (domestic)',
    both(at(products.domestic.creation), not(actsInCorporateContext)),
  ),
  deviation(
    'COR-06/told-private',
    'tells PRIVATE after single SCA in corporate context',
    afterSingleSca(asPrivate),
  ),
  deviation(
    'COR-06/without-agreement',
    'tells no psu-corporate-id after single SCA in corporate context',
    afterSingleSca((location) => location.replace(/psu-corporate-id=[^&]*&?/, '')),
  ),
  ...everyProduct.map(({ word, creation }) => ({
    ...refuses(
      `SCA-18/not-demanded-at-${word}`,
      `begins single SCA without PSU-Context (${word})`,
      creations.filter((other) => other !== creation),
      both(not(isNamed), not(inHeader('psu-context'))),
    ),
    under: { singleScaContext: 'required' } as const,
  })),
];

const halves = [
  ['SES-02', 'TPP-Session-ID', sessionByItsBeginning, ['accounts']],
  ['SCA-17', 'PSU-ID', psuByItsBeginning, Object.keys(places)],
  ['COR-03', 'PSU-Corporate-ID', agreementByItsBeginning, Object.keys(places)],
] as const;

/** Who speaks for whom is looked at by halves. */
export const identityDeviations: readonly Deviation[] = [
  ...halves.flatMap(([requirement, name, mistake, at]) =>
    at.map((place) =>
      deviation(
        `${requirement}/by-its-beginning-at-${place}`,
        `compares the beginning of ${name} only (${place})`,
        mistaking(places[place] ?? 'other', mistake),
      ),
    ),
  ),
  ...mixtures.flatMap(({ requirement, title, mistake, at }) =>
    at.map((place) =>
      deviation(`${requirement}/taken-at-${place}`, `${title} (${place})`, (design) =>
        mistaking(places[place] ?? 'other', mistake())(design),
      ),
    ),
  ),
  deviation(
    'SCA-16/taken-in-its-context',
    'takes a PSU-ID in the session of another PSU in the same context',
    mistaking('listAccounts', inAnySessionAlike),
  ),
  ...psuContext,
];

const onlyAt = (requirement: string, operation: BankOperation): DesignChange =>
  overlooking(of(requirement), at(operation));

/** Whoever passes SCA at the link of a payment or basket approves it, as if its PSU had. */
const approvedByAnybody = (occasion: Occasion): DesignChange =>
  withState(({ flows }) => ({ flows: openTo(flows, (start) => occasionOf(start) === occasion) }));

/** Flows of approvals that know nothing of the PSU whom the request has named. */
const openTo = (flows: BankState['flows'], isMeant: (start: ScaStart) => boolean): BankState['flows'] => ({
  ...flows,
  start: (start) => {
    const approval = approvalOf(start);
    const { customerNumber } = start;
    if (approval === undefined || customerNumber === undefined || !isMeant(start)) return flows.start(start);
    return flows.start({
      ...start,
      // Who acts for a company, others do not.
      ...(start.agreementId === undefined ? {} : { agreementId: undefined, context: undefined }),
      customerNumber: undefined,
      purpose: { ...approval, approve: (psu) => approval.approve({ ...psu, customerNumber }) },
    });
  },
});

/** The same where the request that asks for the approval is meant. */
const approvedByAnybodyWhere = (isMeant: (request: BankRequest) => boolean): DesignChange =>
  withRoutes((route) => ({
    ...route,
    handle: (request, state) =>
      route.handle(request, isMeant(request) ? { ...state, flows: openTo(state.flows, () => true) } : state),
  }));

const isPaymentOfACompany = ({ params }: BankRequest, { payments }: BankState): boolean =>
  payments.get(params.paymentId ?? '')?.corporateId !== undefined;

const ofCompaniesAt =
  (operation: string) =>
  (request: BankRequest, state: BankState): boolean =>
    request.operation === operation && isPaymentOfACompany(request, state);

const isInABasket = ({ params }: BankRequest, { baskets }: BankState): boolean =>
  [...baskets.values()].some(({ paymentIds }) => paymentIds.includes(params.paymentId ?? ''));

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
      `${requirement}/details`,
      `shows ${who} the details of a payment`,
      onlyAt(requirement, 'readPayment'),
    ),
    deviation(
      `${requirement}/deletion`,
      `lets ${who} delete a payment`,
      onlyAt(requirement, 'deletePayment'),
    ),
    deviation(
      `${requirement}/authorisation`,
      `lets ${who} start the authorisation of a payment`,
      startedByTheTpp,
      onlyAt(requirement, 'startPaymentAuthorisation'),
    ),
    deviation(
      `${requirement}/authorisation-status`,
      `tells ${who} how far the authorisation of a payment has come`,
      startedByTheTpp,
      onlyAt(requirement, 'readPaymentAuthorisation'),
    ),
    overlooks(
      `${requirement}/status-in-no-basket`,
      `tells ${who} the status of a payment, unless it is in a basket`,
      (request, state) => request.operation === 'readPaymentStatus' && !isInABasket(request, state),
    ),
    ...(['readPaymentStatus', 'deletePayment'] as const).map((operation) =>
      overlooks(
        `${requirement}/${operation}-in-a-basket`,
        `lets ${who} read or delete a payment that is in a basket (${operation})`,
        (request, state) => request.operation === operation && isInABasket(request, state),
      ),
    ),
  ]),
  ...(
    [
      ['status', 'readPaymentStatus', (who: string) => `tells ${who} the status of payments of companies`],
      ['deletion', 'deletePayment', (who: string) => `lets ${who} delete payments of companies`],
    ] as const
  ).flatMap(([what, operation, title]) => [
    overlooks(`OWN-02/${what}-of-companies`, title('another PSU'), ofCompaniesAt(operation)),
    deviation(
      `OWN-01/${what}-of-companies`,
      title('another TPP'),
      overlooking(of('OWN-01'), ofCompaniesAt(operation)),
      overlooking(
        of('OWN-02'),
        (request, state) =>
          isPaymentOfACompany(request, state) &&
          state.payments.get(request.params.paymentId ?? '')?.tpp !== tppIdOf(request),
      ),
    ),
  ]),
  deviation('OWN-03/anybody', 'lets another PSU approve a payment', approvedByAnybody('domestic')),
  deviation(
    'OWN-03/anybody-by-authorisation',
    'lets another PSU approve a payment by the authorisation that was started for it',
    startedByTheTpp,
    approvedByAnybody('domestic'),
  ),
  deviation(
    'OWN-03/anybody-by-identity',
    'lets another PSU approve the payment of one who was named by X-PSU-IDENTITY',
    approvedByAnybodyWhere(isNamedByIdentity),
  ),
  deviation(
    'OWN-03/anybody-by-psu-id',
    'lets another PSU approve the domestic payment of one who was named by PSU-ID',
    approvedByAnybodyWhere(both(at('createDomesticPayment'), not(isNamedByIdentity))),
  ),
  deviation(
    'OWN-03/anybody-for-persons',
    'lets another PSU approve the domestic payment of a person',
    approvedByAnybodyWhere(both(at('createDomesticPayment'), not(isNamedByIdentity), not(isOfACompany))),
  ),
  deviation(
    'OWN-03/anybody-for-companies',
    'lets another PSU approve the payment of a company',
    withState(({ flows }) => ({ flows: openTo(flows, ({ agreementId }) => agreementId !== undefined) })),
  ),
  ...(['basket', 'cross-border'] as const).map((occasion) =>
    deviation(
      `OWN-03/anybody-at-${occasion}`,
      `lets another PSU approve what is not theirs (${occasion})`,
      approvedByAnybody(occasion),
    ),
  ),
];
