import { randomUUID } from 'node:crypto';
import { daysBefore, isIsoDate, isoDate } from '../../spec/days.ts';
import { isObject, textAt } from '../../spec/json.ts';
import { limits } from '../../spec/limits.ts';
import { changedRequest } from '../design/changed-request.ts';
import {
  allOf,
  type DesignChange,
  withAnswers,
  withAnswerText,
  withRoutes,
  withState,
} from '../design/design-changes.ts';
import type { BankOperation, BankRequest, Route } from '../design/route.ts';
import { type Dialect, deciding, dialect, independent } from './dialect.ts';
import { withAccounts } from './listed-accounts.ts';
import { alsoRefusing } from './own-choice.ts';

const reading: readonly BankOperation[] = [
  'readAccount',
  'readBalances',
  'readTransactions',
  'readTransaction',
];

/** What those operations are asked, before anything looks at it. */
export const asking = (
  operations: readonly BankOperation[],
  change: (request: BankRequest) => BankRequest,
): DesignChange =>
  withRoutes((route): Route => {
    if (!operations.includes(route.operation)) return route;
    return {
      ...route,
      rules: route.rules.map((rule) => ({
        ...rule,
        refuses: (request, state) => rule.refuses(change(request), state),
      })),
      handle: (request, state) => route.handle(change(request), state),
    };
  });

/** Accounts go by other ids than the bank has for them: `known` finds its way back. */
const accountIds = (shown: (id: string) => string, known: (id: string) => string | undefined): DesignChange =>
  allOf(
    asking(reading, (request) => {
      const { accountId = '' } = request.params;
      return changedRequest(request, {
        params: { ...request.params, accountId: known(accountId) ?? accountId },
      });
    }),
    withAccounts((accounts) => accounts.map(renamed(shown))),
  );

const renamed =
  (shown: (id: string) => string) =>
  (account: unknown): unknown => {
    if (!isObject(account) || typeof account.resourceId !== 'string') return account;
    const { resourceId: id } = account;
    const resourceId = shown(id);
    const text = JSON.stringify(account._links ?? {}).replaceAll(
      `/accounts/${id}`,
      `/accounts/${encodeURIComponent(resourceId)}`,
    );
    return { ...account, resourceId, ...('_links' in account ? { _links: JSON.parse(text) } : {}) };
  };

const oddId = /^konto\/(.*) å\?#%=$/;
const freshId = /^[\da-f-]{36}\.(.*)$/;

/** What an account is called that is kept in euros next to kroner, with one number. */
const inEuro = '.EUR';

const inTwoCurrencies: DesignChange = allOf(
  asking(reading, (request) => {
    const { accountId = '' } = request.params;
    const inKroner = accountId.endsWith(inEuro) ? accountId.slice(0, -inEuro.length) : accountId;
    return changedRequest(request, { params: { ...request.params, accountId: inKroner } });
  }),
  withAccounts((accounts) =>
    accounts.flatMap((account) =>
      textAt(account, 'resourceId') === undefined || textAt(account, 'bban') === undefined
        ? [account]
        : [account, { ...Object(renamed((id) => id + inEuro)(account)), currency: 'EUR' }],
    ),
  ),
);

/** Links to pages hold a token instead of what was asked; the size of a page stays beside it. */
const withTokens: DesignChange = allOf(
  asking(['readTransactions'], (request) => {
    const token = request.query.get('pageToken');
    return token === null
      ? request
      : changedRequest(request, {
          query: new URLSearchParams(Buffer.from(token, 'base64url').toString('utf8')),
        });
  }),
  withAnswerText(['readTransactions'], (text) => tokensIn(text)),
);

const tokensIn = (text: string): string =>
  text.replaceAll(/\?([^"?]*offset=[^"]*)(?=")/g, (_, query: string) => {
    const limit = new URLSearchParams(query).get('limit') ?? '';
    return `?limit=${limit}&pageToken=${Buffer.from(query).toString('base64url')}`;
  });

/** An offset counts pages, and not transactions: which of them is said nowhere. */
const withPagesCounted: DesignChange = allOf(
  asking(['readTransactions'], (request) => {
    const query = new URLSearchParams(request.query);
    const limit = query.get('limit') ?? limits.transactionPageSize;
    if (query.has('offset')) query.set('offset', String(Number(query.get('offset')) * Number(limit)));
    return changedRequest(request, { query });
  }),
  withAnswerText(['readTransactions'], (text) => pagesCountedIn(text)),
);

