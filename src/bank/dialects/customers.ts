import { syntheticNationalId } from '../../spec/check-digits.ts';
import { daysBefore, isoDate } from '../../spec/days.ts';
import { isObject, member } from '../../spec/json.ts';
import { creations, initiations } from '../../spec/products.ts';
import {
  after,
  allOf,
  alsoRefusing,
  anyOperation,
  before,
  byChoice,
  first,
  last,
  onRefusal,
  perBank,
  serves,
  withAnswers,
  withoutRules,
  withRoutes,
  withState,
  withVerdicts,
} from '../design/design-changes.ts';
import { heldWhere } from '../design/held-sessions.ts';
import { asForms } from '../design/page-changes.ts';
import { inHeader, not, withBody } from '../design/requests.ts';
import type { BankAnswer, BankOperation, BankRequest, Refusal } from '../design/route.ts';
import { isAttended } from '../rules/psu-rules.ts';
import { identifyPsu, lacksCorporateId, tppIdOf } from '../sca/identify-psu.ts';
import type { Customer as KnownCustomer } from '../state/customers.ts';
import { initialDataSet } from '../state/initial-data-set.ts';
import type { Session } from '../state/sessions.ts';
import { linkToSca, scaAgain, toScaLink } from './authorisations.ts';
import { changedData, hidesOthers, itself, lacking, numbersOfCustomers, rows, topic } from './dialect.ts';

const isNamed = inHeader('psu-id');

const forbidsUnknownPsus = onRefusal(
  () => true,
  (refusal, request, state) =>
    refusal.links?.scaRedirect === undefined || !isNamed(request) || identifyPsu(request, state)
      ? refusal
      : { status: 403, code: 'PSU_CREDENTIALS_INVALID', text: 'The PSU-ID is not known.' },
);

const refusingAlone = (
  operations: readonly BankOperation[],
  isRefused: (request: BankRequest, today: Date) => boolean,
) =>
  byChoice(operations, (request, { clock }) =>
    !isAttended(request) && isRefused(request, clock.now())
      ? { status: 403, code: 'FORBIDDEN', text: 'Not without the PSU.' }
      : undefined,
  );

/** SCA may be required on any transaction. Here before what is asked for is looked at, once it is known who asks. */
const askingAgain = (
  operations: readonly BankOperation[],
  isAsked: (request: BankRequest) => boolean,
  tried = before('TRN-01'),
) =>
  byChoice(
    operations,
    (request, state) => (isAsked(request) ? { ...scaAgain, ...linkToSca(request, state) } : undefined),
    { hasEffects: true, name: 'this bank asks for SCA once more', tried },
  );

const everySoOften = 9;

const asksNowAndThen = perBank(() => {
  let count = 0;
  // The same payment is not asked for twice: the PSU has been there, or does not want to.
  const asked = new Set<string>();
  return askingAgain(creations, ({ bytes }) => {
    const sent = bytes.toString('utf8');
    if (asked.has(sent)) return false;
    count += 1;
    if (count % everySoOften === 0) asked.add(sent);
    return count % everySoOften === 0;
  });
});

const asksOtherClients = perBank(() => {
  let usual: string | undefined;
  return askingAgain(creations, (request) => {
    const client = request.header('user-agent');
    usual ??= client;
    return client !== usual;
  });
});

const asksBefore = (
  operations: readonly BankOperation[],
  isAsked: (request: BankRequest) => boolean = () => true,
) =>
  perBank(() => {
    const asked = new Set<string>();
    const isNew = (request: BankRequest): boolean =>
      asked.size <
      asked.add([request.operation, request.header('psu-id'), request.header('tpp-session-id')].join(' '))
        .size;
    return askingAgain(operations, (request) => isAsked(request) && isNew(request), last);
  });

/** Whatever the payment is; the TPP comes back with the PSU-ID. */
const namedOnesFirst = byChoice(
  creations,
  (request, state) =>
    !isNamed(request) && request.header('x-psu-identity') !== undefined
      ? { status: 401, code: 'PSU_CREDENTIALS_INVALID', ...toScaLink, ...linkToSca(request, state) }
      : undefined,
  { requirement: 'ERR-03', name: 'this bank wants to know the PSU first', tried: before('TRN-01') },
);

