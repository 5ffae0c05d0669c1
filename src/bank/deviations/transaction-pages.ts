import { randomUUID } from 'node:crypto';
import { limits } from '../../spec/limits.ts';
import { type DesignChange, withAnswers } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { type Deviation, deviation, handling, type Mistake, withoutQuery, withQuery } from './deviation.ts';

/** Links between pages, rewritten. */
const withPageLinks = (change: (href: string, request: BankRequest) => string): DesignChange =>
  withAnswers(['readTransactions'], (answer, request) => {
    const body: unknown = JSON.parse(JSON.stringify(answer.body ?? null), (name, value: unknown) =>
      name === 'href' && typeof value === 'string' ? change(value, request) : value,
    );
    return { ...answer, body };
  });

interface Listing {
  readonly transactions?: { readonly booked?: readonly unknown[]; readonly pending?: readonly unknown[] };
}

/** Transactions that are listed as what they are, and as something else as well. */
const listingTwice = (from: 'booked' | 'pending', to: 'booked' | 'pending'): DesignChange =>
  withAnswers(['readTransactions'], (answer) => {
    const { transactions, ...body } = JSON.parse(JSON.stringify(answer.body ?? {})) as Listing;
    const [moved, own] = [transactions?.[from], transactions?.[to]];
    if (moved === undefined || own === undefined) return answer;
    return { ...answer, body: { ...body, transactions: { ...transactions, [to]: [...own, ...moved] } } };
  });

/** The link next alone, so many transactions too far or too near. */
const withNextMovedBy = (count: number): DesignChange =>
  withPageLinks((href, { query }) => {
    const from = Number(query.get('offset') ?? 0);
    return href.replace(/offset=(\d+)/, (all, offset: string) => {
      const isNext = Number(offset) === from + Number(query.get('limit') ?? limits.transactionPageSize);
      return isNext ? `offset=${Number(offset) + count}` : all;
    });
  });

const withoutPendingOnes = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body ?? null), (name, value: unknown) => (name === 'pending' ? [] : value));

/** The page that is there, without the transactions of other days and without links. */
const onlyOfDays = (body: unknown, query: URLSearchParams): unknown =>
  JSON.parse(JSON.stringify(body ?? null), (name, value: unknown) => {
    if (name === '_links') return {};
    if (name !== 'booked' || !Array.isArray(value)) return value;
    const [from, to] = [query.get('dateFrom') ?? '', query.get('dateTo') ?? '9999-12-31'];
    return value.filter(
      ({ bookingDate }: { bookingDate: string }) => bookingDate >= from && bookingDate <= to,
    );
  });

const numberIn = ({ query }: BankRequest, name: string): number => Number(query.get(name) ?? 0);

/** What is made of the parameters of a listing. */
const choosing: readonly (readonly [way: string, title: string, mistake: Mistake])[] = [
  [
    'offset-ends',
    'counts no offset behind the first page',
    (request) =>
      numberIn(request, 'offset') > limits.transactionPageSize
        ? withQuery(request, 'offset', String(limits.transactionPageSize))
        : request,
  ],
  [
    'offset-one-more',
    'begins one transaction later than offset says',
    (request) => {
      const offset = numberIn(request, 'offset');
      return offset > 0 ? withQuery(request, 'offset', String(offset + 1)) : request;
    },
  ],
  [
    'limit-of-one',
    'takes a limit of one for none',
    (request) => (numberIn(request, 'limit') === 1 ? withoutQuery(request, 'limit') : request),
  ],
  [
    'limit-behind-an-offset',
    'knows no limit behind an offset',
    (request) => (request.query.has('offset') ? withoutQuery(request, 'limit') : request),
  ],
  [
    'limit-of-days',
    'knows no limit where days are asked for',
    (request) => (request.query.has('dateFrom') ? withoutQuery(request, 'limit') : request),
  ],
  [
    'days-with-a-limit',
    'knows no days where a limit is given',
    (request) =>
      request.query.has('limit') ? withoutQuery(withoutQuery(request, 'dateFrom'), 'dateTo') : request,
  ],
  [
    'offset-of-days',
    'knows no offset where days are asked for',
    (request) => (request.query.has('dateFrom') ? withoutQuery(request, 'offset') : request),
  ],
  [
    'days-behind-an-offset',
    'knows no days behind an offset',
    (request) =>
      request.query.has('offset') ? withoutQuery(withoutQuery(request, 'dateFrom'), 'dateTo') : request,
  ],
  [
    'no-single-day',
    'takes days that are the same one for none',
    (request) =>
      request.query.get('dateFrom') === request.query.get('dateTo')
        ? withoutQuery(withoutQuery(request, 'dateFrom'), 'dateTo')
        : request,
  ],
  [
    'days-exchanged',
    'takes dateFrom for dateTo, and finds nothing',
    (request) => {
      const [from, to] = [request.query.get('dateFrom'), request.query.get('dateTo')];
      return from === null || to === null
        ? request
        : withQuery(withQuery(request, 'dateFrom', to), 'dateTo', from);
    },
  ],
  [
    'end-alone',
    'knows dateTo only together with dateFrom',
    (request) => (request.query.has('dateFrom') ? request : withoutQuery(request, 'dateTo')),
  ],
  [
    'beginning-alone',
    'knows dateFrom only together with dateTo',
    (request) => (request.query.has('dateTo') ? request : withoutQuery(request, 'dateFrom')),
  ],
];

