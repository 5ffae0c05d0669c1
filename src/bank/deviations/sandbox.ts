import { isObject, memberAt } from '../../spec/json.ts';
import { type DesignChange, onPages, telling, withAnswers, withSealed } from '../design/design-changes.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import { sandboxRoutes } from '../sandbox/routes.ts';
import { initialDataSet } from '../state/initial-data-set.ts';
import {
  at,
  both,
  each,
  handling,
  inQuery,
  marked,
  once,
  serving,
  table,
  withoutQuery,
  withQuery,
} from './deviation.ts';

const listing = ['listSandboxCustomers'] as const;

export type Customer = Readonly<Record<string, unknown>>;
type IsMeant = (request: BankRequest) => boolean;

const always = (): boolean => true;
const withAccounts = inQuery('withAccounts', 'true');
const noAccounts = inQuery('withAccounts', 'false');
const withAgreements = inQuery('withAgreements', 'true');
const noAgreements = inQuery('withAgreements', 'false');
const noDetail = both(noAccounts, noAgreements);

/** The whole listing, as it is asked for. */
const listed = (change: (body: unknown) => unknown, isMeant: IsMeant = always): DesignChange =>
  withAnswers(listing, (answer, request) =>
    isMeant(request) ? { ...answer, body: change(answer.body) } : answer,
  );

/** Each customer in it; those of whom nothing is made are left out. */
export const customers = (
  change: (customer: Customer, state: BankState) => Customer | undefined,
  isMeant: IsMeant = always,
): DesignChange =>
  withAnswers(listing, (answer, request, state) => {
    if (!Array.isArray(answer.body) || !isMeant(request)) return answer;
    const body = answer.body.flatMap((one: unknown) => (isObject(one) ? (change(one, state) ?? []) : [one]));
    return { ...answer, body };
  });

/** Members of them are others, or left out where they are undefined. */
const having = (members: Customer, isMeant: IsMeant): DesignChange =>
  customers((customer) => ({ ...customer, ...members }), isMeant);
const none = { accounts: [], cardAccounts: [] };

/** Some have no more of something than so many. */
const atMost = (most: number, list: string, type: string): DesignChange =>
  customers((customer) => {
    const kept = customer[list];
    return customer.customerType === type && Array.isArray(kept)
      ? { ...customer, [list]: kept.slice(0, most) }
      : customer;
  });

const customersOnly = (
  isListed: (customer: Customer, state: BankState) => boolean,
  isMeant: IsMeant = always,
): DesignChange =>
  customers((customer, state) => (isListed(customer, state) ? customer : undefined), isMeant);

const isInitial = ({ customerId }: Customer, { clock }: BankState): boolean =>
  initialDataSet(clock.now()).customers.some((customer) => customer.customerId === String(customerId));

/** Each of the two parameters, taken for the other. */
function exchanged(request: BankRequest): BankRequest {
  const names = ['withAccounts', 'withAgreements'] as const;
  const bare = names.reduce(withoutQuery, request);
  return names.reduce((taken, name, place) => {
    const value = request.query.get(name);
    return value === null ? taken : withQuery(taken, names[1 - place] ?? name, value);
  }, bare);
}

const encodedTwice = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** What two of the customers have, all people have. */
const sameForAll = (list: string): DesignChange =>
  listed((body) => {
    if (!Array.isArray(body) || body.length === 0) return body;
    const isPerson = (one: unknown): boolean => memberAt(one, 'customerType') === 'PRIVATE';
    const all = body.filter(isPerson).flatMap((one) => memberAt(one, list) ?? []);
    return body.map((one: unknown) => (isPerson(one) ? { ...Object(one), [list]: all.slice(0, 2) } : one));
  });

const initialOnesAlone: DesignChange = onPages((route) => (request, state) => {
  const byNumber = (number: string) => {
    const customer = state.customers.byNumber(number);
    return customer !== undefined && isInitial({ ...customer }, state) ? customer : undefined;
  };
  return route.handle(request, { ...state, customers: { ...state.customers, byNumber } });
});

/** The listing is there whatever the environment. */
const listingEverywhere: DesignChange = (design) => ({
  ...design,
  adaptRoutes: (routes) =>
    design.adaptRoutes([
      ...routes,
      ...sandboxRoutes().filter(
        ({ operation }) =>
          operation === 'listSandboxCustomers' && !routes.some((route) => route.operation === operation),
      ),
    ]),
});

/** Pending transactions that a listing leaves in. */
const pendingWhere = (
  isLeft: (day: string, place: number, query: URLSearchParams) => boolean,
  isMeant?: IsMeant,
): DesignChange =>
  telling(
    'readTransactions',
    'pending',
    (value, { query }) =>
      Array.isArray(value)
        ? value.filter(({ bookingDate = '' }: { bookingDate?: string }, place) =>
            isLeft(bookingDate, place, query),
          )
        : value,
    isMeant,
  );

const isOfDays = (day: string, _: number, query: URLSearchParams): boolean =>
  day >= (query.get('dateFrom') ?? '') && day <= (query.get('dateTo') ?? '9999-12-31');
const isWithinLimit = (_: string, place: number, query: URLSearchParams): boolean =>
  place < Number(query.get('limit') ?? Number.POSITIVE_INFINITY);

