import { randomUUID } from 'node:crypto';
import { dayMs, isoDate } from '../../spec/days.ts';
import { has, isObject } from '../../spec/json.ts';
import { limits } from '../../spec/limits.ts';
import { consentedAccounts } from '../accounts/consent-rules.ts';
import { unreadableBeforeApproval } from '../design/design.ts';
import {
  allOf,
  anew,
  type DesignChange,
  granting,
  onRefusal,
  seeing,
  telling,
  withAnswers,
  withBodies,
  withPayments,
  withRefusals,
  withState,
  withStatus,
  withVerdicts,
} from '../design/design-changes.ts';
import type { BankOperation, BankRequest, BankState } from '../design/route.ts';
import { isAttended } from '../rules/psu-rules.ts';
import { tppIdOf } from '../sca/identify-psu.ts';
import type { UnattendedKind } from '../state/consents.ts';
import type { Account, ActingPsu } from '../state/customers.ts';
import {
  advised,
  asIfPresent,
  at,
  both,
  breakdown,
  byDots,
  type Condition,
  each,
  forbidden,
  handling,
  inBody,
  inHeader,
  inQuery,
  isOfACompany,
  type Mistake,
  mistaking,
  not,
  overlooking,
  refusing,
  ruleOf,
  serving,
  table,
  withHeader,
  withoutQuery,
  withParam,
  withQuery,
} from './deviation.ts';
import {
  asTheOtherTpp,
  asThePsuOfTheSession,
  inTheAgreementOfItsSession,
  mistakingSome,
  sessionByItsBeginning,
  withAnyAgreement,
} from './identities.ts';

const readings = [
  ['balances', 'readBalances'],
  ['transactions', 'readTransactions'],
] as const;

/** What is forgotten on some ways, and the rules that go with it. */
const faults = [
  ['SIG-01', 'wants no signature'],
  ['SIG-02', 'verifies no signature', 'CRT-07'],
  ['CLK-03', 'takes a Date of any time that is past'],
  ['CRT-02', 'takes certificates that have expired'],
] as const;

const transactions = ['readTransactions'] as const;
const isUnattended = not(isAttended);
const isDetail = at('readAccount', 'readTransaction');
const isOfAKnownPsu = both(isAttended, inHeader('psu-id'), at('listAccounts'));
const inABasket: Condition = ({ params }, { baskets }) =>
  [...baskets.values()].some(({ paymentIds }) => paymentIds.includes(params.paymentId ?? ''));

const isFurtherAccount: Condition = ({ params }, { customers }) =>
  customers
    .list()
    .flatMap(({ customerNumber }) => customers.accountsOf(customerNumber).slice(1))
    .some(({ id }) => id === params.accountId);

const isOlderThan =
  (days: number): Condition =>
  (request, { clock }) =>
    isUnattended(request) &&
    Date.parse(request.query.get('dateFrom') ?? '') < clock.now().getTime() - days * dayMs;

/** Another list of accounts. */
export const listing = (
  listed: (accounts: readonly unknown[], request: BankRequest, state: BankState) => unknown,
): DesignChange =>
  withBodies(['listAccounts'], ({ accounts }, request, state) => {
    const others = Array.isArray(accounts) && listed(accounts, request, state);
    return others ? { accounts: others } : undefined;
  });

export const numbersOf = ({ id, bban, iban, currency }: Account) => ({
  resourceId: id,
  bban,
  iban,
  currency,
});

/** Another body, or none, in place of what is read. */
const saying = (operation: BankOperation, body: unknown): DesignChange =>
  withAnswers([operation], (answer) => (answer.status === 200 ? { status: 200, body } : answer));

/** What the first PSU of a TPP was shown is shown to all of them. */
const firstListing = anew(() => {
  const first = new Map<string, readonly unknown[]>();
  return listing((accounts, request) => {
    const tppId = tppIdOf(request);
    if (accounts.length > 0 && !first.has(tppId)) first.set(tppId, accounts);
    return accounts.length > 0 && first.get(tppId);
  });
});

/** A call more than there may be, of one kind. */
const oneMoreCall = (kind: UnattendedKind): DesignChange =>
  withState(({ unattendedCalls }) => {
    const begun = new Set<string>();
    return {
      unattendedCalls: {
        ...unattendedCalls,
        admit: (tppId, accountId, of) => {
          const isFree = of === kind && begun.size < begun.add([tppId, accountId].join('\n')).size;
          return isFree || unattendedCalls.admit(tppId, accountId, of);
        },
      },
    };
  });