const pagesCountedIn = (text: string): string =>
  text.replaceAll(/limit=(\d+)&offset=(\d+)/g, (_, limit: string, offset: string) => {
    return `limit=${limit}&offset=${Number(offset) / Number(limit)}`;
  });

/** Whether what is pending counts among the transactions of a page: in a sandbox limit may hold for it (Limits). */
const withPagesOfBoth: DesignChange = withRoutes((route): Route => {
  if (route.operation !== 'readTransactions') return route;
  return {
    ...route,
    handle: async (request, state) => {
      const { query } = request;
      const [limit, offset] = [
        query.get('limit') ?? limits.transactionPageSize,
        query.get('offset') ?? 0,
      ].map(Number);
      const all = new URLSearchParams(query);
      all.set('limit', '9999');
      all.set('offset', '0');
      if (!query.has('bookingStatus')) all.set('bookingStatus', 'both');
      const whole = await route.handle(changedRequest(request, { query: all }), state);
      const answer = await route.handle(request, state);
      const listed = isObject(whole.body) ? whole.body.transactions : undefined;
      if (!isObject(answer.body) || !isObject(answer.body.transactions) || !isObject(listed)) return answer;
      const kinds = (['pending', 'booked'] as const).flatMap((kind) =>
        [listed[kind] ?? []].flat().map((transaction): readonly [string, unknown] => [kind, transaction]),
      );
      const page = kinds.slice(offset, (offset ?? 0) + (limit ?? 0));
      const of = (kind: 'pending' | 'booked') =>
        kind in listed ? { [kind]: page.filter(([its]) => its === kind).map(([, each]) => each) } : {};
      const { pending: _, booked: __, ...rest } = answer.body.transactions;
      return {
        ...answer,
        body: { ...answer.body, transactions: { ...rest, ...of('booked'), ...of('pending') } },
      };
    },
  };
});

const numbered = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) =>
    name === 'transactionId' ? Number.parseInt(String(value).replaceAll(/\W/g, '').slice(-8), 36) : value,
  );

/** Links to pages stand in a header, as RFC 8288 has them. */
const withLinksInHeader: DesignChange = withAnswers(['readTransactions'], (answer) => {
  const { transactions } = isObject(answer.body) ? answer.body : {};
  const { account, ...pages } =
    isObject(transactions) && isObject(transactions._links) ? transactions._links : {};
  const links = Object.entries(pages).map(([name, link]) => `<${textAt(link, 'href')}>; rel="${name}"`);
  return links.length === 0 || !isObject(transactions)
    ? answer
    : {
        ...answer,
        headers: { ...answer.headers, Link: links.join(', ') },
        body: { ...Object(answer.body), transactions: { ...transactions, _links: { account } } },
      };
});

const withoutPending = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) => (name === 'pending' ? [] : value));

const furtherDown = (text: string): string =>
  text.replaceAll(
    /"[^"]*\/v1\/accounts\/(?=[^"]*\/transactions\/?\?)/g,
    '"https://gateway.example/open/v1/information/accounts/',
  );

const daysLater = (text: string, days: number): string =>
  isIsoDate(text) ? isoDate(daysBefore(new Date(`${text}T00:00:00Z`), -days)) : text;

/** Interest begins two days after a booking: by these days transactions are asked for, and not by those of bookings. */
const daysToValue = 2;

const chosenByValueDate: DesignChange = allOf(
  asking(['readTransactions'], (request) => {
    const query = new URLSearchParams(request.query);
    for (const name of ['dateFrom', 'dateTo'])
      if (query.has(name)) query.set(name, daysLater(query.get(name) ?? '', -daysToValue));
    return changedRequest(request, { query });
  }),
  withAnswers(['readTransactions'], (answer) => ({
    ...answer,
    ...(answer.body === undefined ? {} : { body: withValueDates(answer.body) }),
  })),
);

const withValueDates = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    if (name === 'href')
      return String(value).replaceAll(/(?<=date(?:From|To)=)[\d-]{10}/g, (day) =>
        daysLater(day, daysToValue),
      );
    return isObject(value) && typeof value.bookingDate === 'string'
      ? { ...value, valueDate: daysLater(value.bookingDate, daysToValue) }
      : value;
  });

