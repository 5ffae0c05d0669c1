import { isObject, memberAt } from '../../spec/json.ts';
import { type DesignChange, onPages, withAnswers, withSealed } from '../design/design-changes.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import { initialDataSet } from '../state/initial-data-set.ts';
import {
  both,
  type Deviation,
  deviation,
  handling,
  inOneContext,
  inQuery,
  overlooking,
  refuses,
  rows,
  serving,
  withoutQuery,
  withQuery,
} from './deviation.ts';

const listing = ['listSandboxCustomers'] as const;

type Customer = Readonly<Record<string, unknown>>;

const customersWhen = (
  matchesId: (request: BankRequest) => boolean,
  change: (customer: Customer) => Customer,
): DesignChange =>
  withAnswers(listing, (answer, request) =>
    matchesId(request) && Array.isArray(answer.body)
      ? {
          ...answer,
          body: answer.body.map((customer: unknown) => (isObject(customer) ? change(customer) : customer)),
        }
      : answer,
  );

const asks = (name: string, value: string) => (request: BankRequest) => request.query.get(name) === value;

const always = (): boolean => true;

const keeping = (customer: Customer, type: string, list: string, most: number): Customer => {
  const kept = customer[list];
  return customer.customerType === type && Array.isArray(kept)
    ? { ...customer, [list]: kept.slice(0, most) }
    : customer;
};

const customersOnly = (
  isListed: (customer: Customer, state: BankState) => boolean,
  isMeant: (request: BankRequest) => boolean = always,
): DesignChange =>
  withAnswers(listing, (answer, request, state) =>
    Array.isArray(answer.body) && isMeant(request)
      ? {
          ...answer,
          body: answer.body.filter((customer: unknown) => !isObject(customer) || isListed(customer, state)),
        }
      : answer,
  );

const isInitial = (customerId: string, { clock }: BankState): boolean =>
  initialDataSet(clock.now()).customers.some((customer) => customer.customerId === customerId);

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