/** The limit as if requests that differ in this were those of different TPPs. */
const countingBy = (requirement: string, differenceOf: (request: BankRequest) => unknown): DesignChange =>
  withVerdicts(ruleOf(requirement), (refuses, request, { unattendedCalls: calls, ...state }) => {
    const by = `\n${differenceOf(request)}`;
    return refuses(request, {
      ...state,
      unattendedCalls: {
        ...calls,
        admit: (tppId, ...what) => calls.admit(tppId + by, ...what),
        secondsUntilFree: (tppId, ...what) => calls.secondsUntilFree(tppId + by, ...what),
      },
    });
  });

/** How often the PSU has been present so far: whoever counts by it begins anew each time. */
function attendances(): (request: BankRequest) => number {
  let count = 0;
  return (request) => {
    if (isAttended(request)) count += 1;
    return count;
  };
}

/** The limit for calls without the PSU counts those with the PSU by themselves. */
const countingAttended = (operation: BankOperation): DesignChange =>
  anew(() => {
    const calls = new Map<string, number>();
    const isOneTooMany = (request: BankRequest): boolean => {
      const key = [request.header('psu-id'), request.params.accountId].join(' ');
      if (isAttended(request)) calls.set(key, (calls.get(key) ?? 0) + 1);
      return isAttended(request) && (calls.get(key) ?? 0) > limits.unattendedCalls;
    };
    return refusing('ACC-10', [operation], isOneTooMany, { status: 429, code: 'ACCESS_EXCEEDED' });
  });

/** From the first refusal of a request without the PSU on, those with the PSU are taken for the same. */
const lockingAtLimit = (requirement: string): DesignChange =>
  anew(() => {
    const locked = new Set<string | undefined>();
    return withVerdicts(ruleOf(requirement), (refuses, request, state) => {
      const { accountId } = request.params;
      const taken = locked.has(accountId) ? withHeader(request, 'psu-ip-address', undefined) : request;
      const refusal = refuses(taken, state);
      if (refusal !== undefined) locked.add(accountId);
      return refusal;
    });
  });

/** An account is answered for in place of the one that is named; undefined where it is that. */
const standingIn =
  (
    standIn: (
      accountId: string,
      granted: readonly Account[],
      state: BankState,
      request: BankRequest,
    ) => Account | undefined,
  ): Mistake =>
  (request, state) => {
    const granted = consentedAccounts(request, state);
    const account = standIn(request.params.accountId ?? '', granted, state, request);
    return account === undefined ? request : withParam(request, 'accountId', account.id);
  };

/** An account that the PSU has not granted: one of others, or one that nobody has. */
const anyAccount = (isThere: boolean, isAsked: (request: BankRequest) => boolean = () => true): Mistake =>
  standingIn((accountId, granted, { customers }, request) =>
    isAsked(request) &&
    granted.every(({ id }) => id !== accountId) &&
    (customers.account(accountId) !== undefined) === isThere
      ? granted[0]
      : undefined,
  );

/** An account whose id begins like that of a granted one. */
const byItsBeginning = standingIn((accountId, granted) =>
  granted.find(({ id }) => id.slice(0, 8) === accountId.slice(0, 8)),
);

/** An account that the PSU had granted before. */
const revoked = standingIn((accountId, [first], { customers }) =>
  customers.account(accountId)?.customerNumber === customers.account(first?.id ?? '')?.customerNumber
    ? first
    : undefined,
);

/** The same if it was read while it was granted. */
const revokedOnceRead = (): Mistake => {
  const read = new Set<string>();
  return standingIn((accountId, granted, _, request) => {
    const key = `${request.header('psu-id')} ${accountId}`;
    const isGranted = granted.some(({ id }) => id === accountId);
    if (isGranted) read.add(key);
    return !isGranted && read.has(key) ? granted[0] : undefined;
  });
};

/** Without the PSU, what was granted once stays granted. */
const keepingConsentsAt = (...operations: readonly BankOperation[]): DesignChange =>
  anew(() => {
    const ever = new Map<string, ReadonlySet<string>>();
    const keyOf = (tppId: string, { customerNumber, agreementId }: ActingPsu): string =>
      [tppId, customerNumber, agreementId].join('\n');
    const remembering = granting((ticked, _, psu, __, tppId) => {
      const key = keyOf(tppId, psu);
      ever.set(key, new Set([...(ever.get(key) ?? []), ...ticked]));
      return ticked;
    });
    return allOf(
      remembering,
      seeing(operations, (request, { consents, ...state }) => ({
        ...state,
        consents: {
          ...consents,
          find: (tppId, psu) => {
            const consent = consents.find(tppId, psu);
            const accountIds = isUnattended(request) ? ever.get(keyOf(tppId, psu)) : undefined;
            return consent && { ...consent, accountIds: accountIds ?? consent.accountIds };
          },
        },
      })),
    );
  });