/** Who may see what is asked neither by a person nor for a company, but of both: they choose it in either context. */
const shownInBothContexts: DesignChange = withState(({ customers }) => {
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

/** How accounts are asked for, and what with: none of it is shown (Other paths referred to). */
export const accountQueryDialects: readonly Dialect[] = [
  independent(
    'unattended/old-details',
    'shows the details of old transactions without the PSU, whose list leaves them out',
    asking(['readTransaction'], (request) =>
      changedRequest(request, {
        header: (name) => (name === 'psu-ip-address' ? '::1' : request.header(name)),
      }),
    ),
  ),
  independent(
    'transactions/both-dates',
    'wants both ends of a period, or none',
    alsoRefusing(['readTransactions'], ({ query }) => query.has('dateFrom') !== query.has('dateTo')),
  ),
  independent(
    'transactions/from-a-day',
    'wants to know from which day on booked transactions are asked for, as the framework does',
    alsoRefusing(
      ['readTransactions'],
      ({ query }) => !query.has('dateFrom') && query.get('bookingStatus') !== 'pending',
    ),
  ),
  independent(
    'transactions/young-ones',
    'looks for no transactions that are older than 90 days',
    alsoRefusing(['readTransactions'], ({ query }, { clock }) => {
      const dateFrom = query.get('dateFrom');
      return dateFrom !== null && dateFrom < isoDate(daysBefore(clock.now(), 90));
    }),
  ),
  independent(
    'transactions/tens',
    'takes pages of ten transactions and more, each of which begins where another one ends',
    alsoRefusing(['readTransactions'], ({ query }) => {
      const length = Number(query.get('limit') ?? limits.transactionPageSize);
      return length < 10 || Number(query.get('offset') ?? 0) % length > 0;
    }),
  ),
  independent(
    'transactions/by-value-date',
    'takes dateFrom and dateTo for days of value, which are later than those of bookings',
    chosenByValueDate,
  ),
  independent(
    'transactions/pending-last',
    'shows pending transactions behind all others, on the last page',
    // In a sandbox limit filters them as well (Limits).
    withAnswers(['readTransactions'], (answer, { query }) =>
      query.get('bookingStatus') === 'pending' || !JSON.stringify(answer.body ?? null).includes('"next":')
        ? answer
        : { ...answer, body: withoutPending(answer.body) },
    ),
  ),
  independent(
    'page-links/further-down',
    'leads to its pages through a gateway, and a part of the path that is its own',
    withAnswerText(['readTransactions'], furtherDown),
  ),
  independent(
    'transactions/numbered',
    'gives transactions numbers for ids',
    withAnswers(['readTransactions'], (answer) =>
      answer.body === undefined ? answer : { ...answer, body: numbered(answer.body) },
    ),
  ),
  independent(
    'transactions/pages-of-both',
    'counts pending transactions among those of a page',
    withPagesOfBoth,
  ),
  deciding(
    'page-links',
    dialect('page-links/in-header', 'links to its pages in a header', withLinksInHeader),
  ),
  deciding(
    'page-links',
    dialect(
      'page-links/queries',
      'links to its pages by their queries alone',
      withAnswerText(['readTransactions'], (text) => text.replaceAll(/"[^"]*\/transactions\/?(?=\?)/g, '"')),
    ),
  ),
  deciding(
    'page-links',
    dialect(
      'page-links/to-itself',
      'wants to know which transactions are asked for, and links what it lists to itself and to those that are pending',
      alsoRefusing(['readTransactions'], ({ query }) => !query.has('bookingStatus')),
      withAnswers(['readTransactions'], (answer, { target }) => {
        const [path = ''] = target.split('?');
        if (!isObject(answer.body) || answer.status >= 300) return answer;
        const own = { self: { href: target }, pending: { href: `${path}?bookingStatus=pending` } };
        const before = answer.body._links;
        const _links = isObject(before) ? { ...before, ...own } : own;
        return { ...answer, body: { ...answer.body, _links } };
      }),
    ),
  ),
  deciding('page-links', dialect('page-links/tokens', 'pages by tokens instead of an offset', withTokens)),
  deciding(
    'page-links',
    dialect('page-links/counted', 'counts pages by offset, and not transactions', withPagesCounted),
  ),
  independent(
    'accounts/two-currencies',
    'lists each account in kroner and once more in euros, with the same number',
    inTwoCurrencies,
  ),
  independent(
    'accounts/of-both-contexts',
    'shows who acts for a company its accounts next to their own, in either context',
    shownInBothContexts,
  ),
  dialect(
    'account-ids/odd',
    'gives accounts ids with slashes, spaces and letters beyond ASCII',
    accountIds(
      (id) => `konto/${id} å?#%=`,
      (id) => oddId.exec(id)?.[1],
    ),
  ),
  dialect(
    'account-ids/fresh',
    'gives accounts other ids with every listing, and knows them all',
    accountIds(
      (id) => `${randomUUID()}.${id}`,
      (id) => freshId.exec(id)?.[1],
    ),
  ),
];
