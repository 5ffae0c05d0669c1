import { randomUUID } from 'node:crypto';
import { isUuid } from '../../spec/formats.ts';
import { textAt } from '../../spec/json.ts';
import { everyProduct, products } from '../../spec/products.ts';
import {
  allOf,
  type DesignChange,
  granting,
  knowingSessions,
  withAnswering,
  withPayments,
  withStatus,
} from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { identifyPsu } from '../sca/identify-psu.ts';
import type { ScaFlow } from '../state/flows.ts';
import { listing, numbersOf } from './accounts.ts';
import {
  asIfPresent,
  at,
  both,
  demandedBy,
  each,
  inHeader,
  inQuery,
  isOfACompany,
  not,
  overlooking,
  ruleOf,
  serving,
  table,
} from './deviation.ts';
import {
  afterFlows,
  asPrivate,
  elsewhere,
  type Occasion,
  occasionOf,
  withAnother,
  without,
  withoutUuid,
} from './redirect-changes.ts';
import { numberedOtherwise } from './sca.ts';
import { knowingNamed } from './single-sca.ts';

type Address = (address: string) => string;

/** The redirect after somebody's SCA for something, changed. */
const after = (occasion: Occasion, isMeant: (flow: ScaFlow) => boolean, change: Address) =>
  afterFlows((flow) => occasionOf(flow) === occasion && isMeant(flow), change);

const byACompany = ({ identified }: ScaFlow): boolean => identified?.context === 'CORPORATE';
const byAPerson = (flow: ScaFlow): boolean => !byACompany(flow);
const byAnybody = (): boolean => true;

/** A page at the top of a site, such as https://tpp.example/redirect. */
const fromTheTop = (flow: ScaFlow): boolean => {
  const { redirectUri = '' } = flow;
  return byAPerson(flow) && URL.canParse(redirectUri) && /^\/[^/]*$/.test(new URL(redirectUri).pathname);
};

const domestic = products.domestic.word;
const isAtBaskets = both(at('createSigningBasket'), isOfACompany);

// biome-ignore format: a table
const redirectsOfCompanies = (occasion: Occasion, done: string) => table(
  each([['RDR-01', 'psu-id'], ['RDR-02', 'tpp-session-id'], ['RDR-03', 'context']], (requirement, name) =>
    [`${requirement}/missing-for-companies-after-${occasion}`, `leaves ${name} out of the redirect after a company has ${done}`, after(occasion, byACompany, without(name))]),
  [`SCA-03/elsewhere-for-companies-after-${occasion}`, `sends whoever has ${done} for a company to an address of its own`, after(occasion, byACompany, elsewhere)],
  [`RDR-02/another-for-companies-after-${occasion}`, `sends another tpp-session-id after a company has ${done}`, after(occasion, byACompany, withAnother('tpp-session-id'))],
);

