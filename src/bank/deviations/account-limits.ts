import { randomUUID } from 'node:crypto';
import { dayMs, isoDate } from '../../spec/days.ts';
import { consentedAccounts } from '../accounts/consent-rules.ts';
import {
  allOf,
  type DesignChange,
  granting,
  telling,
  withAnswers,
  withState,
  withVerdicts,
} from '../design/design-changes.ts';
import type { BankOperation, BankRequest } from '../design/route.ts';
import type { UnattendedKind } from '../state/consents.ts';
import {
  asIfPresent,
  byDots,
  type Deviation,
  deviation,
  handling,
  isOfACompany,
  mistaking,
  refusing,
  rows,
  ruleOf,
  withHeader,
  withoutQuery,
  withParam,
  withQuery,
} from './deviation.ts';

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

/** Later pages count like calls of their own, which they may. */
const countingPages = withVerdicts(ruleOf('ACC-11'), (refuses, request, state) =>
  refuses(withoutQuery(request, 'offset'), state),
);

/** The limit as if requests that differ in this were those of different TPPs. */
const countingBy = (requirement: string, differenceOf: (request: BankRequest) => unknown): DesignChange =>
  withVerdicts(ruleOf(requirement), (refuses, request, state) => {
    const calls = state.unattendedCalls;
    const difference = differenceOf(request);
    const counted = (tppId: string): string => `${tppId}\n${difference}`;
    const unattendedCalls: typeof calls = {
      ...calls,
      admit: (tppId, ...what) => calls.admit(counted(tppId), ...what),
      secondsUntilFree: (tppId, ...what) => calls.secondsUntilFree(counted(tppId), ...what),
    };
    return refuses(request, { ...state, unattendedCalls });
  });

/** How often the PSU has been present so far: whoever counts by it begins anew each time. */
function attendances(): (request: BankRequest) => number {
  let count = 0;
  return (request) => {
    if (request.header('psu-ip-address') !== undefined) count += 1;
    return count;
  };
}

/** From the first refusal of a request without the PSU on, those with the PSU are taken for the same. */
const lockingAtLimit = (requirement: string): DesignChange => {
  const locked = new WeakMap<object, Set<string | undefined>>();
  return withVerdicts(ruleOf(requirement), (refuses, request, state) => {
    const accounts = locked.get(state.consents) ?? new Set();
    locked.set(state.consents, accounts);
    const isLocked = accounts.has(request.params.accountId);
    const refusal = refuses(isLocked ? withHeader(request, 'psu-ip-address', undefined) : request, state);
    if (refusal !== undefined) accounts.add(request.params.accountId);
    return refusal;
  });
};

const readAs = (asked: string, meant: string): DesignChange =>
  handling('readTransactions', (request) =>
    request.query.get('bookingStatus') === asked ? withQuery(request, 'bookingStatus', meant) : request,
  );

/** An account that the PSU has not granted is answered for as if it were the first that it has. */
export const answeringForAny = (
  operation: BankOperation,
  isThere: boolean,
  isAsked: (request: BankRequest) => boolean = () => true,
): DesignChange =>
  mistaking(operation, (request, state) => {
    if (!isAsked(request)) return request;
    const { accountId = '' } = request.params;
    const granted = consentedAccounts(request, state);
    const isMistaken =
      granted.every(({ id }) => id !== accountId) &&
      (state.customers.account(accountId) !== undefined) === isThere;
    const [first] = granted;
    return isMistaken && first !== undefined ? withParam(request, 'accountId', first.id) : request;
  });

/** An account whose id begins like that of a granted one is taken for it. */
const answeringForBeginning = (operation: BankOperation): DesignChange =>
  mistaking(operation, (request, state) => {
    const { accountId = '' } = request.params;
    const meant = consentedAccounts(request, state).find(
      ({ id }) => id.slice(0, 8) === accountId.slice(0, 8),
    );
    return meant === undefined ? request : withParam(request, 'accountId', meant.id);
  });