interface Booked {
  readonly bookingDate: string;
  readonly transactionAmount: { readonly amount: string; readonly currency: string };
}

/** Each listing has another version of its second booked transaction. */
const correcting =
  (corrected: (booked: Booked, times: number) => Partial<Booked>): DesignChange =>
  (design) => {
    let times = 0;
    return withAnswers(['readTransactions'], (answer) => {
      times += 1;
      return {
        ...answer,
        body: JSON.parse(JSON.stringify(answer.body ?? null), (name, value: unknown) =>
          name === 'booked' && Array.isArray(value)
            ? value.map((each: Booked, place) =>
                place === 1 ? { ...each, ...corrected(each, times) } : each,
              )
            : value,
        ),
      };
    })(design);
  };

/** Pages of a listing and the links between them (Limits). */
export const transactionPageDeviations: readonly Deviation[] = [
  ...choosing.map(([way, title, mistake]) =>
    deviation(`ACC-22/${way}`, title, handling('readTransactions', mistake)),
  ),
  deviation(
    'ACC-22/limit-before-days',
    'counts limit before it looks at the days, and shows none of later pages',
    handling('readTransactions', (request) =>
      request.query.has('limit') ? withoutQuery(withoutQuery(request, 'dateFrom'), 'dateTo') : request,
    ),
    withAnswers(['readTransactions'], (answer, { query }) =>
      query.has('limit') && query.has('dateFrom')
        ? { ...answer, body: onlyOfDays(answer.body, query) }
        : answer,
    ),
  ),
  deviation(
    'ACC-17/some-empty',
    'leaves the transactionId of some booked transactions empty',
    withAnswers(['readTransactions'], (answer) => ({
      ...answer,
      body: JSON.parse(JSON.stringify(answer.body ?? null), (name, value: unknown) =>
        name === 'booked' && Array.isArray(value)
          ? value.map((each: object, place) => (place % 10 === 3 ? { ...each, transactionId: '' } : each))
          : value,
      ),
    })),
  ),
  ...(
    [
      [
        'amounts',
        'the amount',
        ({ transactionAmount: { amount, ...rest } }: Booked, times: number) => ({
          transactionAmount: { ...rest, amount: (Number(amount) - times).toFixed(2) },
        }),
      ],
      [
        'days',
        'the day',
        ({ bookingDate }: Booked, times: number) => ({
          bookingDate: times % 2 === 0 ? bookingDate : bookingDate.replace(/-\d\d$/, '-01'),
        }),
      ],
    ] as const
  ).map(([way, what, corrected]) =>
    deviation(`ACC-16/${way}`, `corrects ${what} of a booked transaction in place`, correcting(corrected)),
  ),
  deviation(
    'ACC-22/limit-in-tens',
    'shows full tens of transactions on a page, whatever limit says',
    handling('readTransactions', (request) =>
      request.query.has('limit')
        ? withQuery(request, 'limit', String(Math.ceil(Number(request.query.get('limit')) / 10) * 10))
        : request,
    ),
  ),
  deviation(
    'TRN-10/unreal-days',
    'writes bookingDate of some transactions as a day that no calendar has',
    withAnswers(['readTransactions'], (answer) => ({
      ...answer,
      body: JSON.parse(JSON.stringify(answer.body ?? null), (name, value: unknown) =>
        name === 'bookingDate' && typeof value === 'string' ? value.replace(/-\d\d-\d\d$/, '-02-30') : value,
      ),
    })),
  ),
  deviation(
    'ACC-14/hundred',
    'shows a hundred transactions on a page, and says 200',
    handling('readTransactions', (request) =>
      request.query.has('limit') ? request : withQuery(request, 'limit', '100'),
    ),
    withPageLinks((href) => href.replace('limit=100', 'limit=200')),
  ),
  ...(['both', 'pending', 'all'] as const).map((bookingStatus) =>
    deviation(
      `ACC-03/${bookingStatus}-without-pending`,
      `leaves out pending transactions where bookingStatus is ${bookingStatus}`,
      withAnswers(['readTransactions'], (answer, { query }) =>
        query.get('bookingStatus') === bookingStatus
          ? { ...answer, body: withoutPendingOnes(answer.body) }
          : answer,
      ),
    ),
  ),
  deviation(
    'ACC-14/breaks-down',
    'breaks down where transactions are asked for without parameters',
    withAnswers(['readTransactions'], (answer, { query }) =>
      answer.status === 200 && query.size === 0 ? { status: 500 } : answer,
    ),
  ),
  deviation(
    'ACC-14/same-page',
    'has links that lead to the page that they stand on',
    withPageLinks((href, { query }) => href.replace(/offset=\d+/, `offset=${query.get('offset') ?? '0'}`)),
  ),
  deviation(
    'ACC-14/size-unsaid',
    'does not say in the links how many transactions a page holds',
    withPageLinks((href) => href.replace(/limit=\d+&?/, '')),
  ),
  deviation(
    'ACC-14/of-another-account',
    'has links between pages that lead to another account',
    withPageLinks((href) =>
      href.includes('offset=') ? href.replace(/accounts\/[^/]+/, `accounts/${randomUUID()}`) : href,
    ),
  ),
  deviation(
    'ACC-14/without-version',
    'leaves /v1 out of the links between pages',
    withPageLinks((href) => (href.includes('offset=') ? href.replace('/v1/accounts/', '/accounts/') : href)),
  ),
  deviation(
    'ACC-14/size-unsaid-later',
    'says in the links of the first page alone how many transactions a page holds',
    withPageLinks((href, request) => (request.query.has('offset') ? href.replace(/limit=\d+&?/, '') : href)),
  ),
  {
    ...deviation(
      'ACC-14/repeats-one',
      'begins the next page with the last transaction of the page before',
      withNextMovedBy(-1),
    ),
    isAdvisedAgainst: true,
  },
  ...(['dateFrom', 'dateTo'] as const).map(
    (name): Deviation => ({
      ...deviation(
        `ACC-14/${name}-lost`,
        `has links between pages that lose ${name}`,
        withPageLinks((href) => href.replace(new RegExp(`${name}=[^&]*&?`), '')),
      ),
      isAdvisedAgainst: true,
    }),
  ),
  {
    ...deviation('ACC-14/skips-one', 'leaves out a transaction between two pages', withNextMovedBy(1)),
    isAdvisedAgainst: true,
  },
  ...(
    [
      ['of-days', 'where days are asked for', 'dateFrom'],
      ['with-a-limit', 'where a limit is given', 'limit'],
    ] as const
  ).map(([way, where, name]) =>
    deviation(
      `ACC-21/pending-with-booked-${way}`,
      `shows booked transactions next to pending ones ${where}`,
      handling('readTransactions', (request) =>
        request.query.get('bookingStatus') === 'pending' && request.query.has(name)
          ? withQuery(request, 'bookingStatus', 'both')
          : request,
      ),
    ),
  ),
  deviation(
    'ACC-21/booked-as-pending',
    'lists what is booked among the pending transactions as well',
    listingTwice('booked', 'pending'),
  ),
  deviation(
    'ACC-21/pending-as-booked',
    'lists what is pending among the booked transactions as well',
    listingTwice('pending', 'booked'),
  ),
];