/** What comes first is known, and nothing else is; looked at with the certificate, before any SCA. */
const knowingTheFirst = (
  name: string,
  readFrom: (request: BankRequest) => string | undefined,
  refusal: Refusal,
) =>
  perBank(() => {
    let known: string | undefined;
    const refuses = (request: BankRequest): Refusal | undefined => {
      const value = readFrom(request);
      known ??= value;
      return value === known || value === undefined ? undefined : refusal;
    };
    return byChoice(() => true, refuses, { hasEffects: true, name, tried: after('CRT-03') });
  });

const knowsOneTpp = knowingTheFirst(
  'this bank knows one TPP',
  ({ certificate }) => certificate && (certificate.authorisationNumber ?? 'none'),
  { status: 403, code: 'FORBIDDEN', text: 'This TPP has not registered with us.' },
);

const knowsOneRedirect = knowingTheFirst(
  'this bank knows one TPP-Redirect-URI',
  (request) => request.header('tpp-redirect-uri'),
  { status: 400, code: 'FORMAT_ERROR', text: 'This TPP-Redirect-URI is not registered.' },
);

const customersOfOneTpp = perBank(() => {
  let owner: string | undefined;
  return allOf(
    byChoice(
      () => true,
      (request) => {
        if (request.certificate !== undefined) owner ??= tppIdOf(request);
        return undefined;
      },
      { hasEffects: true, name: 'this bank has customers of one TPP', tried: after('CRT-03') },
    ),
    asForms(({ bytes, params }, { flows }) => {
      const form = new URLSearchParams(bytes.toString('utf8'));
      if (flows.find(params.flowId ?? '')?.tppId !== owner && form.has('nationalId'))
        form.set('nationalId', '00000000000');
      return form;
    }),
  );
});

// biome-ignore format: a table
export const identityAndLimitDialects = rows(
  ['tpps/registered', 'knows one TPP, whoever vouches for others', itself, knowsOneTpp,
    { ...lacking('TPPs register with the bank, and one of them has', 'OWN-01', 'SCA-05', 'SCA-08', 'SCA-15'), ...hidesOthers }],
  ['customers/of-one-tpp', 'has a sandbox for each TPP, with customers whom no other knows', itself, customersOfOneTpp,
    { ...lacking('each TPP has customers of its own', 'OWN-01', 'SCA-05', 'SCA-08'), ...hidesOthers }],
  ['strict/registered-redirects', 'sends PSUs to one address that is registered', itself, knowsOneRedirect, hidesOthers],
  ['sca/named-first', 'asks for SCA before it looks at a payment of a PSU who is named by X-PSU-IDENTITY', itself, namedOnesFirst],
  ['sca/now-and-then', 'asks for SCA now and then before it creates a payment', itself, asksNowAndThen],
  ['sca/of-other-clients', 'asks for SCA before it looks at a payment that comes from another HTTP client than before', itself, asksOtherClients],
  ['sca/before-reading', 'asks for SCA once more when balances or transactions are first read in a session', itself, asksBefore(['readBalances', 'readTransactions'], isAttended)],
  ['sca/before-status', 'asks for SCA once more when the status of a payment is first read in a session', itself, asksBefore(['readPaymentStatus'])],
  ['sca/before-basket', 'asks for SCA once more before it creates the first basket of a session', itself, asksBefore(['createSigningBasket'])],
  ['sca/before-agreements', 'asks for SCA once more before it lists agreements', itself, asksBefore(['listAgreements'])],
  ['sca/before-deletion', 'asks for SCA once more when a payment is first deleted in a session', itself, asksBefore(['deletePayment'])],
  ['psu-ids/forbidden', 'refuses a PSU-ID that it does not know with 403', itself, forbidsUnknownPsus],
  ['sca/created-in-a-new-session', 'creates payments in a session without SCA, with a link to it', itself,
    withoutRules(({ requirement }, operation) => requirement === 'SES-02' && initiations.some((each) => each === operation))],
  ['agreements/in-context', 'wants PSU-Corporate-ID of a corporate PSU who asks for agreements as well', topic, byChoice(['listAgreements'], (request, state) =>
    lacksCorporateId(request, state) ? { status: 400, code: 'HTTP_HEADER_REQUIRED', text: 'PSU-Corporate-ID is needed.' } : undefined)],
  ['unattended/none', 'shows balances and transactions to nobody but the PSU', topic, refusingAlone(['readBalances', 'readTransactions'], () => true)],
  ['unattended/old-refused', 'refuses to look for old transactions without the PSU', topic,
    refusingAlone(['readTransactions'], ({ query }, today) => query.has('dateFrom') && `${query.get('dateFrom')}` < isoDate(daysBefore(today, 90)))],
  ['transactions/flat', 'lists transactions without an object around them', topic, withAnswers(['readTransactions'], (answer) =>
    isObject(answer.body) && isObject(answer.body.transactions) ? { ...answer, body: answer.body.transactions } : answer)],
);