/** Accounts that the PSU had granted before stay readable for some requests. */
export const keepingRevoked = (operation: BankOperation): DesignChange =>
  mistaking(operation, (request, state) => {
    const granted = consentedAccounts(request, state);
    const { accountId = '' } = request.params;
    const isOwn =
      state.customers.account(accountId)?.customerNumber ===
      state.customers.account(granted[0]?.id ?? '')?.customerNumber;
    return isOwn && granted[0] !== undefined ? withParam(request, 'accountId', granted[0].id) : request;
  });

/** What was read of an account once is shown again, whatever the PSU has revoked since. */
const keepingOnceRead = (operation: BankOperation): DesignChange => {
  const read = new WeakMap<object, Set<string>>();
  return mistaking(operation, (request, state) => {
    const known = read.get(state.consents) ?? new Set();
    read.set(state.consents, known);
    const { accountId = '' } = request.params;
    const key = `${request.header('psu-id')} ${accountId}`;
    const [first, ...others] = consentedAccounts(request, state);
    if ([first, ...others].some((account) => account?.id === accountId)) known.add(key);
    else if (known.has(key) && first !== undefined) return withParam(request, 'accountId', first.id);
    return request;
  });
};

const readings = [
  { what: 'balances', operation: 'readBalances' },
  { what: 'transactions', operation: 'readTransactions' },
] as const;

