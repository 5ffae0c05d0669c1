import { randomUUID } from 'node:crypto';
import { daysBefore, isIsoDate, isoDate } from '../../spec/days.ts';
import { isObject, member, textAt } from '../../spec/json.ts';
import { limits } from '../../spec/limits.ts';
import { consentedCardAccounts } from '../accounts/consent-rules.ts';
import {
  accountIds,
  eachAccount,
  paging,
  renamed,
  rewritingTransactions,
  withAccounts,
} from '../design/account-changes.ts';
import {
  alsoRefusing,
  asking,
  inSuccesses,
  onRefusal,
  serves,
  telling,
  withAnswers,
  withRoutes,
  withState,
} from '../design/design-changes.ts';
import { withHeader, withQuery } from '../design/requests.ts';
import { identifyPsu } from '../sca/identify-psu.ts';
import { itself, rows, topic } from './dialect.ts';

type List = readonly unknown[];
/** "Only an SCA redirect is returned": one of HTTP, where others put a link into a body. */
const redirecting = withAnswers(['createConsent', 'createBankOfferedConsent'], (answer) => {
  const href = textAt(answer.body, '_links', 'scaRedirect', 'href');
  return href === undefined ? answer : { status: 303, headers: { ...answer.headers, Location: href } };
});

const forbiddenOnceRevoked = onRefusal(
  (rule) => serves(rule, 'SCA-09'),
  (refusal, request, state) => {
    const psu = identifyPsu(request, state);
    return refusal.links === undefined ||
      psu === undefined ||
      state.consents.find(psu.tppId, psu) === undefined
      ? refusal
      : { status: 403, code: 'CONSENT_UNKNOWN', text: 'The PSU has revoked this consent.' };
  },
);

const loan = { resourceId: 'loan-1', bban: '95360599001', currency: 'NOK', product: 'Loan' };

const marked = (listed: unknown, status: string): List =>
  Array.isArray(listed) ? listed.map((each: unknown) => (isObject(each) ? { ...each, status } : each)) : [];

const ownAmounts = {
  bonus: { amount: 12.5, unit: 'points' },
  savingsGoals: [{ name: 'Hytte', amount: 250000, currency: 'NOK' }],
};

