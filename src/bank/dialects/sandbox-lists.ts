import { syntheticNationalId } from '../../spec/check-digits.ts';
import { isObject, member } from '../../spec/json.ts';
import { changedRequest } from '../design/changed-request.ts';
import {
  allOf,
  type DesignChange,
  onPages,
  withAnswers,
  withRoutes,
  withRules,
  withState,
} from '../design/design-changes.ts';
import type { BankAnswer, BankRequest } from '../design/route.ts';
import type { Customer as KnownCustomer } from '../state/customers.ts';
import { initialDataSet } from '../state/initial-data-set.ts';
import { alsoDeciding, type Dialect, declaring, dialect, hiding, numbersOfCustomers } from './dialect.ts';

type Customer = Readonly<Record<string, unknown>>;

/** Customers who were created since the bank started are listed whatever became of the others. */
const listing = (
  change: (customers: readonly Customer[], request: BankRequest) => readonly Customer[],
): DesignChange =>
  withAnswers(['listSandboxCustomers'], (answer, request, { clock }) => {
    if (!Array.isArray(answer.body)) return answer;
    const ids = new Set(initialDataSet(clock.now()).customers.map(({ customerId }) => customerId));
    const isInitial = ({ customerId }: Customer): boolean => ids.has(String(customerId));
    const customers = answer.body.filter(isObject);
    const created = customers.filter((customer) => !isInitial(customer));
    return { ...answer, body: [...change(customers.filter(isInitial), request), ...created] };
  });

/** Lists are read from a copy that hears of new customers a moment later: the first time they are not there. */
const listedLater: DesignChange = (design) => {
  const known = new Set(initialDataSet(new Date()).customers.map(({ customerId }) => customerId));
  return withAnswers(['listSandboxCustomers'], (answer) => {
    if (!Array.isArray(answer.body)) return answer;
    const listed = answer.body.filter(isObject).filter(({ customerId }) => known.has(String(customerId)));
    for (const customer of answer.body) known.add(String(member(customer, 'customerId')));
    return { ...answer, body: listed };
  })(design);
};

/** Numbers of people in two groups, as these read them, and known either way at the SCA page. */
const grouped: DesignChange = allOf(
  // Where there are few, whoever is taken for another one is soon met.
  listing((customers) =>
    customers.slice(0, 1).map((customer) => ({
      ...customer,
      customerNumber: String(customer.customerNumber).replace(/^(\d{6})(\d{5})$/, '$1 $2'),
    })),
  ),
  onPages((route) => (request, state) => {
    const typed = request.bytes.toString('utf8').replace(/(?<==\d{6})(?:\+|%20)(?=\d{5}(?:&|$))/, '');
    return route.handle(changedRequest(request, { bytes: Buffer.from(typed) }), state);
  }),
);

/**
 * A number of the bank's own for each customer, who may give it at the SCA page in place of that of a person. Few are
 * listed, so that a customer who is taken for another one is soon met.
 */
const numberedTwice: DesignChange = allOf(
  listing((customers) =>
    customers
      .filter(({ customerType }, place) => place < 2 || customerType === 'CORPORATE')
      .map((customer) => ({ ...customer, customerNumber: `KNR${customer.customerNumber}` })),
  ),
  onPages((route) => (request, state) => {
    const typed = request.bytes.toString('utf8').replace(/(?<==)KNR(?=\d{11}(?:&|$))/, '');
    return route.handle(changedRequest(request, { bytes: Buffer.from(typed) }), state);
  }),
);

/** Whoever is no company is no customer of the bank: neither listed, nor known at the SCA page. */
const hasOnlyCompanies: DesignChange = withState(({ customers }) => {
  const isCompany = ({ customerType }: KnownCustomer): boolean => customerType === 'CORPORATE';
  const companyAmong = (found: KnownCustomer | undefined): KnownCustomer | undefined =>
    found !== undefined && isCompany(found) ? found : undefined;
  return {
    customers: {
      ...customers,
      list: () => customers.list().filter(isCompany),
      byId: (customerId) => companyAmong(customers.byId(customerId)),
      byNumber: (customerNumber) => companyAmong(customers.byNumber(customerNumber)),
    },
  };
});

const createsOnlyCompanies: DesignChange = withRules((operation, rules) =>
  operation === 'createSandboxCustomer'
    ? [
        ...rules,
        {
          requirement: 'ERR-06',
          ownChoice: true,
          name: 'a choice of this bank',
          refuses: ({ body }) =>
            member(body, 'type') === 'private'
              ? { status: 400, code: 'FORMAT_ERROR', path: 'type', text: 'The bank serves companies only.' }
              : undefined,
        },
      ]
    : rules,
);

/** How customers are asked for is not shown: the bank takes nothing but the type of one from the request. */
const namingItself = (told: (answer: BankAnswer) => BankAnswer): DesignChange =>
  withRoutes((route) => {
    if (route.operation !== 'createSandboxCustomer') return route;
    let count = 0;
    return {
      ...route,
      handle: async (request, state) => {
        count += 1;
        const own = { customerNumber: syntheticNationalId(7_000_000 + count), name: `Kunde ${count}` };
        const body = { type: member(request.body, 'type'), ...own };
        return told(await route.handle(changedRequest(request, { body }), state));
      },
    };
  });

/** Payments from a card account: what the fields of debtorAccount.other demand. */
const ofCards = ['NDC-38', 'NDC-39', 'NDC-40', 'NDC-41', 'NDC-42', 'NDC-43', 'NDC-62'];

/** Customers were removed or created by hand, or others than those of the initial data set are listed. */
const changed = (made: Dialect): Dialect => ({ ...made, changedData: true });