const asIfAttended = (request: BankRequest): BankRequest => withHeader(request, 'psu-ip-address', '::1');

/** What a parameter of a listing is taken for: another value, one made of it, or none; null leaves it. */
type Taken = Readonly<
  Record<string, string | undefined | ((value: string, query: URLSearchParams) => string | number | null)>
>;

const asking = (taken: Taken, isMeant: (request: BankRequest) => boolean = () => true): DesignChange =>
  handling('readTransactions', (original) =>
    isMeant(original)
      ? Object.entries(taken).reduce((request, [name, to]) => {
          const value = original.query.get(name);
          if (to === undefined) return withoutQuery(request, name);
          if (typeof to === 'string') return withQuery(request, name, to);
          const other = value === null ? null : to(value, original.query);
          return other === null ? request : withQuery(request, name, String(other));
        }, original)
      : original,
  );

const noDays: Taken = { dateFrom: undefined, dateTo: undefined };

const dayLater =
  (days: number) =>
  (day: string): string =>
    isoDate(new Date(Date.parse(day) + days * dayMs));

const told = (
  member: string,
  tell: (value: unknown, request: BankRequest) => unknown,
  isMeant?: Condition,
): DesignChange => telling('readTransactions', member, tell, isMeant);

/** By their place on the page. */
function numbered(): DesignChange {
  let place = 0;
  const number = (): string => {
    place += 1;
    return `T${place}`;
  };
  return told('transactionId', number, () => {
    place = 0;
    return true;
  });
}

const tellingNumbers = (operation: BankOperation, isMeant?: Condition): DesignChange =>
  telling(operation, 'amount', (amount) => (typeof amount === 'string' ? Number(amount) : amount), isMeant);

/** Links between pages, and to what they show. */
const linking = (
  form: RegExp | string,
  instead: (query: URLSearchParams) => string,
  isMeant?: Condition,
): DesignChange =>
  told('href', (href, { query }) => String(href).replace(form, () => instead(query)), isMeant);

/** The link next alone, so many transactions too far or too near. */
const movingNext = (count: number): DesignChange =>
  told('href', (href, { query }) => {
    const next = Number(query.get('offset') ?? 0) + Number(query.get('limit') ?? limits.transactionPageSize);
    return String(href).replace(new RegExp(`offset=${next}(?!\\d)`), `offset=${next + count}`);
  });

interface Booked {
  readonly bookingDate: string;
  readonly transactionAmount: { readonly amount: string; readonly currency: string };
}

const booked = (change: (all: readonly Booked[], request: BankRequest) => unknown, isMeant?: Condition) =>
  told('booked', (all, request) => change(all as readonly Booked[], request), isMeant);

/** Each listing has another version of its second booked transaction. */
const correcting = (corrected: (booked: Booked, times: number) => Partial<Booked>): DesignChange =>
  anew(() => {
    let times = 0;
    const correct = (all: readonly Booked[]) =>
      all.map((one, place) => (place === 1 ? { ...one, ...corrected(one, times) } : one));
    return booked(correct, () => {
      times += 1;
      return true;
    });
  });

/** Transactions that are listed as what they are, and as something else as well. */
const listingTwice = (from: 'booked' | 'pending', to: 'booked' | 'pending'): DesignChange =>
  told('transactions', (listed) =>
    isObject(listed) && from in listed && to in listed
      ? { ...listed, [to]: [listed[to], listed[from]].flat() }
      : listed,
  );