/** What sandboxes are exempt from: whoever tries them by hand has to know that. */
// biome-ignore format: a table
const inProduction = marked({ onlyInProduction: true },
  ['SBX-44/listed', 'lists sandbox customers in production', listingEverywhere],
  ['ACC-15/of-days', 'shows pending transactions of the days between dateFrom and dateTo only', pendingWhere(isOfDays)],
  ['ACC-15/of-days-with-both', 'shows pending transactions of the days that are asked for only, where bookingStatus is both', pendingWhere(isOfDays, inQuery('bookingStatus', 'both'))],
  ['ACC-15/limited', 'counts pending transactions for limit', pendingWhere(isWithinLimit)],
  ['ACC-15/limited-alone', 'counts pending transactions for limit where no others are asked for', pendingWhere(isWithinLimit, inQuery('bookingStatus', 'pending'))],
).map((one) => ({ ...one, title: `${one.title} (serve --production)` }));

// biome-ignore format: a table
export const sandboxDeviations = table(
  ['SBX-40/object-when-asked-for-details', 'answers with an object instead of an array where accounts are asked for', listed((body) => ({ customers: body }), withAccounts)],
  ['SBX-40/null-among-them', 'lists null next to the customers', listed((body) => [null, body].flat())],
  ['SBX-40/500-without-any-detail', 'breaks down where neither accounts nor agreements are asked for', withAnswers(listing, (answer, request) => (noDetail(request) ? { status: 500 } : answer))],
  ['SBX-40/object', 'answers with an object instead of an array', listed((body) => ({ customers: body }))],
  ['SBX-41/exchanged', 'takes withAccounts for withAgreements, and the other way round', handling('listSandboxCustomers', exchanged)],
  ['SBX-41/no-cards-when-asked', 'leaves card accounts out when accounts are asked for, and shows them otherwise', having({ cardAccounts: [] }, withAccounts)],
  ['SBX-41/none-with-agreements', 'leaves accounts out where agreements are asked for as well', having(none, both(withAccounts, withAgreements))],
  ['SBX-41/nobody', 'lists nobody where accounts are left out', customersOnly(() => false, noAccounts)],
  ['SBX-13/missing-without-any-detail', 'leaves accounts out where neither accounts nor agreements are asked for', having({ accounts: undefined }, noDetail)],
  ['SBX-41/left-out', 'leaves out the accounts when they are not asked for', having({ accounts: undefined }, noAccounts)],
  ['SBX-41/cards-left-out', 'leaves out the card accounts when they are not asked for', having({ cardAccounts: undefined }, noAccounts)],
  ['SBX-41/null', 'sends null for accounts that are not asked for', having({ accounts: null }, noAccounts)],
  ['SBX-42/left-out', 'leaves out the agreements when they are not asked for', having({ agreements: undefined }, noAgreements)],
  ['TRN-05/listing-twice', 'encodes the listing of customers twice', listed((body) => JSON.parse(encodedTwice(JSON.stringify(body ?? null))))],
  ['TRN-05/twice', 'encodes its answers twice', withSealed((sealed) => ({ ...sealed, body: Buffer.from(encodedTwice(sealed.body.toString('utf8'))) }))],
  ['SBX-41/refused', 'refuses withAccounts=false', { refuse: noAccounts }],
  ['SBX-42/refused', 'refuses withAgreements=true', { refuse: withAgreements }],
  ['SBX-42/not-together', 'takes withAgreements or withAccounts, and not both', { refuse: both(withAgreements, withAccounts) }],
  ['SBX-41/unless-asked', 'leaves accounts out when they are asked for', [having(none, withAccounts), having(none, noAccounts)]],
  ['SBX-45/one-account', 'gives private customers one account', atMost(1, 'accounts', 'PRIVATE')],
  ['SBX-45/no-card', 'gives private customers no card account', atMost(0, 'cardAccounts', 'PRIVATE')],
  ['SBX-45/corporate-one-account', 'gives corporate customers one account', atMost(1, 'accounts', 'CORPORATE')],
  each(['accounts', 'cardAccounts'], (list) => [`SBX-45/same-${list}`, `lists the same ${list} with every private customer`, sameForAll(list)]),
  each([['private', 'PRIVATE'], ['corporate', 'CORPORATE']], (word, type) => [`SBX-48/no-${word}`, `has no ${word} customers`, customersOnly(({ customerType }) => customerType !== type)]),
  each([
    ['', '', always],
    ['-without-accounts', ' where accounts are left out', noAccounts],
    ['-without-agreements', ' where agreements are left out', noAgreements],
    ['-without-parameters', ' without parameters', ({ query }: BankRequest) => query.size === 0],
  ], (way, when, isMeant) => [`SBX-43/not-listed${way}`, `lists the customers of its initial data set only${when}`, customersOnly(isInitial, isMeant)]),
  ['SBX-43/companies-not-listed', 'does not list companies that were created', customersOnly((customer, state) => customer.customerType !== 'CORPORATE' || isInitial(customer, state))],
  ['SBX-47/not-created-ones', 'lets customers of its initial data set alone pass SCA', initialOnesAlone],
  marked(once, each([['SIG-01', 'wants no signature'], ['SIG-02', 'verifies no signature'], ['CLK-03', 'takes any Date of the past']], (id, title) =>
    [`${id}/unchecked-at-sandbox-with-a-query`, `${title} where the listing is asked for with a parameter`, { overlook: both(at(...listing), ({ query }) => query.size > 0), rules: serving }])),
  inProduction,
);
