import type { TppCertificate } from '../../signing/certificate.ts';
import { creations, everyProduct, products } from '../../spec/products.ts';
import { anew, type DesignChange, withRoutes, withState } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, BankState } from '../design/route.ts';
import { startedByTheTpp } from '../dialects/authorisations.ts';
import { tppIdOf } from '../sca/identify-psu.ts';
import type { Agreement } from '../state/customers.ts';
import { approvalOf, type ScaFlow, type ScaStart } from '../state/flows.ts';
import {
  at,
  atCreations,
  atPayments,
  both,
  type Condition,
  each,
  inHeader,
  isOfACompany,
  type Mistake,
  mistaking,
  not,
  of,
  overlooking,
  type ShownOperation,
  shownOperations,
  table,
  withCertificate,
  withHeader,
} from './deviation.ts';
import { afterFlows, asPrivate, type Occasion, occasionOf, without } from './redirect-changes.ts';
import { isNamedByIdentity } from './single-sca.ts';

type Told<Value> = (request: BankRequest, state: BankState) => Value;

const customerNamedBy: Told<string> = (request, { psuIds }) =>
  psuIds.customerNumberOf(tppIdOf(request), request.header('psu-id') ?? '') ?? '';

const sessionOf = (request: BankRequest, state: BankState, customer = customerNamedBy(request, state)) =>
  state.sessions.latest(tppIdOf(request), customer);

const agreementsOf: Told<readonly Agreement[]> = (request, state) =>
  state.customers.agreementsOf(customerNamedBy(request, state));

/** The customer who has passed SCA in the session that a request names. */
const customerOfSession: Told<string> = (request, state) =>
  state.customers
    .list()
    .map(({ customerNumber }) => customerNumber)
    .find((each) => sessionOf(request, state, each)?.sessionId === request.header('tpp-session-id')) ?? '';

/** Whoever comes with the PSU-ID of another TPP is taken for that one. */
export function asTheOtherTpp(): Mistake {
  const given = new Map<string, TppCertificate>();
  return (request, state) => {
    const psuId = request.header('psu-id')?.toLowerCase() ?? '';
    if (customerNamedBy(request, state) === '')
      return withCertificate(request, given.get(psuId) ?? request.certificate);
    if (request.certificate !== undefined) given.set(psuId, request.certificate);
    return request;
  };
}

/** A header is taken for another value of it; undefined leaves it as it is. */
const taking =
  (header: string, meant: Told<string | undefined>): Mistake =>
  (request, state) => {
    const value = meant(request, state);
    return value === undefined ? request : withHeader(request, header, value);
  };

const inAnySession = taking('tpp-session-id', (request, state) =>
  customerOfSession(request, state) === '' ? undefined : sessionOf(request, state)?.sessionId,
);

/** A session says whether it is private or of a company, and not whose it is. */
const inAnySessionAlike: Mistake = (request, state) =>
  sessionOf(request, state)?.context === sessionOf(request, state, customerOfSession(request, state))?.context
    ? inAnySession(request, state)
    : request;

/** Whoever comes with a PSU-ID that nobody has is taken for the PSU of the session. */
export const asThePsuOfTheSession = taking('psu-id', (request, state) => {
  const customer = customerOfSession(request, state);
  return customerNamedBy(request, state) === '' && customer !== ''
    ? state.psuIds.idFor(tppIdOf(request), customer)
    : undefined;
});

/** Whatever agreement is named, it is taken for that of the session. */
export const inTheAgreementOfItsSession = taking('psu-corporate-id', (request, state) =>
  isOfACompany(request) ? sessionOf(request, state)?.agreementId : undefined,
);

/** PSU-Corporate-ID is demanded and not looked at, where there is such an agreement or where there is none. */
export const withAnyAgreement =
  (isThere: boolean): Mistake =>
  (request, state) => {
    const id = request.header('psu-corporate-id')?.toLowerCase();
    const own = agreementsOf(request, state);
    const isOthers = id !== undefined && own.every((agreement) => agreement.id !== id);
    const isMistaken = isOthers && (state.customers.agreement(id ?? '') !== undefined) === isThere;
    return isMistaken ? withHeader(request, 'psu-corporate-id', own[0]?.id) : request;
  };

/** As much of an id as a careless bank compares tells which it is. */
const byItsBeginning = (name: string, idsOf: Told<readonly (string | undefined)[]>): Mistake =>
  taking(name, (request, state) => {
    const sent = request.header(name)?.slice(0, 8);
    return sent === undefined ? undefined : idsOf(request, state).find((id) => id?.slice(0, 8) === sent);
  });