/** So often the bank looks whether an SCA holds, and then it does no longer. */
const mostUses = 1500;

const wornOut = perBank(() => {
  const uses = new Map<string, number>();
  const isFresh = ({ sessionId, passedAt }: Session): boolean => {
    const key = `${sessionId} ${passedAt.getTime()}`;
    const used = (uses.get(key) ?? 0) + 1;
    uses.set(key, used);
    return used <= mostUses;
  };
  return withState(({ sessions }) => ({
    sessions: heldWhere(sessions, (session) => isFresh(session) && sessions.holds(session)),
  }));
});

const sessionsOfForm = (form: RegExp) =>
  byChoice(
    anyOperation,
    (request) =>
      form.test(request.header('tpp-session-id') ?? '')
        ? undefined
        : { status: 400, code: 'FORMAT_ERROR', text: 'This bank is strict.' },
    { name: 'TPP-Session-ID has a form of its own', tried: first },
  );

const readingAndDeleting = [
  'readPaymentStatus',
  'readPayment',
  'deletePayment',
  'readSigningBasketStatus',
  'readSigningBasket',
  'deleteSigningBasket',
] as const;

// biome-ignore format: a table
export const sessionDialects = rows(
  ['strict/session-ids', 'takes letters, digits and a few signs in TPP-Session-ID only', itself, sessionsOfForm(/^[\w.~-]*$/)],
  ['strict/uuid-sessions', 'wants TPP-Session-ID to be a UUID', itself, sessionsOfForm(/^(?:[\da-f-]{36})?$/i)],
  ['strict/lower-case-request-ids', 'wants X-Request-ID to be a UUID in lower case', itself,
    alsoRefusing([...initiations, 'listSandboxCustomers', 'listAccounts'], not(inHeader('x-request-id', /^[\da-f-]{36}$/)))],
  ['sessions/when-reading', 'demands TPP-Session-ID when payments and baskets are read or deleted', itself, alsoRefusing(readingAndDeleting, not(inHeader('tpp-session-id')))],
  ['sessions/short', 'lets an SCA hold for much less than an hour', topic, wornOut],
);

type Customer = Readonly<Record<string, unknown>>;
type Customers = readonly Customer[];

const idsOfInitialDataSet = (now: Date): Set<unknown> =>
  new Set(initialDataSet(now).customers.map(({ customerId }) => customerId));

const listing = (change: (customers: Customers, request: BankRequest) => Customers) =>
  withAnswers(['listSandboxCustomers'], (answer, request, { clock }) => {
    if (!Array.isArray(answer.body)) return answer;
    const ids = idsOfInitialDataSet(clock.now());
    const customers = answer.body.filter(isObject);
    const isInitial = ({ customerId }: Customer): boolean => ids.has(customerId);
    const created = customers.filter((customer) => !isInitial(customer));
    return { ...answer, body: [...change(customers.filter(isInitial), request), ...created] };
  });

const each = (change: (customer: Customer, index: number, request: BankRequest) => Customer) =>
  listing((customers, request) => customers.map((customer, index) => change(customer, index, request)));