// biome-ignore format: a table
export const accountLimitDeviations: readonly Deviation[] = [
  ...rows(
    ['ACC-10/five-calls', 'lets balances be read five times a day without the PSU', oneMoreCall('balances')],
    ['ACC-11/five-calls', 'lets transactions be read five times a day without the PSU', oneMoreCall('transactions')],
    ['ACC-11/five-calls-or-pages', 'lets transactions be read five times a day without the PSU, pages counted',
      allOf(oneMoreCall('transactions'), countingPages)],
  ),
  ...([
    ['locked', 'refuses the PSU as well once the calls without the PSU are used up', lockingAtLimit],
    [
      'per-session',
      'counts the calls without the PSU anew for every TPP-Session-ID',
      (id: string) => countingBy(id, (request) => request.header('tpp-session-id')),
    ],
    ['anew-with-the-psu', 'counts the calls without the PSU anew once the PSU was present', (id: string) => countingBy(id, attendances())],
  ] as const).flatMap(([way, title, changeOf]) =>
    (['ACC-10', 'ACC-11'] as const).map((id) => deviation(`${id}/${way}`, title, changeOf(id)))),
  ...rows(
    ['ACC-11/per-query', 'counts the calls without the PSU anew for every query', countingBy('ACC-11', ({ query }) => query)],
    ['ACC-12/shows-all', 'shows old transactions without the PSU', asIfPresent()],
    ['ACC-12/four-months', 'refuses transactions of more than 120 days without the PSU, and shows younger ones',
      refusing('ACC-12', ['readTransactions'], (request, { clock }) =>
        request.header('psu-ip-address') === undefined && Date.parse(request.query.get('dateFrom') ?? '') < clock.now().getTime() - 120 * dayMs),
      asIfPresent()],
  ),
  ...(['limit', 'offset', 'dateFrom', 'dateTo'] as const).map((name) =>
    deviation(`ACC-22/${name}-ignored`, `takes ${name} and gives the transactions that there are without it`,
      handling('readTransactions', (request) => withoutQuery(request, name)))),
  ...(['dateFrom', 'dateTo'] as const).map((name) =>
    ({
      ...deviation(
        `ACC-22/${name}-left-out`,
        `leaves out the transactions of the day ${name}`,
        handling('readTransactions', (request) => {
          const day = Date.parse(request.query.get(name) ?? '') + (name === 'dateFrom' ? 1 : -1) * dayMs;
          return Number.isNaN(day) ? request : withQuery(request, name, isoDate(new Date(day)));
        }),
      ),
      isAdvisedAgainst: true as const,
    })),
  deviation('ACC-22/one-more', 'shows one transaction more on a page than limit says',
    handling('readTransactions', (request) =>
      request.query.has('limit') ? withQuery(request, 'limit', String(Number(request.query.get('limit')) + 1)) : request)),
  deviation('ACC-22/offset-one-less', 'begins one transaction earlier than offset says',
    handling('readTransactions', (request) => {
      const offset = Number(request.query.get('offset') ?? 0);
      return offset > 0 ? withQuery(request, 'offset', String(offset - 1)) : request;
    })),
  ...(['bookingDate', 'valueDate'] as const).map((member) =>
    deviation(`TRN-10/${member}`, `writes ${member} of transactions as DD.MM.YYYY`, telling('readTransactions', member, byDots))),
  ...rows(
    ['TRN-10/seconds', 'writes lastChangeDateTime of balances in seconds since 1970',
      telling('readBalances', 'lastChangeDateTime', (value) => Math.floor(Date.parse(String(value)) / 1000))],
    ['ACC-17/one-for-all', 'gives all booked transactions the same transactionId', telling('readTransactions', 'transactionId', () => 'T1')],
    ['ACC-17/none', 'lists transactions without a transactionId', telling('readTransactions', 'transactionId', () => undefined)],
    ['ACC-17/made-up', 'makes up the transactionId of booked transactions for each answer', telling('readTransactions', 'transactionId', () => randomUUID())],
  ),
  ...(['bookingStatus', 'dateFrom', 'dateTo'] as const).map((parameter) =>
    deviation(`ACC-17/by-${parameter}`, `makes the transactionId of booked transactions of ${parameter} as well`,
      telling('readTransactions', 'transactionId', (value, { query }) => `${String(value)}-${query.get(parameter)}`))),
  deviation('ACC-17/by-session', 'makes the transactionId of booked transactions anew for each session',
    telling('readTransactions', 'transactionId', (value, request) => `${String(value)}-${request.header('tpp-session-id')}`)),
  deviation('ACC-17/by-place', 'numbers booked transactions by their place on the page',
    withAnswers(['readTransactions'], (answer) => {
      let place = 0;
      return {
        ...answer,
        body: JSON.parse(JSON.stringify(answer.body ?? null), (name, value: unknown) => {
          if (name !== 'transactionId') return value;
          place += 1;
          return `T${place}`;
        }),
      };
    })),
  deviation(
    'SCA-09/all-or-nothing',
    'revokes every consent when the PSU deselects an account',
    // Consent there is, and it is to nothing.
    granting((ticked, before) =>
      [...(before ?? [])].every((id) => ticked.includes(id)) ? ticked : ['none'],
    ),
  ),
  ...rows(
    ['ACC-21/pending-with-booked', 'shows booked transactions as well', readAs('pending', 'both')],
    ['ACC-21/both-pending', 'shows pending transactions only for both', readAs('both', 'pending')],
    ['ACC-21/all-pending', 'shows pending transactions only for all', readAs('all', 'pending')],
  ),
  ...readings.flatMap(({ what, operation }) =>
    [
      ...rows(
        [`ACC-19/${what}`, `shows ${what} for an account that nobody has`, answeringForAny(operation, false)],
        [`ACC-19/${what}-by-its-beginning`, `compares the beginning of an id only where it shows ${what}`, answeringForBeginning(operation)],
        [`SCA-09/${what}-kept`, `goes on showing ${what} of an account that the PSU has deselected`, keepingRevoked(operation)],
        [`SCA-09/${what}-kept-once-read`, `goes on showing ${what} of a deselected account that were read before`, keepingOnceRead(operation)],
        [`ACC-20/${what}`, `shows ${what} for an account of another PSU`, answeringForAny(operation, true)],
      ),
      ...([false, true] as const).map((isThere) =>
        deviation(`${isThere ? 'ACC-20' : 'ACC-19'}/${what}-to-companies`, `shows companies ${what} for an account ${isThere ? 'of another PSU' : 'that nobody has'}`,
          answeringForAny(operation, isThere, isOfACompany))),
    ]),
];