/** Account information in other shapes: none is shown (Other paths referred to). */
// biome-ignore format: a table
export const accountShapeDialects = rows(
  ['account-list/bare', 'lists accounts as an array, without an object around them', topic, inSuccesses(['listAccounts'], (body) => body.accounts)],
  ['account-list/other-name', 'lists accounts deeper inside, under a name of its own', topic,
    inSuccesses(['listAccounts'], ({ accounts, ...body }) => ({ ...body, data: { kontoer: accounts } }))],
  ['consents/forbidden-once-revoked', 'answers 403 CONSENT_UNKNOWN, without a link, where the PSU has revoked a consent', itself, forbiddenOnceRevoked],
  ['card-accounts/none-404', 'answers 404 to who asks for the card accounts of a PSU who has none', itself,
    alsoRefusing(['listCardAccounts'], (request, state) => consentedCardAccounts(request, state).length === 0, 404, 'RESOURCE_UNKNOWN')],
  ['consents/redirects', 'answers a consent with a redirect of HTTP to SCA', itself, redirecting],
  ['accounts/no-links', 'lists accounts without links and names', itself, eachAccount(({ _links: _, name: __, ownerName: ___, ...account }) => account)],
  // Where there are no links, there is nothing else that could name them.
  ['accounts/ids-in-links', 'names the ids of accounts in their links alone', itself,
    eachAccount(({ resourceId, ...account }) => (isObject(account._links) ? account : { ...account, resourceId }))],
  ['transactions/one-list', 'lists booked and pending transactions in one list', topic, inSuccesses(['readTransactions'], ({ transactions, ...body }) => {
    const { booked, pending, ...rest } = isObject(transactions) ? transactions : {};
    return { ...body, ...rest, transactions: [...marked(booked, 'BOOK'), ...marked(pending, 'PDNG')] };
  })],
  ['transactions/empty-left-out', 'leaves out lists of transactions that have nothing in them', topic, inSuccesses(['readTransactions'], ({ transactions, ...body }) => ({
    ...body, transactions: Object.fromEntries(Object.entries(Object(transactions)).filter(([, listed]) => !Array.isArray(listed) || listed.length > 0)),
  }))],
  ['page-links/existing-pages', 'answers 404 to a page behind the last transaction', itself, withAnswers(['readTransactions'], (answer, { query }) => {
    const { transactions = answer.body } = isObject(answer.body) ? answer.body : {};
    const booked = member(transactions, 'booked');
    return Array.isArray(booked) && booked.length === 0 && Number(query.get('offset') ?? 0) > 0 ? { status: 404 } : answer;
  })],
  ['page-links/decorated', 'writes the addresses of pages with a slash before the query, and names a place on the page', itself,
    inSuccesses(['readTransactions'], (body) => JSON.parse(JSON.stringify(body).replaceAll(/\/transactions\?([^"]*)"/g, '/transactions/?$1#booked"')))],
  ['accounts/as-written', 'writes account numbers with dots and IBANs with spaces, as people do', itself, eachAccount(({ bban, iban, ...account }) => ({
    ...account,
    ...(typeof bban === 'string' ? { bban: bban.replace(/^(\d{4})(\d{2})(\d{5})$/, '$1.$2.$3') } : {}),
    ...(typeof iban === 'string' ? { iban: iban.replaceAll(/(.{4})(?=.)/g, '$1 ') } : {}),
  }))],
  // Payment permission may be removed for an account that still appears (PSU identification and SCA).
  ['accounts/loan-first', 'lists a loan before the accounts, which nobody can pay from and which has nothing else to read', itself,
    withAccounts((accounts) => [loan, ...accounts])],
  ['accounts/more', 'tells much more of its accounts', itself, eachAccount((account) => ({
    ...account, bic: 'DABANO22XXX', usage: 'PRIV', details: null, balances: [], linkedAccounts: [], ownerAddressStructured: { country: 'NO' },
  }))],
  ['own-amounts/balances', 'tells numbers of its own that it calls amounts, next to those of the framework', itself,
    inSuccesses(['readBalances'], (body) => ({ ...ownAmounts, ...body }))],
  ['own-amounts/transactions', 'tells numbers of its own that it calls amounts, next to those of the framework', itself,
    inSuccesses(['readTransactions'], (body) => ({ ...ownAmounts, ...body }))],
  ['balances/none-booked', 'tells the expected balance alone', itself, inSuccesses(['readBalances'], (body) => ({
    ...body, balances: [body.balances].flat().filter((balance) => member(balance, 'balanceType') === 'expected'),
  }))],
  ['balances/own-words', 'tells balances in words of its own', topic, inSuccesses(['readBalances'], () => ({ saldo: [{ navn: 'Disponibelt', sum: 'kr 1 250,50' }] }))],
);

/** What an account is called that is kept in euros next to kroner, with one number. */
const alsoInEuro = renamed((id) => `${id}.EUR`);
const inTwoCurrencies = withAccounts((accounts) =>
  accounts.flatMap((account) =>
    isObject(account) && typeof account.resourceId === 'string' && typeof account.bban === 'string'
      ? [account, { ...alsoInEuro(account), currency: 'EUR' }]
      : [account],
  ),
);

const withTokens = paging(
  (query) => {
    const token = query.get('pageToken');
    return token === null ? query : new URLSearchParams(Buffer.from(token, 'base64url').toString('utf8'));
  },
  (text) =>
    text.replaceAll(/\?([^"?]*offset=[^"]*)(?=")/g, (_, query: string) => {
      const limit = new URLSearchParams(query).get('limit') ?? '';
      return `?limit=${limit}&pageToken=${Buffer.from(query).toString('base64url')}`;
    }),
);

/** An offset counts pages, and not transactions: which of them is said nowhere. */
const withPagesCounted = paging(
  (query) => {
    const limit = Number(query.get('limit') ?? limits.transactionPageSize);
    if (query.has('offset')) query.set('offset', String(Number(query.get('offset')) * limit));
    return query;
  },
  (text) =>
    text.replaceAll(
      /limit=(\d+)&offset=(\d+)/g,
      (_, limit, offset) => `limit=${limit}&offset=${Number(offset) / Number(limit)}`,
    ),
);

/** Whether what is pending counts among the transactions of a page: in a sandbox limit may hold for it (Limits). */
const withPagesOfBoth = withRoutes((route) => ({
  ...route,
  handle: async (request, state) => {
    const answer = await route.handle(request, state);
    if (route.operation !== 'readTransactions') return answer;
    const offset = Number(request.query.get('offset') ?? 0);
    const limit = Number(request.query.get('limit') ?? limits.transactionPageSize);
    const status = request.query.get('bookingStatus') ?? 'both';
    const all = Object.entries({ limit: '9999', offset: '0', bookingStatus: status }).reduce(
      (asked, [name, value]) => withQuery(asked, name, value),
      request,
    );
    const listed = member((await route.handle(all, state)).body, 'transactions');
    if (!isObject(answer.body) || !isObject(answer.body.transactions) || !isObject(listed)) return answer;
    const page = ['pending', 'booked']
      .flatMap((kind) => [listed[kind] ?? []].flat().map((transaction) => ({ kind, transaction })))
      .slice(offset, offset + limit);
    const of = (kind: string) =>
      kind in listed
        ? { [kind]: page.filter((each) => each.kind === kind).map(({ transaction }) => transaction) }
        : {};
    const { pending: _, booked: __, ...rest } = answer.body.transactions;
    return {
      ...answer,
      body: { ...answer.body, transactions: { ...rest, ...of('booked'), ...of('pending') } },
    };
  },
}));

const withLinksInHeader = withAnswers(['readTransactions'], (answer) => {
  const transactions = member(answer.body, 'transactions');
  const { account, ...pages } = Object(member(transactions, '_links'));
  const links = Object.entries(pages).map(([name, link]) => `<${textAt(link, 'href')}>; rel="${name}"`);
  if (links.length === 0) return answer;
  const body = { ...Object(answer.body), transactions: { ...Object(transactions), _links: { account } } };
  return { ...answer, headers: { ...answer.headers, Link: links.join(', ') }, body };
});

const daysLater = (text: string, days: number): string =>
  isIsoDate(text) ? isoDate(daysBefore(new Date(`${text}T00:00:00Z`), -days)) : text;

/** Interest begins so many days after a booking: by these days transactions are asked for, and not by those of bookings. */
const daysToValue = 2;

const withValueDates = (name: string, value: unknown): unknown => {
  if (name === 'href')
    return String(value).replaceAll(/(?<=date(?:From|To)=)[\d-]{10}/g, (day) => daysLater(day, daysToValue));
  const booked = textAt(value, 'bookingDate');
  return booked === undefined ? value : { ...Object(value), valueDate: daysLater(booked, daysToValue) };
};

const chosenByValueDate = paging(
  (query) => {
    for (const name of ['dateFrom', 'dateTo'])
      if (query.has(name)) query.set(name, daysLater(query.get(name) ?? '', -daysToValue));
    return query;
  },
  (text) => JSON.stringify(JSON.parse(text, withValueDates)),
);

/** Who may see what is asked neither by a person nor for a company, but of both: they choose it in either context. */
const shownInBothContexts = withState(({ customers }) => {
  const { reachableAccounts, agreementsOf } = customers;
  return {
    customers: {
      ...customers,
      reachableAccounts: (psu, role = 'VIEW') => {
        if (role !== 'VIEW') return reachableAccounts(psu, role);
        const { customerNumber } = psu;
        const agreements = [undefined, ...agreementsOf(customerNumber).map(({ id }) => id)];
        const all = agreements.flatMap((agreementId) => reachableAccounts({ customerNumber, agreementId }));
        return [...new Map(all.map((account) => [account.id, account])).values()];
      },
    },
  };
});

const refusingQuery = (isRefused: (query: URLSearchParams) => boolean) =>
  alsoRefusing(['readTransactions'], ({ query }) => isRefused(query));

/** How accounts are asked for, and what with: none of it is shown (Other paths referred to). */
// biome-ignore format: a table
export const accountQueryDialects = rows(
  ['unattended/old-details', 'shows the details of old transactions without the PSU, whose list leaves them out', itself,
    asking(['readTransaction'], (request) => withHeader(request, 'psu-ip-address', '::1'))],
  ['transactions/both-dates', 'wants both ends of a period, or none', itself, refusingQuery((query) => query.has('dateFrom') !== query.has('dateTo'))],
  ['transactions/from-a-day', 'wants to know from which day on booked transactions are asked for, as the framework does', itself,
    refusingQuery((query) => !query.has('dateFrom') && query.get('bookingStatus') !== 'pending')],
  ['transactions/young-ones', 'looks for no transactions that are older than 90 days', itself,
    alsoRefusing(['readTransactions'], ({ query }, { clock }) => query.has('dateFrom') && `${query.get('dateFrom')}` < isoDate(daysBefore(clock.now(), 90)))],
  ['transactions/tens', 'takes pages of ten transactions and more, each of which begins where another one ends', itself, refusingQuery((query) => {
    const length = Number(query.get('limit') ?? limits.transactionPageSize);
    return length < 10 || Number(query.get('offset') ?? 0) % length > 0;
  })],
  ['transactions/by-value-date', 'takes dateFrom and dateTo for days of value, which are later than those of bookings', itself, chosenByValueDate],
  // In a sandbox limit filters them as well (Limits).
  ['transactions/pending-last', 'shows pending transactions behind all others, on the last page', itself,
    withAnswers(['readTransactions'], (answer, { query }) =>
      query.get('bookingStatus') === 'pending' || !JSON.stringify(answer.body ?? null).includes('"next":')
        ? answer
        : { ...answer, body: JSON.parse(JSON.stringify(answer.body), (name, value: unknown) => (name === 'pending' ? [] : value)) })],
  ['page-links/further-down', 'leads to its pages through a gateway, and a part of the path that is its own', itself, rewritingTransactions((text) =>
    text.replaceAll(/"[^"]*\/v1\/accounts\/(?=[^"]*\/transactions\/?\?)/g, '"https://gateway.example/open/v1/information/accounts/'))],
  ['transactions/numbered', 'gives transactions numbers for ids', itself,
    telling('readTransactions', 'transactionId', (id) => Number.parseInt(String(id).replaceAll(/\W/g, '').slice(-8), 36))],
  ['transactions/pages-of-both', 'counts pending transactions among those of a page', itself, withPagesOfBoth],
  ['page-links/in-header', 'links to its pages in a header', topic, withLinksInHeader],
  ['page-links/queries', 'links to its pages by their queries alone', topic, rewritingTransactions((text) => text.replaceAll(/"[^"]*\/transactions\/?(?=\?)/g, '"'))],
  ['page-links/to-itself', 'wants to know which transactions are asked for, and links what it lists to itself and to those that are pending', topic, [
    refusingQuery((query) => !query.has('bookingStatus')),
    inSuccesses(['readTransactions'], (body, { target }) => {
      const own = { self: { href: target }, pending: { href: `${target.split('?')[0]}?bookingStatus=pending` } };
      return { ...body, _links: { ...Object(body._links), ...own } };
    }),
  ]],
  ['page-links/tokens', 'pages by tokens instead of an offset', topic, withTokens],
  ['page-links/counted', 'counts pages by offset, and not transactions', topic, withPagesCounted],
  ['accounts/two-currencies', 'lists each account in kroner and once more in euros, with the same number', itself, accountIds((id) => /^(.*)\.EUR$/.exec(id)?.[1], inTwoCurrencies)],
  ['accounts/of-both-contexts', 'shows who acts for a company its accounts next to their own, in either context', itself, shownInBothContexts],
  ['account-ids/odd', 'gives accounts ids with slashes, spaces and letters beyond ASCII', topic,
    accountIds((id) => /^konto\/(.*) å\?#%=$/.exec(id)?.[1], eachAccount(renamed((id) => `konto/${id} å?#%=`)))],
  ['account-ids/fresh', 'gives accounts other ids with every listing, and knows them all', topic,
    accountIds((id) => /^[\da-f-]{36}\.(.*)$/.exec(id)?.[1], eachAccount(renamed((id) => `${randomUUID()}.${id}`)))],
);