const listedLater = perBank(() => {
  const known = idsOfInitialDataSet(new Date());
  return withAnswers(['listSandboxCustomers'], (answer) => {
    if (!Array.isArray(answer.body)) return answer;
    const body = answer.body.filter((customer) => known.has(member(customer, 'customerId')));
    for (const customer of answer.body) known.add(member(customer, 'customerId'));
    return { ...answer, body };
  });
});

/** Numbers of people that are written otherwise, and known either way at the SCA page. */
const numbered = (
  list: (customers: Customers) => Customers,
  write: (number: string) => string,
  written: RegExp,
) =>
  allOf(
    // Where there are few, whoever is taken for another one is soon met.
    listing((customers) =>
      list(customers).map((customer) => ({
        ...customer,
        customerNumber: write(String(customer.customerNumber)),
      })),
    ),
    asForms(({ bytes }) => bytes.toString('utf8').replace(written, '')),
  );

const hasOnlyCompanies = withState(({ customers }) => {
  const isCompany = (found: KnownCustomer | undefined): boolean => found?.customerType === 'CORPORATE';
  const companyAmong = (found: KnownCustomer | undefined) => (isCompany(found) ? found : undefined);
  return {
    customers: {
      ...customers,
      list: () => customers.list().filter(isCompany),
      byId: (customerId) => companyAmong(customers.byId(customerId)),
      byNumber: (customerNumber) => companyAmong(customers.byNumber(customerNumber)),
    },
  };
});

const createsOnlyCompanies = byChoice(['createSandboxCustomer'], ({ body }) =>
  member(body, 'type') === 'private'
    ? { status: 400, code: 'FORMAT_ERROR', path: 'type', text: 'The bank serves companies only.' }
    : undefined,
);

/** How customers are asked for is not shown: the bank takes nothing but the type of one from the request. */
const namingItself = (told: (answer: BankAnswer) => BankAnswer) =>
  withRoutes((route) => {
    if (route.operation !== 'createSandboxCustomer') return route;
    let count = 0;
    return {
      ...route,
      handle: async (request, state) => {
        count += 1;
        const own = { customerNumber: syntheticNationalId(7_000_000 + count), name: `Kunde ${count}` };
        return told(
          await route.handle(withBody(request, { type: member(request.body, 'type'), ...own }), state),
        );
      },
    };
  });

const ofType = (customers: Customers, type: string): Customers =>
  customers.filter(({ customerType }) => customerType === type);
const types = ['PRIVATE', 'CORPORATE'] as const;
const withoutDetails = (customer: Customer): Customer => ({
  ...customer,
  accounts: [],
  cardAccounts: [],
  agreements: [],
});

const detailsOnRequest = (customer: Customer, { query }: BankRequest): Customer => ({
  ...customer,
  ...(query.get('withAccounts') === 'true' ? {} : { accounts: [], cardAccounts: [] }),
  ...(query.get('withAgreements') === 'true' ? {} : { agreements: [] }),
});

const namedByATester = (customer: Customer, index: number): Customer => {
  const name = `${['Bjørn', 'Åse', 'Kari'][index % 3]} ${index}`;
  return { ...customer, customerName: Buffer.from(name, 'utf8').toString('latin1'), agreements: [] };
};

const byOwnId = (agreement: unknown, index: number): unknown =>
  isObject(agreement) ? { ...agreement, id: `agreement-${index + 1}` } : agreement;