// biome-ignore format: a table
export const accountDeviations = table(
  ['ACC-01/refused', 'refuses to list the accounts of a PSU who has passed SCA', { refuse: inHeader('psu-id'), at: ['listAccounts'], as: forbidden }],
  ['ACC-01/of-others', 'lists the accounts of every private customer', listing((accounts, _, { customers }) =>
    [...accounts, ...customers.list().flatMap(({ customerType, customerNumber }) => customerType === 'PRIVATE' ? customers.accountsOf(customerNumber).map(numbersOf) : [])])],
  ['ACC-01/of-the-first', 'keeps the listing of accounts for a TPP, whoever its PSU is', firstListing],
  ['ACC-01/none', 'lists no account, whatever was granted', listing(() => [])],
  ['ACC-01/one-too-few', 'leaves out the last account', listing((accounts) => accounts.slice(0, -1))],
  ['ACC-01/one-only', 'lists one account, however many were granted', listing((accounts) => accounts.slice(0, 1))],
  ['ACC-01/left-out', 'has no list of accounts, whatever was granted', saying('listAccounts', {})],
  ['ACC-01/no-body', 'has nothing in the answer that lists accounts', saying('listAccounts', undefined)],
  ['ACC-02/refused', 'refuses to read balances', { refuse: () => true, at: ['readBalances'], as: forbidden }],
  ['ACC-02/none', 'tells no balance where balances are read', withBodies(['readBalances'], (body) => ({ ...body, balances: [] }))],
  ['ACC-02/nothing', 'answers 200 and nothing more where balances are read', saying('readBalances', undefined)],
  ['ACC-02/message', 'says that all is well where balances are read, and no more', saying('readBalances', { message: 'ok' })],
  ['ACC-02/server-error', 'breaks down when it reads balances', withStatus(['readBalances'], 500)],
  each(['both', 'pending', 'all'], (value) =>
    [`ACC-03/not-${value}`, `does not know bookingStatus ${value}`, { refuse: inQuery('bookingStatus', value), at: transactions }]),
  each(['dateFrom', 'dateTo', 'limit', 'offset'], (name) => [`ACC-04/not-${name}`, `does not take ${name}`, { refuse: inQuery(name), at: transactions }]),
  ['ACC-05/refused', 'refuses to list the agreements of a PSU', { refuse: () => true, at: ['listAgreements'], as: forbidden }],
  ['ACC-05/of-others', 'lists the agreements of everybody', withAnswers(['listAgreements'], (answer, _, { customers }) =>
    ({ ...answer, body: { agreements: customers.list().flatMap(({ customerNumber }) => customers.agreementsOf(customerNumber)).map(({ id, name }) => ({ id, name })) } }))],
  ['VER-06/own-names', 'shows types of accounts by names of its own', telling('listAccounts', 'cashAccountType', () => 'CURRENT')],
  ['ACC-05/nameless', 'lists agreements without the ids that requests name them by', withAnswers(['listAgreements'], (answer) => ({ ...answer, body: { agreements: [] } }))],
  ['VER-03/number-in-balances', 'writes the amounts of balances as JSON numbers', tellingNumbers('readBalances')],
  ['VER-03/number-in-listing', 'lists accounts with balances whose amounts are JSON numbers', listing((accounts) =>
    accounts.map((account) => isObject(account) && has(account, 'bban') ? { ...account, balances: [{ balanceType: 'expected', balanceAmount: { amount: 12.5, currency: 'NOK' } }] } : account))],
  ['VER-03/number-in-transactions', 'writes the amounts of transactions as JSON numbers', tellingNumbers('readTransactions')],
  ['COR-01/unchecked-at-balances', 'shows the balances of a company without PSU-Corporate-ID', { overlook: at('readBalances'), rules: ruleOf }],
  each(['COR-03', 'COR-04'], (requirement) =>
    [`${requirement}/unchecked-at-transactions`, 'shows the transactions of a company whatever agreement is named', mistaking('readTransactions', inTheAgreementOfItsSession)]),
  ['COR-01/unchecked-at-accounts', 'lists accounts of a corporate PSU without PSU-Corporate-ID', { overlook: at('listAccounts'), rules: ruleOf }],
  ['ACC-06/without-the-link', 'asks for SCA at GET /v1/user and does not say where',
    onRefusal((_, operation) => operation === 'startUserFlow', ({ links: _, ...fault }) => ('status' in fault ? fault : undefined))],
  ['ACC-06/aisp-only', 'starts an SCA flow for an AISP only', (design) => ({ ...design, roles: (operation) => (operation === 'startUserFlow' ? ['PSP_AI'] : design.roles(operation)) })],
  ['ACC-07/reads-the-body', 'reads the body of a consent', { refuse: inBody('recurringIndicator', 'perhaps'), at: ['createConsent'] }],
  ['ACC-07/wants-a-body', 'wants a consent to say what it asks for', { refuse: not(inBody('access')), at: ['createConsent'] }],
  ['PST-11/server-error', 'breaks down when the status of a payment is read before approval', [withPayments({ isReadable: unreadableBeforeApproval }), withRefusals(ruleOf('STA-02'), { status: 500 })]],
  ['PST-11/rejected', 'breaks down when the status of a rejected payment is read',
    { refuse: ({ params }, { payments }) => payments.get(params.paymentId ?? '')?.transactionStatus === 'RJCT', at: ['readPaymentStatus'], as: breakdown }],
  ['BSK-22/basket-only', 'tells the status of a basket, and no longer those of its payments', { refuse: inABasket, at: ['readPaymentStatus'] }],

  ['ACC-10/five-calls', 'lets balances be read five times a day without the PSU', oneMoreCall('balances')],
  ['ACC-11/five-calls', 'lets transactions be read five times a day without the PSU', oneMoreCall('transactions')],
  // Later pages count like calls of their own, which they may.
  ['ACC-11/five-calls-or-pages', 'lets transactions be read five times a day without the PSU, pages counted',
    [oneMoreCall('transactions'), withVerdicts(ruleOf('ACC-11'), (refuses, request, state) => refuses(withoutQuery(request, 'offset'), state))]],
  each(['ACC-10', 'ACC-11'], (id) => [`${id}/locked`, 'refuses the PSU as well once the calls without the PSU are used up', lockingAtLimit(id)]),
  each(['ACC-10', 'ACC-11'], (id) => [`${id}/per-session`, 'counts the calls without the PSU anew for every TPP-Session-ID', countingBy(id, (request) => request.header('tpp-session-id'))]),
  each(['ACC-10', 'ACC-11'], (id) => [`${id}/anew-with-the-psu`, 'counts the calls without the PSU anew once the PSU was present', countingBy(id, attendances())]),
  ['ACC-11/per-query', 'counts the calls without the PSU anew for every query', countingBy('ACC-11', ({ query }) => query)],
  ['ACC-12/shows-all', 'shows old transactions without the PSU', asIfPresent()],
  ['ACC-12/four-months', 'refuses transactions of more than 120 days without the PSU, and shows younger ones', [{ refuse: isOlderThan(120), at: transactions }, asIfPresent()]],
  each(['limit', 'offset', 'dateFrom', 'dateTo'], (name) => [`ACC-22/${name}-ignored`, `takes ${name} and gives the transactions that there are without it`, asking({ [name]: undefined })]),
  each([['dateFrom', 1], ['dateTo', -1]], (name, days) => [`ACC-22/${name}-left-out`, `leaves out the transactions of the day ${name}`, asking({ [name]: dayLater(days) }), advised]),
  ['ACC-22/one-more', 'shows one transaction more on a page than limit says', asking({ limit: (limit) => Number(limit) + 1 })],
  ['ACC-22/offset-one-less', 'begins one transaction earlier than offset says', asking({ offset: (offset) => Math.max(0, Number(offset) - 1) })],
  each(['bookingDate', 'valueDate'], (member) => [`TRN-10/${member}`, `writes ${member} of transactions as DD.MM.YYYY`, told(member, byDots)]),
  ['TRN-10/seconds', 'writes lastChangeDateTime of balances in seconds since 1970', telling('readBalances', 'lastChangeDateTime', (value) => Math.floor(Date.parse(String(value)) / 1000))],
  ['ACC-17/one-for-all', 'gives all booked transactions the same transactionId', told('transactionId', () => 'T1')],
  ['ACC-17/none', 'lists transactions without a transactionId', told('transactionId', () => undefined)],
  ['ACC-17/made-up', 'makes up the transactionId of booked transactions for each answer', told('transactionId', () => randomUUID())],
  each(['bookingStatus', 'dateFrom', 'dateTo'], (name) =>
    [`ACC-17/by-${name}`, `makes the transactionId of booked transactions of ${name} as well`, told('transactionId', (id, { query }) => `${id}-${query.get(name)}`)]),
  ['ACC-17/by-session', 'makes the transactionId of booked transactions anew for each session', told('transactionId', (id, request) => `${id}-${request.header('tpp-session-id')}`)],
  ['ACC-17/by-place', 'numbers booked transactions by their place on the page', numbered()],
  // Consent there is, and it is to nothing.
  ['SCA-09/all-or-nothing', 'revokes every consent when the PSU deselects an account', granting((ticked, before) => [...(before ?? [])].every((id) => ticked.includes(id)) ? ticked : ['none'])],
  each([['pending-with-booked', 'pending', 'both', 'booked transactions as well'], ['both-pending', 'both', 'pending', 'pending transactions only for both'], ['all-pending', 'all', 'pending', 'pending transactions only for all']], (way, asked, meant, what) =>
    [`ACC-21/${way}`, `shows ${what}`, asking({ bookingStatus: meant }, inQuery('bookingStatus', asked))]),
  each(readings, (what, operation) => table(
    [`ACC-19/${what}`, `shows ${what} for an account that nobody has`, mistaking(operation, anyAccount(false))],
    [`ACC-19/${what}-by-its-beginning`, `compares the beginning of an id only where it shows ${what}`, mistaking(operation, byItsBeginning)],
    [`SCA-09/${what}-kept`, `goes on showing ${what} of an account that the PSU has deselected`, mistaking(operation, revoked)],
    [`SCA-09/${what}-kept-once-read`, `goes on showing ${what} of a deselected account that were read before`, mistakingSome(operation, revokedOnceRead)],
    [`ACC-20/${what}`, `shows ${what} for an account of another PSU`, mistaking(operation, anyAccount(true))],
    [`ACC-19/${what}-to-companies`, `shows companies ${what} for an account that nobody has`, mistaking(operation, anyAccount(false, isOfACompany))],
    [`ACC-20/${what}-to-companies`, `shows companies ${what} for an account of another PSU`, mistaking(operation, anyAccount(true, isOfACompany))])),

  // Rules that hold at the first account of a PSU who is present, and were forgotten elsewhere.
  ['ACC-02/of-the-first', 'tells the balances of the first account for every other one', handling('readBalances', standingIn((_, [first]) => first))],
  ['ERR-03/details', 'shows details of accounts and transactions in a session without SCA', overlooking(serving('SES-02'), isDetail)],
  ['ERR-03/details-without-the-link', 'asks for SCA without a link where details of accounts and transactions are read in a session without it',
    onRefusal(serving('SES-02'), ({ links, ...told }, request) => isDetail(request) ? told : { ...told, ...(links && { links }) })],
  ['TRN-10/transaction-details', 'writes the day of booking in the details of a transaction as DD.MM.YYYY', telling('readTransaction', 'bookingDate', byDots)],
  ['ACC-20/details-of-a-transaction', 'shows the details of a transaction of another PSU', [
    overlooking(({ requirement, name }) => requirement === 'ACC-01' || /transaction/.test(name), at('readTransaction')),
    withAnswers(['readTransaction'], (_, { params: { transactionId } }) => ({ status: 200, body: { transactionsDetails: { transactionId } } })),
  ]],
  ['ACC-20/details-of-an-account', 'shows the details of an account of another PSU', mistaking('readAccount', anyAccount(true))],
  ['SCA-09/details-kept', 'goes on showing the details of an account that the PSU has deselected', mistaking('readAccount', revoked)],
  ['CRT-05/details', 'shows the details of a transaction to a TPP without the AISP role', { overlook: at('readTransaction') }],
  ['VER-03/number-in-further-balances', 'writes the balances of all accounts but the first as JSON numbers', tellingNumbers('readBalances', isFurtherAccount)],
  ['TRN-10/further-transactions', 'writes the days of booking of all accounts but the first as DD.MM.YYYY', told('bookingDate', byDots, isFurtherAccount)],
  each([['further', 'of all accounts but the first', isFurtherAccount], ['companies', 'of companies', isOfACompany], ['unattended', 'that are read without the PSU present', isUnattended]], (way, which, isMeant) =>
    [`ACC-17/made-up-${way}`, `makes up the transactionId of booked transactions ${which} for each answer`, told('transactionId', () => randomUUID(), isMeant)]),
  each(['offset', 'limit'], (name) => [`ACC-12/with-${name}`, `shows old transactions without the PSU to whoever asks with ${name}`, asIfPresent(inQuery(name))]),
  ['ACC-12/without-an-end', 'shows old transactions without the PSU to whoever names no dateTo', asIfPresent(not(inQuery('dateTo')))],
  ['SCA-15/taken-companies', 'lets another TPP use a PSU-ID and session of a company', mistakingSome('listAccounts', asTheOtherTpp, isOfACompany)],
  ['SCA-15/taken-unattended', 'lets another TPP use a PSU-ID without the PSU present', mistakingSome('listAccounts', asTheOtherTpp, isUnattended)],
  ['COR-04/taken-unattended', 'takes the PSU-Corporate-ID of others without the PSU present', mistakingSome('listAccounts', () => withAnyAgreement(true), isUnattended)],
  ['SCA-15/told-agreements', 'tells another TPP the agreements of a PSU', mistakingSome('listAgreements', asTheOtherTpp)],
  each(readings, (what, operation) => [`SES-02/by-its-beginning-at-${what}`, `compares the beginning of TPP-Session-ID only (${what})`, mistaking(operation, sessionByItsBeginning)]),
  ['SCA-17/told-agreements', 'tells the agreements of the PSU of a session to whoever sends any PSU-ID', mistaking('listAgreements', asThePsuOfTheSession)],
  ['CRT-05/unattended', 'asks for the AISP role with the PSU present only', { overlook: isUnattended }],

  // Where the PSU is known and present, and where not: requests without the PSU take another way (Limits).
  each([['SIG-01', 'wants no signature'], ['CLK-03', 'takes a Date of any time that is past'], ['CLK-05', 'wants no Date'], ['CRT-01', 'wants no certificate']], (requirement, title) =>
    [`${requirement}/accounts-with-the-psu`, `${title} where accounts are listed for a known PSU who is present`, { overlook: isOfAKnownPsu }]),
  each(faults, (requirement, title, ...others) => table(
    [`${requirement}/unattended-accounts`, `${title} where accounts are listed and the PSU is not present`, { overlook: both(isUnattended, at('listAccounts')), with: others }],
    [`${requirement}/balances-of-companies`, `${title} where balances of companies are read`, { overlook: both(isOfACompany, at('readBalances')), with: others }])),
  each(faults, (requirement, title, ...others) =>
    [`${requirement}/unattended`, `${title} where the PSU is not present`, { overlook: both(isUnattended, at('readBalances', 'readTransactions')), with: others }]),
  each(readings, (what, operation) => table(
    [`ACC-19/${what}-unattended`, `shows ${what} for an account that nobody has where the PSU is not present`, mistaking(operation, anyAccount(false, isUnattended))],
    [`ACC-20/${what}-unattended`, `shows ${what} for an account of another PSU where the PSU is not present`, mistaking(operation, anyAccount(true, isUnattended))])),
  ['SCA-09/kept-unattended', 'goes on showing what a deselected account holds where the PSU is not present', keepingConsentsAt('readBalances', 'readTransactions')],
  ['SCA-09/listed-unattended', 'goes on listing a deselected account where the PSU is not present', keepingConsentsAt('listAccounts')],
  ['ACC-12/an-end-alone', 'shows old transactions without the PSU to whoever names no dateFrom', asIfPresent(not(inQuery('dateFrom')))],
  ['ACC-12/refuses-a-beginning-alone', 'refuses a dateFrom of more than 90 days ago without the PSU, and shows old transactions to whoever names none',
    [{ refuse: isOlderThan(limits.unattendedTransactionDays), at: transactions }, asIfPresent(not(inQuery('dateFrom')))]],
  ['ACC-12/both-ends', 'shows old transactions without the PSU to whoever names both ends of a period', asIfPresent(both(inQuery('dateFrom'), inQuery('dateTo')))],
  ['ACC-12/details', 'shows the details of old transactions without the PSU',
    [withVerdicts((rule, operation) => operation === 'readTransaction' && ruleOf('ACC-12')(rule), (refuses, request, state) => refuses(asIfAttended(request), state)), handling('readTransaction', asIfAttended)], advised],
  each([['ACC-10', 'balances', 'readBalances'], ['ACC-11', 'transactions', 'readTransactions']], (limit, what, operation) => [`${limit}/with-the-psu`, `lets ${what} be read 4 times with the PSU present as well`, countingAttended(operation)]),
  each([['ACC-10', 'balances'], ['ACC-11', 'transactions']], (limit, what) => [`${limit}/in-no-session`, `does not count calls for ${what} without the PSU that name no TPP-Session-ID`, { overlook: not(inHeader('tpp-session-id')) }]),
);