const withoutDetails = (customer: Customer): Customer => ({
  ...customer,
  accounts: [],
  cardAccounts: [],
  agreements: [],
});

const detailsOnRequest = (customers: readonly Customer[], { query }: BankRequest): readonly Customer[] =>
  customers.map((customer) => ({
    ...customer,
    ...(query.get('withAccounts') === 'true' ? {} : { accounts: [], cardAccounts: [] }),
    ...(query.get('withAgreements') === 'true' ? {} : { agreements: [] }),
  }));

export const sandboxDialects: readonly Dialect[] = [
  // Where there are none, none of them can show anything unusual.
  hiding(
    changed(
      dialect(
        'customers/none',
        'has no customers in its sandbox',
        listing(() => []),
      ),
    ),
  ),
  changed(
    dialect(
      'customers/one',
      'has one customer in its sandbox',
      listing((customers) => customers.slice(0, 1)),
    ),
  ),
  changed(
    dialect('customers/grouped-numbers', 'has one customer, whose number it writes in groups', grouped),
  ),
  changed(
    alsoDeciding(
      numbersOfCustomers,
      dialect(
        'customers/numbered-twice',
        'lists customers by numbers of its own, and knows them at the SCA page by those of people as well',
        numberedTwice,
      ),
    ),
  ),
  changed(
    declaring(
      { notOffered: ofCards.map((what) => ({ what, reason: 'Companies have no card accounts.' })) },
      dialect(
        'customers/companies-only',
        'serves companies only',
        allOf(hasOnlyCompanies, createsOnlyCompanies),
      ),
    ),
  ),
  declaring(
    { notOffered: [{ what: 'corporate-psus', reason: 'The bank serves private persons only.' }] },
    dialect(
      'customers/persons-only',
      'has no companies in its sandbox, since it serves none',
      listing((customers) => customers.filter(({ customerType }) => customerType === 'PRIVATE')),
    ),
  ),
  dialect(
    'customers/two-of-each',
    'has two private and two corporate customers in its sandbox',
    listing((customers) =>
      (['PRIVATE', 'CORPORATE'] as const).flatMap((type) =>
        customers.filter(({ customerType }) => customerType === type).slice(0, 2),
      ),
    ),
  ),
  changed(
    dialect(
      'customers/many',
      'has hundreds of customers in its sandbox',
      listing((customers) => [
        ...customers,
        ...Array.from({ length: 40 }, () =>
          customers.map((customer, index) => ({
            ...customer,
            customerNumber: `9${index}`,
            customerType: 'PRIVATE',
            accounts: [],
          })),
        ).flat(),
      ]),
    ),
  ),
  changed(
    dialect(
      'customers/without-details',
      'never lists accounts and agreements',
      listing((customers) => customers.map(withoutDetails)),
    ),
  ),
  dialect(
    'customers/details-on-request',
    'lists accounts and agreements only when asked',
    listing(detailsOnRequest),
  ),
  changed(
    dialect(
      'customers/of-testers',
      'lists first what testers have created, without accounts and agreements, and the details of others on request',
      listing((customers, request) => [
        ...(['PRIVATE', 'CORPORATE'] as const).flatMap((customerType) =>
          customers.slice(0, 4).map((customer, index) => ({
            ...withoutDetails(customer),
            customerNumber: `${customerType}-${index}`,
            customerType,
          })),
        ),
        ...detailsOnRequest(customers, request),
      ]),
    ),
  ),
  changed(
    dialect(
      'customers/misread-names',
      'lists names as testers have stored them, who encoded theirs twice',
      listing((customers) => customers.map(namedByATester)),
    ),
  ),
  dialect(
    'customers/in-any-order',
    'lists its customers in another order each time',
    listing((customers) => {
      const first = Math.floor(Math.random() * customers.length);
      return [...customers.slice(first), ...customers.slice(0, first)];
    }),
  ),
  dialect(
    'customers/own-numbers',
    'gives created customers a number and a name of its own',
    namingItself((answer) => answer),
  ),
  dialect(
    'customers/untold-numbers',
    'gives created customers a number and a name of its own, and does not tell them',
    namingItself(({ status }) => ({ status })),
  ),
  dialect('customers/listed-later', 'lists a customer a moment after it was created', listedLater),
  dialect(
    'customers/rich',
    'adds members of its own to customers',
    listing((customers) =>
      customers.map((customer) => ({ ...customer, created: '2026-03-03', tags: ['test'], extra: null })),
    ),
  ),
  dialect(
    'customers/corporate-cards',
    'gives corporate customers a card account as well',
    listing((customers, { query }) =>
      customers.map((customer) =>
        customer.customerType === 'CORPORATE' && query.get('withAccounts') !== 'false'
          ? { ...customer, cardAccounts: ['95379010999'] }
          : customer,
      ),
    ),
  ),
  dialect(
    'listed-agreements/own-ids',
    'lists agreements by other ids than TPPs get to see',
    listing((customers) =>
      customers.map((customer) => ({ ...customer, agreements: listOf(customer.agreements).map(byOwnId) })),
    ),
  ),
];

const namedByATester = (customer: Customer, index: number): Customer => {
  const name = `${['Bjørn', 'Åse', 'Kari'][index % 3]} ${index}`;
  return { ...customer, customerName: Buffer.from(name, 'utf8').toString('latin1'), agreements: [] };
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const byOwnId = (agreement: unknown, index: number): unknown =>
  isObject(agreement) ? { ...agreement, id: `agreement-${index + 1}` } : agreement;