// biome-ignore format: a table
export const sandboxDialects = rows(
  // Where there are none, none of them can show anything unusual.
  ['customers/none', 'has no customers in its sandbox', topic, listing(() => []), { ...changedData, ...hidesOthers }],
  ['customers/one', 'has one customer in its sandbox', topic, listing((customers) => customers.slice(0, 1)), changedData],
  ['customers/grouped-numbers', 'has one customer, whose number it writes in groups', topic,
    numbered((customers) => customers.slice(0, 1), (number) => number.replace(/^(\d{6})(\d{5})$/, '$1 $2'), /(?<==\d{6})(?:\+|%20)(?=\d{5}(?:&|$))/), changedData],
  ['customers/numbered-twice', 'lists customers by numbers of its own, and knows them at the SCA page by those of people as well', [topic, numbersOfCustomers],
    numbered((customers) => customers.filter(({ customerType }, place) => place < 2 || customerType === 'CORPORATE'), (number) => `KNR${number}`, /(?<==)KNR(?=\d{11}(?:&|$))/), changedData],
  ['customers/companies-only', 'serves companies only', topic, [hasOnlyCompanies, createsOnlyCompanies],
    { ...lacking('Companies have no card accounts.', 'NDC-38', 'NDC-39', 'NDC-40', 'NDC-41', 'NDC-42', 'NDC-43', 'NDC-62'), ...changedData }],
  ['customers/persons-only', 'has no companies in its sandbox, since it serves none', topic, listing((customers) => ofType(customers, 'PRIVATE')),
    lacking('The bank serves private persons only.', 'corporate-psus')],
  ['customers/two-of-each', 'has two private and two corporate customers in its sandbox', topic,
    listing((customers) => types.flatMap((type) => ofType(customers, type).slice(0, 2)))],
  ['customers/many', 'has hundreds of customers in its sandbox', topic, listing((customers) => [...customers, ...Array.from({ length: 40 }, () =>
    customers.map((customer, index) => ({ ...customer, customerNumber: `9${index}`, customerType: 'PRIVATE', accounts: [] }))).flat()]), changedData],
  ['customers/without-details', 'never lists accounts and agreements', topic, each(withoutDetails), changedData],
  ['customers/details-on-request', 'lists accounts and agreements only when asked', topic, each((customer, _, request) => detailsOnRequest(customer, request))],
  ['customers/of-testers', 'lists first what testers have created, without accounts and agreements, and the details of others on request', topic,
    listing((customers, request) => [
      ...types.flatMap((customerType) => customers.slice(0, 4).map((customer, index) => ({ ...withoutDetails(customer), customerNumber: `${customerType}-${index}`, customerType }))),
      ...customers.map((customer) => detailsOnRequest(customer, request)),
    ]), changedData],
  ['customers/misread-names', 'lists names as testers have stored them, who encoded theirs twice', topic, each(namedByATester), changedData],
  ['customers/in-any-order', 'lists its customers in another order each time', topic, listing((customers) => {
    const first = Math.floor(Math.random() * customers.length);
    return [...customers.slice(first), ...customers.slice(0, first)];
  })],
  ['customers/own-numbers', 'gives created customers a number and a name of its own', topic, namingItself((answer) => answer)],
  ['customers/untold-numbers', 'gives created customers a number and a name of its own, and does not tell them', topic, namingItself(({ status }) => ({ status }))],
  ['customers/listed-later', 'lists a customer a moment after it was created', topic, listedLater],
  ['customers/rich', 'adds members of its own to customers', topic, each((customer) => ({ ...customer, created: '2026-03-03', tags: ['test'], extra: null }))],
  ['customers/corporate-cards', 'gives corporate customers a card account as well', topic, each((customer, _, { query }) =>
    customer.customerType === 'CORPORATE' && query.get('withAccounts') !== 'false' ? { ...customer, cardAccounts: ['95379010999'] } : customer)],
  ['listed-agreements/own-ids', 'lists agreements by other ids than TPPs get to see', topic,
    each((customer) => ({ ...customer, agreements: Array.isArray(customer.agreements) ? customer.agreements.map(byOwnId) : [] }))],
);

/** Payments that a sandbox is delivered with have no creator: its documentation names them to every TPP. */
const forEverybody = withVerdicts(
  (rule, operation) =>
    operation !== 'deletePayment' && ['OWN-01', 'OWN-02'].some((requirement) => serves(rule, requirement)),
  (refuses, request, state) =>
    state.payments.get(request.params.paymentId ?? '')?.standsStill === true
      ? undefined
      : refuses(request, state),
);

// biome-ignore format: a table
export const handedOutDialects = rows(
  ['payments/handed-out', 'shows everybody the payments that its sandbox is delivered with', itself, forEverybody],
);