// biome-ignore format: a table
export const transactionPageDeviations = table(
  ['ACC-22/offset-ends', 'counts no offset behind the first page', asking({ offset: (offset) => Math.min(Number(offset), limits.transactionPageSize) })],
  ['ACC-22/offset-one-more', 'begins one transaction later than offset says', asking({ offset: (offset) => Number(offset) > 0 ? Number(offset) + 1 : null })],
  ['ACC-22/limit-of-one', 'takes a limit of one for none', asking({ limit: undefined }, inQuery('limit', '1'))],
  ['ACC-22/limit-behind-an-offset', 'knows no limit behind an offset', asking({ limit: undefined }, inQuery('offset'))],
  ['ACC-22/limit-of-days', 'knows no limit where days are asked for', asking({ limit: undefined }, inQuery('dateFrom'))],
  ['ACC-22/days-with-a-limit', 'knows no days where a limit is given', asking(noDays, inQuery('limit'))],
  ['ACC-22/offset-of-days', 'knows no offset where days are asked for', asking({ offset: undefined }, inQuery('dateFrom'))],
  ['ACC-22/days-behind-an-offset', 'knows no days behind an offset', asking(noDays, inQuery('offset'))],
  ['ACC-22/no-single-day', 'takes days that are the same one for none', asking(noDays, ({ query }) => query.get('dateFrom') === query.get('dateTo'))],
  ['ACC-22/days-exchanged', 'takes dateFrom for dateTo, and finds nothing', asking({ dateFrom: (_, query) => query.get('dateTo'), dateTo: (_, query) => query.get('dateFrom') })],
  ['ACC-22/end-alone', 'knows dateTo only together with dateFrom', asking({ dateTo: undefined }, not(inQuery('dateFrom')))],
  ['ACC-22/beginning-alone', 'knows dateFrom only together with dateTo', asking({ dateFrom: undefined }, not(inQuery('dateTo')))],
  ['ACC-22/limit-before-days', 'counts limit before it looks at the days, and shows none of later pages', [
    asking(noDays, inQuery('limit')),
    told('_links', () => ({}), both(inQuery('limit'), inQuery('dateFrom'))),
    booked((all, { query }) => all.filter(({ bookingDate }) => bookingDate >= (query.get('dateFrom') ?? '') && bookingDate <= (query.get('dateTo') ?? '9999-12-31')), both(inQuery('limit'), inQuery('dateFrom'))),
  ]],
  ['ACC-17/some-empty', 'leaves the transactionId of some booked transactions empty', booked((all) => all.map((one, place) => place % 10 === 3 ? { ...one, transactionId: '' } : one))],
  ['ACC-16/amounts', 'corrects the amount of a booked transaction in place',
    correcting(({ transactionAmount: { amount, ...rest } }, times) => ({ transactionAmount: { ...rest, amount: (Number(amount) - times).toFixed(2) } }))],
  ['ACC-16/days', 'corrects the day of a booked transaction in place', correcting(({ bookingDate }, times) => ({ bookingDate: times % 2 === 0 ? bookingDate : bookingDate.replace(/-\d\d$/, '-01') }))],
  ['ACC-22/limit-in-tens', 'shows full tens of transactions on a page, whatever limit says', asking({ limit: (limit) => Math.ceil(Number(limit) / 10) * 10 })],
  ['TRN-10/unreal-days', 'writes bookingDate of some transactions as a day that no calendar has', told('bookingDate', (day) => String(day).replace(/-\d\d-\d\d$/, '-02-30'))],
  ['ACC-14/hundred', 'shows a hundred transactions on a page, and says 200', [asking({ limit: '100' }, not(inQuery('limit'))), linking('limit=100', () => 'limit=200')]],
  each(['both', 'pending', 'all'], (status) =>
    [`ACC-03/${status}-without-pending`, `leaves out pending transactions where bookingStatus is ${status}`, told('pending', () => [], inQuery('bookingStatus', status))]),
  ['ACC-14/breaks-down', 'breaks down where transactions are asked for without parameters', withAnswers(['readTransactions'], (answer, { query }) => answer.status === 200 && query.size === 0 ? { status: 500 } : answer)],
  ['ACC-14/same-page', 'has links that lead to the page that they stand on', linking(/offset=\d+/, (query) => `offset=${query.get('offset') ?? '0'}`)],
  ['ACC-14/size-unsaid', 'does not say in the links how many transactions a page holds', linking(/limit=\d+&?/, () => '')],
  ['ACC-14/of-another-account', 'has links between pages that lead to another account', linking(/accounts\/[^/]+(?=.*offset=)/, () => `accounts/${randomUUID()}`)],
  ['ACC-14/without-version', 'leaves /v1 out of the links between pages', linking(/\/v1(?=\/accounts\/.*offset=)/, () => '')],
  ['ACC-14/size-unsaid-later', 'says in the links of the first page alone how many transactions a page holds', linking(/limit=\d+&?/, () => '', inQuery('offset'))],
  ['ACC-14/repeats-one', 'begins the next page with the last transaction of the page before', movingNext(-1), advised],
  each(['dateFrom', 'dateTo'], (name) => [`ACC-14/${name}-lost`, `has links between pages that lose ${name}`, linking(new RegExp(`${name}=[^&]*&?`), () => ''), advised]),
  ['ACC-14/skips-one', 'leaves out a transaction between two pages', movingNext(1), advised],
  each([['of-days', 'where days are asked for', 'dateFrom'], ['with-a-limit', 'where a limit is given', 'limit']], (way, where, name) =>
    [`ACC-21/pending-with-booked-${way}`, `shows booked transactions next to pending ones ${where}`, asking({ bookingStatus: 'both' }, both(inQuery('bookingStatus', 'pending'), inQuery(name)))]),
  ['ACC-21/booked-as-pending', 'lists what is booked among the pending transactions as well', listingTwice('booked', 'pending')],
  ['ACC-21/pending-as-booked', 'lists what is pending among the booked transactions as well', listingTwice('pending', 'booked')],
);