/** Rules that hold for people, and were forgotten where a company acts; and some that hold for companies alone. */
// biome-ignore format: a table
export const companyDeviations = table(
  redirectsOfCompanies('access', 'granted access'),
  each([['psu-id', 'psu-id-for-companies'], ['psu-corporate-id', 'agreement']], (name, what) =>
    [`SCA-06/another-${what}`, `sends another ${name} after a company has granted access, and does not know it again`, after('access', byACompany, withAnother(name))]),
  each([[domestic, 'approved a payment'], ['basket', 'approved a basket']], (occasion, done) => table(
    redirectsOfCompanies(occasion, done),
    [`SCA-04/another-for-companies-after-${occasion}`, `sends another psu-id after a company has ${done}`, after(occasion, byACompany, withAnother('psu-id'))])),
  ['RDR-04/missing-after-basket', 'leaves psu-corporate-id out of the redirect after a company has approved a basket', after('basket', byACompany, without('psu-corporate-id'))],
  ['RDR-05/private-after-basket', 'calls the context of a company PRIVATE after it has approved a basket', after('basket', byACompany, asPrivate)],
  each([['RDR-01/missing', 'leaves psu-id out of the redirect', without('psu-id')], ['RDR-02/no-uuid', 'leaves a tpp-session-id that is a UUID out of the redirect', withoutUuid], ['RDR-03/missing', 'leaves context out of the redirect', without('context')], ['SCA-03/elsewhere', 'redirects to an address of its own', elsewhere]], (id, title, change) =>
    [`${id}-for-people-after-access`, `${title} after a person has granted access`, after('access', byAPerson, change)]),
  each([products.crossBorder.word, 'basket'], (occasion) => table(
    [`RDR-05/corporate-for-people-after-${occasion}`, `tells CORPORATE after a person has approved what is theirs (${occasion})`,
      after(occasion, byAnybody, (address) => address.replace('context=PRIVATE', 'context=CORPORATE'))],
    [`RDR-04/of-people-after-${occasion}`, `sends a psu-corporate-id after a person has approved what is theirs (${occasion})`,
      after(occasion, byAnybody, (address) => address.replace('context=PRIVATE', `context=PRIVATE&psu-corporate-id=${randomUUID()}`))])),
  ['SCA-03/elsewhere-for-people-from-the-top', 'redirects to an address of its own after a person has granted access, where TPP-Redirect-URI is at the top of a site', after('access', fromTheTop, elsewhere)],
  each([[domestic, '', 'payment'], ['basket', '-after-basket', 'basket']], (occasion, ending, what) => each([['RDF-02', 'status'], ['RDF-03', 'code'], ['RDF-04', 'message']], (requirement, name) =>
    [`${requirement}/missing-for-companies${ending}`, `leaves ${name} out of the redirect after a company did not approve its ${what}`, after(occasion, ({ agreementId }) => agreementId !== undefined, without(name))])),
  ['SES-02/open-to-companies', 'shows the accounts of a company in any session', { overlook: both(at('listAccounts'), isOfACompany), rules: serving }],
  each([['companies', 'CORPORATE'], ['people', 'PRIVATE']], (whose, type) =>
    [`SBX-47/other-number-of-${whose}`, `lists customer numbers of ${whose} with which no SCA can be passed`, numberedOtherwise(({ customerType }) => customerType === type)]),
  each(everyProduct, ({ creation, requirements }) => [`${requirements.duplicateAllowed}/refused-to-companies`, 'refuses duplicates of companies even when they are allowed',
    (design) => ({ ...design, refusesDuplicates: (request) => (request.operation === creation && isOfACompany(request)) || design.refusesDuplicates(request) })]),
  each(everyProduct, ({ requirements }) => [`${requirements.duplicateAllowed}/parameter-refused-to-companies`, 'takes no allowLogicalDuplicate from companies',
    { refuse: both(isOfACompany, inQuery('allowLogicalDuplicate')) }]),
  ['BSK-10/200-to-companies', 'answers 200 to a basket of a company', withStatus(['createSigningBasket'], 200, isOfACompany)],
  each([
    ['SIG-02', 'does not verify signatures of baskets'], ['CLK-03', 'takes any Date of the past with baskets'], ['SGH-01', 'takes any serial number with baskets'], ['HDB-21', 'does not demand PSU-IP-Address with baskets'],
    ['HDB-07', 'does not demand X-Request-ID with baskets'], ['BSK-15', 'takes empty baskets'], ['BSK-16', 'takes unknown payments in baskets'],
  ], (requirement, title) => [`${requirement}/overlooked-in-baskets-of-companies`, `${title} of companies`, { overlook: isAtBaskets, rules: demandedBy }]),
  each([['SIG-02', 'does not verify signatures of companies that ask for accounts'], ['CLK-04', 'takes any Date of the future from companies that ask for accounts'], ['CRT-02', 'takes expired certificates where accounts of companies are asked for']], (requirement, title) =>
    [`${requirement}/overlooked-at-accounts-of-companies`, title, { overlook: both(at('listAccounts'), isOfACompany), rules: demandedBy }]),
  each([['balances', 'readBalances'], ['transactions', 'readTransactions']], (what, operation) =>
    [`SES-02/${what}-open-to-companies`, 'shows what an account of a company holds in any session', { overlook: both(at(operation), isOfACompany), rules: serving }]),
  ['ERR-02/not-of-companies', 'takes wrong KIDs from companies', { overlook: isOfACompany, rules: serving }],
  each([['ACC-10', 'balances', 'readBalances'], ['ACC-11', 'transactions', 'readTransactions']], (requirement, what, operation) =>
    [`${requirement}/unlimited-for-companies`, `lets ${what} of companies be read without the PSU at any time`, { overlook: both(at(operation), isOfACompany), rules: ruleOf }]),
  ['ACC-12/shows-all-of-companies', 'shows old transactions of companies without the PSU', asIfPresent(isOfACompany)],
  ['ACC-12/shows-all-that-is-booked', 'shows old transactions without the PSU where bookingStatus is all', asIfPresent(inQuery('bookingStatus', 'all'))],
  ['SES-03/old-one-stays-for-companies', 'lets an old session of a company go on after SCA in a new one', knowingSessions((wasPassed) => overlooking(serving('SES-03'), both(isOfACompany, wasPassed)))],
  ['SCA-09/kept-for-companies', 'goes on showing an account that a company has deselected', granting((ticked, before, { agreementId }) => [...((agreementId && before) ?? []), ...ticked])],
  ['SCA-09/nothing-is-no-change', 'leaves the consent as it was when no box at all is ticked', granting((ticked, before) => (before === undefined || ticked.length > 0 ? ticked : undefined))],
  ['SCA-09/whole-agreement', 'lists every account of an agreement, granted or not', listing((_, request, state) => {
    const psu = identifyPsu(request, state);
    return psu?.agreement && state.customers.reachableAccounts(psu).map(numbersOf);
  })],
  ['TRN-17/ipv4-only-for-companies', 'takes no IPv6 address of a PSU who acts for a company', { refuse: both(isOfACompany, inHeader('psu-ip-address', /:/)) }],
  ['COR-07/not-demanded', 'does not demand PSU-Corporate-ID when a payment of a company is read or deleted', { overlook: () => true, rules: ruleOf }, { isAdvisedAgainst: true }],
);