export const sessionByItsBeginning = byItsBeginning('tpp-session-id', (...request) => [
  sessionOf(...request)?.sessionId,
]);

const psuByItsBeginning = byItsBeginning('psu-id', (request, { customers, psuIds }) =>
  customers.list().map(({ customerNumber }) => psuIds.idFor(tppIdOf(request), customerNumber)),
);

const agreementByItsBeginning = byItsBeginning('psu-corporate-id', (...request) =>
  agreementsOf(...request).map(({ id }) => id),
);

/** A mistake about some requests; it sees the others as well, and remembers for each bank by itself. */
export const mistakingSome = (
  operation: BankOperation,
  make: () => Mistake,
  isMeant: Condition = () => true,
): DesignChange =>
  anew(() => {
    const mistake = make();
    return mistaking(operation, (request, state) => {
      const mistaken = mistake(request, state);
      return isMeant(request, state) ? mistaken : request;
    });
  });

const atCreationsAndAccounts: readonly ShownOperation[] = [...atCreations, 'accounts'];
const accounts: readonly ShownOperation[] = ['accounts'];

const actsInCorporateContext = inHeader('psu-context', 'CORPORATE');
const isNamed = inHeader('psu-id');

/** Single-SCA initiation in corporate context: the agreement is chosen on the way. */
const isSingleSca = (flow: ScaFlow): boolean =>
  approvalOf(flow) !== undefined && flow.context === 'CORPORATE' && flow.agreementId === undefined;

/** Who speaks for whom is looked at by halves. */
// biome-ignore format: a table
export const identityDeviations = table(
  each([['SES-02', 'TPP-Session-ID', sessionByItsBeginning, accounts], ['SCA-17', 'PSU-ID', psuByItsBeginning, atCreationsAndAccounts], ['COR-03', 'PSU-Corporate-ID', agreementByItsBeginning, atCreationsAndAccounts]], (requirement, name, mistake, places) =>
    each(places, (place) => [`${requirement}/by-its-beginning-at-${place}`, `compares the beginning of ${name} only (${place})`, mistaking(shownOperations[place], mistake)])),
  each([
    // The payments of a basket are not those of the other TPP either, so that there are two reasons to refuse it.
    ['SCA-15', 'lets another TPP use a PSU-ID and session', asTheOtherTpp, [...atPayments, ...accounts]],
    ['SCA-16', 'takes a PSU-ID in the session of another PSU', () => inAnySession, accounts],
    ['SCA-17', 'takes any PSU-ID in a session that holds', () => asThePsuOfTheSession, atCreationsAndAccounts],
    // At payments and baskets the rule itself can be left out; here nothing could be shown without an agreement.
    ['COR-03', 'takes a PSU-Corporate-ID that nobody has', () => withAnyAgreement(false), accounts],
    ['COR-04', 'takes the PSU-Corporate-ID of others', () => withAnyAgreement(true), accounts],
  ], (requirement, title, mistake, places) =>
    each(places, (place) => [`${requirement}/taken-at-${place}`, `${title} (${place})`, mistakingSome(shownOperations[place], mistake)])),
  ['SCA-16/taken-in-its-context', 'takes a PSU-ID in the session of another PSU in the same context', mistaking('listAccounts', inAnySessionAlike)],
  ['COR-05/refused', 'knows PSU-Context PRIVATE only', { refuse: both(actsInCorporateContext, isNamed), at: creations }, { alsoAt: atPayments }],
  ['COR-01/context-is-enough', 'wants no PSU-Corporate-ID where PSU-Context says CORPORATE', { overlook: actsInCorporateContext }],
  ['COR-01/context-alone', 'wants PSU-Corporate-ID only where PSU-Context says CORPORATE (domestic)', { overlook: both(at(products.domestic.creation), not(actsInCorporateContext)) }],
  ['COR-06/told-private', 'tells PRIVATE after single SCA in corporate context', afterFlows(isSingleSca, asPrivate)],
  ['COR-06/without-agreement', 'tells no psu-corporate-id after single SCA in corporate context', afterFlows(isSingleSca, without('psu-corporate-id'))],
  each(everyProduct, ({ word, creation }) => [`SCA-18/not-demanded-at-${word}`, `begins single SCA without PSU-Context (${word})`,
    { refuse: both(not(isNamed), not(inHeader('psu-context'))), at: creations.filter((other) => other !== creation) }, { under: { singleScaContext: 'required' } }]),
);

/** Flows of approvals that know nothing of the PSU whom the request has named: whoever passes SCA there approves for them. */
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