// biome-ignore format: a table
export const sandboxDeviations: readonly Deviation[] = [
  ...rows(
    ['SBX-40/object-when-asked-for-details', 'answers with an object instead of an array where accounts are asked for',
      withAnswers(listing, (answer, request) => asks('withAccounts', 'true')(request) ? { ...answer, body: { customers: answer.body } } : answer)],
    ['SBX-40/null-among-them', 'lists null next to the customers', withAnswers(listing, (answer) => ({ ...answer, body: [null, answer.body].flat() }))],
    ['SBX-40/500-without-any-detail', 'breaks down where neither accounts nor agreements are asked for',
      withAnswers(listing, (answer, request) => asks('withAccounts', 'false')(request) && asks('withAgreements', 'false')(request) ? { status: 500 } : answer)],
    ['SBX-41/exchanged', 'takes withAccounts for withAgreements, and the other way round', handling('listSandboxCustomers', exchanged)],
    ['SBX-41/no-cards-when-asked', 'leaves card accounts out when accounts are asked for, and shows them otherwise',
      customersWhen(asks('withAccounts', 'true'), (customer) => ({ ...customer, cardAccounts: [] }))],
    ['SBX-41/none-with-agreements', 'leaves accounts out where agreements are asked for as well',
      customersWhen(
        (request) => asks('withAccounts', 'true')(request) && asks('withAgreements', 'true')(request),
        (customer) => ({ ...customer, accounts: [], cardAccounts: [] }),
      )],
    ['SBX-41/nobody', 'lists nobody where accounts are left out', customersOnly(() => false, asks('withAccounts', 'false'))],
    ['SBX-13/missing-without-any-detail', 'leaves accounts out where neither accounts nor agreements are asked for',
      customersWhen((request) => asks('withAccounts', 'false')(request) && asks('withAgreements', 'false')(request), ({ accounts: _, ...customer }) => customer)],
    ['SBX-40/object', 'answers with an object instead of an array', withAnswers(listing, (answer) => ({ ...answer, body: { customers: answer.body } }))],
    ['SBX-41/left-out', 'leaves out the accounts when they are not asked for',
      customersWhen(asks('withAccounts', 'false'), ({ accounts: _, ...customer }) => customer)],
    ['SBX-41/cards-left-out', 'leaves out the card accounts when they are not asked for',
      customersWhen(asks('withAccounts', 'false'), ({ cardAccounts: _, ...customer }) => customer)],
    ['SBX-41/null', 'sends null for accounts that are not asked for',
      customersWhen(asks('withAccounts', 'false'), (customer) => ({ ...customer, accounts: null }))],
    ['SBX-42/left-out', 'leaves out the agreements when they are not asked for',
      customersWhen(asks('withAgreements', 'false'), ({ agreements: _, ...customer }) => customer)],
    ['TRN-05/listing-twice', 'encodes the listing of customers twice',
      withAnswers(listing, (answer) => ({ ...answer, body: JSON.parse(encodedTwice(JSON.stringify(answer.body ?? null))) }))],
    ['TRN-05/twice', 'encodes its answers twice', withSealed((sealed) => ({ ...sealed, body: Buffer.from(encodedTwice(sealed.body.toString('utf8'))) }))],
  ),
  refuses('SBX-41/refused', 'refuses withAccounts=false', listing, asks('withAccounts', 'false')),
  refuses('SBX-42/refused', 'refuses withAgreements=true', listing, asks('withAgreements', 'true')),
  ...rows(
    ['SBX-41/unless-asked', 'leaves accounts out when they are asked for',
      customersWhen(asks('withAccounts', 'true'), (customer) => ({ ...customer, accounts: [], cardAccounts: [] })),
      customersWhen(asks('withAccounts', 'false'), (customer) => ({ ...customer, accounts: [], cardAccounts: [] }))],
    ['SBX-45/one-account', 'gives private customers one account', customersWhen(always, (customer) => keeping(customer, 'PRIVATE', 'accounts', 1))],
    ['SBX-45/no-card', 'gives private customers no card account', customersWhen(always, (customer) => keeping(customer, 'PRIVATE', 'cardAccounts', 0))],
  ),
  ...(['accounts', 'cardAccounts'] as const).map((list) =>
    deviation(`SBX-45/same-${list}`, `lists the same ${list} with every private customer`,
      withAnswers(listing, (answer) => {
        const customers: readonly unknown[] = Array.isArray(answer.body) ? answer.body : [];
        const people = customers.filter((customer) => memberAt(customer, 'customerType') === 'PRIVATE');
        const all = people.flatMap((customer) => memberAt(customer, list) ?? []).slice(0, 2);
        const changed = customers.map((customer) =>
          isObject(customer) && people.includes(customer) ? { ...customer, [list]: all } : customer,
        );
        return customers.length === 0 ? answer : { ...answer, body: changed };
      }))),
  deviation('SBX-45/corporate-one-account', 'gives corporate customers one account',
    customersWhen(always, (customer) => keeping(customer, 'CORPORATE', 'accounts', 1))),
  ...(['PRIVATE', 'CORPORATE'] as const).map((type) =>
    deviation(`SBX-48/no-${type.toLowerCase()}`, `has no ${type.toLowerCase()} customers`, customersOnly(({ customerType }) => customerType !== type))),
  refuses('SBX-42/not-together', 'takes withAgreements or withAccounts, and not both',
    ['listSandboxCustomers'], both(inQuery('withAgreements', 'true'), inQuery('withAccounts', 'true'))),
  deviation('SBX-43/not-listed', 'lists the customers of its initial data set only',
    customersOnly(({ customerId }, state) => isInitial(String(customerId), state))),
  ...([
    ['without-accounts', 'where accounts are left out', asks('withAccounts', 'false')],
    ['without-agreements', 'where agreements are left out', asks('withAgreements', 'false')],
    ['without-parameters', 'without parameters', ({ query }: BankRequest) => query.size === 0],
  ] as const).map(([way, when, isMeant]) =>
    deviation(`SBX-43/not-listed-${way}`, `lists the customers of its initial data set only ${when}`,
      customersOnly(({ customerId }, state) => isInitial(String(customerId), state), isMeant))),
  deviation('SBX-43/companies-not-listed', 'does not list companies that were created',
    customersOnly(({ customerId, customerType }, state) => customerType !== 'CORPORATE' || isInitial(String(customerId), state))),
  deviation('SBX-47/not-created-ones', 'lets customers of its initial data set alone pass SCA',
    onPages((route) =>
      (request, state) => {
        const { customers } = state;
        const byNumber = (number: string) => {
          const customer = customers.byNumber(number);
          return customer !== undefined && isInitial(customer.customerId, state) ? customer : undefined;
        };
        return route.handle(request, { ...state, customers: { ...customers, byNumber } });
      })),
  ...inOneContext(...([['SIG-01', 'wants no signature'], ['SIG-02', 'verifies no signature'], ['CLK-03', 'takes any Date of the past']] as const).map(([requirement, title]) =>
    deviation(`${requirement}/unchecked-at-sandbox-with-a-query`, `${title} where the listing is asked for with a parameter`,
      overlooking(serving(requirement), ({ operation, query }) => operation === 'listSandboxCustomers' && query.size > 0)))),
];