/** The redirect of a person after SCA that some requests have begun, changed. */
const begunBy = (
  isOne: (request: BankRequest) => boolean,
  change: (address: string) => string,
): DesignChange => {
  const begun = new Set<string>();
  const remember = withAnswering(({ finish }) => ({
    finish: (answer, request) => {
      if (request !== undefined && isOne(request)) {
        const link = /\/sca\/([\w-]+)"/.exec(JSON.stringify(answer.body ?? ''))?.[1];
        if (link !== undefined) begun.add(link);
      }
      return finish(answer, request);
    },
  }));
  const ofAPerson = whenPassed(change);
  return allOf(
    remember,
    afterFlows(
      ({ id }) => begun.has(id),
      (address) => (address.includes('context=PRIVATE') ? ofAPerson(address) : address),
    ),
  );
};

/** The request has named the PSU, and nothing is to be approved. */
const ofTheKnown = ({ customerNumber, purpose }: ScaFlow): boolean =>
  customerNumber !== undefined && typeof purpose === 'string';

const whenPassed =
  (change: (address: string) => string) =>
  (address: string): string =>
    address.includes('psu-id=') ? change(address) : address;

const namesThePsu = inHeader('psu-id');
const namesNobody = both(at('listAccounts'), not(namesThePsu));
const namesOne = both(at('listAccounts'), namesThePsu);
/** A session called by a UUID, and an address without query or fragment to come back to. */
const hasPlainWay = both(inHeader('tpp-session-id', isUuid), inHeader('tpp-redirect-uri', /^[^?#]*$/));

/** What begins SCA. */
const beginnings = [
  ['user', at('startUserFlow'), 'GET /v1/user'],
  ['consents', at('createConsent'), 'POST /v1/consents'],
  ['listing', both(namesNobody, hasPlainWay), 'GET /v1/accounts without PSU-ID, in ordinary words,'],
  ['payments', both(at(products.domestic.creation), namesThePsu), 'a domestic payment with PSU-ID'],
] as const;

/** What a bank can get wrong about SCA by the way in which it has begun. */
// biome-ignore format: a table
export const beginningDeviations = table(
  each([
    ['RDR-01/missing', 'leaves psu-id out of the redirect', without('psu-id')],
    ['RDR-02/missing', 'leaves tpp-session-id out of the redirect', without('tpp-session-id')],
    ['RDR-03/missing', 'leaves context out of the redirect', without('context')],
    ['SCA-03/elsewhere', 'sends the PSU to an address of its own', elsewhere],
  ], (id, what, change) => table(
    [`${id}-of-the-known`, `${what} after SCA of a PSU whom the request has named`, afterFlows(ofTheKnown, whenPassed(change))],
    each(beginnings, (name, isOne, path) => [`${id}-after-${name}`, `${what} after SCA of a person that ${path} has begun`, begunBy(isOne, change)]))),
  ['SIG-01/unchecked-at-accounts-of-the-named', 'shows accounts to whoever names their PSU, signed or not', { overlook: namesOne }],
  ['PST-01/not-after-approval-of-the-known', 'loses sight of an approved domestic payment, unless its PSU was named by X-PSU-IDENTITY',
    knowingNamed((body) => textAt(body, 'paymentId'), (isTold) =>
      withPayments({ isReadable: ({ paymentId, product, approvedAt, standsStill }) => product !== products.domestic.path || approvedAt === undefined || standsStill === true || isTold(paymentId) }))],
  ['SIG-01/asks-first', 'asks for SCA where a request for accounts names nobody, whether it is signed or not', { overlook: namesNobody }],
  ['SIG-02/asks-first', 'asks for SCA where a request for accounts names nobody, whatever its signature is',
    overlooking(({ requirement }) => /^(?:SIG-02|SG[HS]-|CRT-07)/.test(requirement), namesNobody)],
);
