import { consentedAccounts } from '../accounts/consent-rules.ts';
import { type DesignChange, withRoutes, withState } from '../design/design-changes.ts';
import type { BankOperation } from '../design/route.ts';
import type { UnattendedKind } from '../state/consents.ts';
import { type Deviation, deviation } from './deviation.ts';
import { handling, mistaking, withHeader, withParam, withQuery } from './mistakes.ts';

/** A call more than there may be, of one kind. */
const oneMoreCall = (kind: UnattendedKind): DesignChange =>
  withState(({ unattendedCalls }) => {
    const begun = new Set<string>();
    return {
      unattendedCalls: {
        ...unattendedCalls,
        admit: (tppId, accountId, of) => {
          const key = [tppId, accountId].join('\n');
          const isFree = of === kind && begun.size < begun.add(key).size;
          return isFree || unattendedCalls.admit(tppId, accountId, of);
        },
      },
    };
  });

/** Links between pages, rewritten. */
const withPageLinks = (change: (href: string) => string): DesignChange =>
  withRoutes((route) =>
    route.operation === 'readTransactions'
      ? {
          ...route,
          handle: async (request, state) => {
            const answer = await route.handle(request, state);
            const body: unknown = JSON.parse(JSON.stringify(answer.body ?? null), (name, value: unknown) =>
              name === 'href' && typeof value === 'string' ? change(value) : value,
            );
            return { ...answer, body };
          },
        }
      : route,
  );

const readAs = (asked: string, meant: string): DesignChange =>
  handling('readTransactions', (request) =>
    request.query.get('bookingStatus') === asked ? withQuery(request, 'bookingStatus', meant) : request,
  );

/** An account that the PSU has not granted is answered for as if it were the first that it has. */
const answeringForAny = (operation: BankOperation, isThere: boolean): DesignChange =>
  mistaking(operation, (request, state) => {
    const { accountId = '' } = request.params;
    const granted = consentedAccounts(request, state);
    const isMistaken =
      granted.every(({ id }) => id !== accountId) &&
      (state.customers.account(accountId) !== undefined) === isThere;
    const [first] = granted;
    return isMistaken && first !== undefined ? withParam(request, 'accountId', first.id) : request;
  });

const readings = [
  { what: 'balances', operation: 'readBalances' },
  { what: 'transactions', operation: 'readTransactions' },
] as const;

export const accountLimitDeviations: readonly Deviation[] = [
  deviation(
    'ACC-10/five-calls',
    'lets balances be read five times a day without the PSU',
    oneMoreCall('balances'),
  ),
  deviation(
    'ACC-11/five-calls',
    'lets transactions be read five times a day without the PSU',
    oneMoreCall('transactions'),
  ),
  deviation(
    'ACC-12/shows-all',
    'shows old transactions without the PSU',
    handling('readTransactions', (request) => withHeader(request, 'psu-ip-address', '192.0.2.1')),
  ),
  deviation(
    'ACC-14/hundred',
    'shows a hundred transactions on a page, and says 200',
    handling('readTransactions', (request) =>
      request.query.has('limit') ? request : withQuery(request, 'limit', '100'),
    ),
    withPageLinks((href) => href.replace('limit=100', 'limit=200')),
  ),
  deviation(
    'ACC-14/size-unsaid',
    'does not say in the links how many transactions a page holds',
    withPageLinks((href) => href.replace(/limit=\d+&?/, '')),
  ),
  deviation('ACC-21/pending-with-booked', 'shows booked transactions as well', readAs('pending', 'both')),
  deviation('ACC-21/both-pending', 'shows pending transactions only for both', readAs('both', 'pending')),
  deviation('ACC-21/all-pending', 'shows pending transactions only for all', readAs('all', 'pending')),
  ...readings.flatMap(({ what, operation }) => [
    deviation(
      `ACC-19/${what}`,
      `shows ${what} for an account that nobody has`,
      answeringForAny(operation, false),
    ),
    deviation(
      `ACC-20/${what}`,
      `shows ${what} for an account of another PSU`,
      answeringForAny(operation, true),
    ),
  ]),
];