const approvedByAnybody = (isMeant: (start: ScaStart) => boolean): DesignChange =>
  withState(({ flows }) => ({ flows: openTo(flows, isMeant) }));

const isAbout = (occasion: Occasion) => (start: ScaStart) => occasionOf(start) === occasion;

/** The same where the request that asks for the approval is meant. */
const approvedByAnybodyWhere = (
  ...conditions: readonly ((request: BankRequest) => boolean)[]
): DesignChange =>
  withRoutes((route) => ({
    ...route,
    handle: (request, state) =>
      route.handle(
        request,
        both(...conditions)(request) ? { ...state, flows: openTo(state.flows, () => true) } : state,
      ),
  }));

/** Some payments, at one operation. */
const some =
  (operation: BankOperation, isMeant: Condition): Condition =>
  (request, state) =>
    request.operation === operation && isMeant(request, state);

const isOfSomeCompany: Condition = ({ params }, { payments }) =>
  payments.get(params.paymentId ?? '')?.corporateId !== undefined;

const isOfAnotherTpp: Condition = (request, { payments }) =>
  payments.get(request.params.paymentId ?? '')?.tpp !== tppIdOf(request);

const isInABasket: Condition = ({ params }, { baskets }) =>
  [...baskets.values()].some(({ paymentIds }) => paymentIds.includes(params.paymentId ?? ''));

/** Payments that others get at. */
// biome-ignore format: a table
export const ownershipDeviations = table(
  each([['OWN-01', 'another TPP'], ['OWN-02', 'another PSU']], (requirement, who) => table(
    [`${requirement}/status`, `tells ${who} the status of a payment`, { overlook: at('readPaymentStatus') }],
    [`${requirement}/details`, `shows ${who} the details of a payment`, { overlook: at('readPayment') }],
    [`${requirement}/deletion`, `lets ${who} delete a payment`, { overlook: at('deletePayment') }],
    [`${requirement}/authorisation`, `lets ${who} start the authorisation of a payment`, [startedByTheTpp, { overlook: at('startPaymentAuthorisation') }]],
    [`${requirement}/authorisation-status`, `tells ${who} how far the authorisation of a payment has come`, [startedByTheTpp, { overlook: at('readPaymentAuthorisation') }]],
    [`${requirement}/status-in-no-basket`, `tells ${who} the status of a payment, unless it is in a basket`, { overlook: some('readPaymentStatus', (...request) => !isInABasket(...request)) }],
    each(['readPaymentStatus', 'deletePayment'], (operation) =>
      [`${requirement}/${operation}-in-a-basket`, `lets ${who} read or delete a payment that is in a basket (${operation})`, { overlook: some(operation, isInABasket) }]))),
  each([['status', 'readPaymentStatus', 'tells', 'the status of'], ['deletion', 'deletePayment', 'lets', 'delete']], (what, operation, lets, act) => table(
    [`OWN-02/${what}-of-companies`, `${lets} another PSU ${act} payments of companies`, { overlook: some(operation, isOfSomeCompany) }],
    [`OWN-01/${what}-of-companies`, `${lets} another TPP ${act} payments of companies`,
      [{ overlook: some(operation, isOfSomeCompany) }, overlooking(of('OWN-02'), (...request) => isOfSomeCompany(...request) && isOfAnotherTpp(...request))]])),
  ['OWN-03/anybody', 'lets another PSU approve a payment', approvedByAnybody(isAbout('domestic'))],
  ['OWN-03/anybody-by-authorisation', 'lets another PSU approve a payment by the authorisation that was started for it', [startedByTheTpp, approvedByAnybody(isAbout('domestic'))]],
  ['OWN-03/anybody-by-identity', 'lets another PSU approve the payment of one who was named by X-PSU-IDENTITY', approvedByAnybodyWhere(isNamedByIdentity)],
  ['OWN-03/anybody-by-psu-id', 'lets another PSU approve the domestic payment of one who was named by PSU-ID', approvedByAnybodyWhere(at('createDomesticPayment'), not(isNamedByIdentity))],
  ['OWN-03/anybody-for-persons', 'lets another PSU approve the domestic payment of a person', approvedByAnybodyWhere(at('createDomesticPayment'), not(isNamedByIdentity), not(isOfACompany))],
  ['OWN-03/anybody-for-companies', 'lets another PSU approve the payment of a company', approvedByAnybody(({ agreementId }) => agreementId !== undefined)],
  each(['basket', 'cross-border'], (occasion) => [`OWN-03/anybody-at-${occasion}`, `lets another PSU approve what is not theirs (${occasion})`, approvedByAnybody(isAbout(occasion))]),
);
