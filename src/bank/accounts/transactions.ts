import { daysBefore, isIsoDate, isoDate } from '../../spec/days.ts';
import { limits } from '../../spec/limits.ts';
import { type BankRequest, type Links, readable, rule } from '../design/route.ts';
import { isAttended } from '../rules/psu-rules.ts';
import type { Account, AccountTransaction } from '../state/customers.ts';
import type { PsuState } from '../state/psu-state.ts';
import { consentedAccount } from './consent-rules.ts';

/** `both` and `all` mean the same here; a release added `all` (Versioning). */
const bookingStatuses = ['booked', 'pending', 'both', 'all'] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

/** What is asked of a listing of transactions. */
interface TransactionQuery {
  readonly bookingStatus: BookingStatus;
  readonly dateFrom: string | undefined;
  readonly dateTo: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export function transactionQuery(request: BankRequest, state: PsuState): TransactionQuery {
  const { query } = request;
  const asked = query.get('bookingStatus');
  return {
    bookingStatus: bookingStatuses.find((status) => status === asked) ?? 'booked',
    dateFrom: earliestReadable(query.get('dateFrom') ?? undefined, request, state),
    dateTo: query.get('dateTo') ?? undefined,
    limit: Number(query.get('limit') ?? limits.transactionPageSize),
    offset: Number(query.get('offset') ?? 0),
  };
}

/** Without the PSU present transactions are at most 90 days old (Limits); older ones are left out. */
function earliestReadable(
  dateFrom: string | undefined,
  request: BankRequest,
  state: PsuState,
): string | undefined {
  if (isAttended(request)) return dateFrom;
  const earliest = isoDate(daysBefore(state.clock.now(), limits.unattendedTransactionDays));
  return dateFrom !== undefined && dateFrom > earliest ? dateFrom : earliest;
}

/** How each parameter is written. */
const forms = {
  bookingStatus: {
    accepts: (value: string) => (bookingStatuses as readonly string[]).includes(value),
    text: `bookingStatus is none of ${bookingStatuses.join(', ')}.`,
  },
  dateFrom: { accepts: isIsoDate, text: 'dateFrom is no date of the form YYYY-MM-DD.' },
  dateTo: { accepts: isIsoDate, text: 'dateTo is no date of the form YYYY-MM-DD.' },
  limit: {
    accepts: (value: string) => /^[1-9]\d{0,3}$/.test(value),
    text: 'limit is no number from 1 to 9999.',
  },
  offset: { accepts: (value: string) => /^\d{1,9}$/.test(value), text: 'offset is no number from 0.' },
} as const;

/** The parameters of a listing are well-formed. The specification names them and does not show their form. */
export const queryIsWellFormed = rule(
  'ACC-04',
  'bookingStatus, dateFrom, dateTo, limit and offset are well-formed',
  'query',
  ({ query }) => {
    for (const [path, { accepts, text }] of Object.entries(forms)) {
      const value = query.get(path);
      if (value !== null && !accepts(value)) return { path, text };
    }
    const [from, to] = [query.get('dateFrom'), query.get('dateTo')];
    return from !== null && to !== null && from > to
      ? { path: 'dateFrom', text: 'dateFrom is after dateTo.' }
      : undefined;
  },
  { also: ['ACC-03'], ownChoice: true },
);

interface Dated {
  readonly bookingStatus: 'booked' | 'pending';
  readonly bookingDate: string;
}

export interface TransactionPage<Transaction> {
  /** Undefined when they were not asked for. */
  readonly booked: readonly Transaction[] | undefined;
  readonly pending: readonly Transaction[] | undefined;
  readonly links: Links;
}

/**
 * One page of booked transactions, newest first, and always all pending ones: dates and limit do not filter those
 * (Limits). Every link to a page carries its limit and offset, also when they were not given.
 */
export function transactionPage<Transaction extends Dated>(
  transactions: readonly Transaction[],
  query: TransactionQuery,
  request: BankRequest,
  state: PsuState,
): TransactionPage<Transaction> {
  const booked = transactions
    .filter(({ bookingStatus }) => bookingStatus === 'booked')
    .filter(({ bookingDate }) => bookingDate >= (query.dateFrom ?? bookingDate))
    .filter(({ bookingDate }) => bookingDate <= (query.dateTo ?? bookingDate))
    .toSorted((a, b) => (a.bookingDate < b.bookingDate ? 1 : a.bookingDate > b.bookingDate ? -1 : 0));
  const pending = transactions.filter(({ bookingStatus }) => bookingStatus === 'pending');
  const wantsBooked = query.bookingStatus !== 'pending';
  return {
    booked: wantsBooked ? booked.slice(query.offset, query.offset + query.limit) : undefined,
    pending: query.bookingStatus === 'booked' ? undefined : pending,
    links: wantsBooked ? pageLinks(booked.length, query, pageAddress(request, state)) : {},
  };
}

function pageLinks(total: number, { limit, offset }: TransactionQuery, to: PageAddress): Links {
  // Pages are counted from the offset that was given, so that going on neither skips nor repeats a transaction.
  const rest = Math.max(0, total - offset);
  const last = rest === 0 ? offset : offset + Math.floor((rest - 1) / limit) * limit;
  return {
    first: readable(to(limit, 0)),
    ...(offset > 0 ? { previous: readable(to(limit, Math.max(0, offset - limit))) } : {}),
    ...(offset + limit < total ? { next: readable(to(limit, offset + limit)) } : {}),
    last: readable(to(limit, last)),
  };
}

type PageAddress = (limit: number, offset: number) => string;

function pageAddress(request: BankRequest, state: PsuState): PageAddress {
  // The target may carry the prefix of the bank, which the base address has as well.
  const path = request.target.replace(/\?.*$/s, '').replace(/^.*?(?=\/v1\/)/, '');
  return (limit, offset) => {
    const query = new URLSearchParams(request.query);
    query.set('limit', String(limit));
    query.set('offset', String(offset));
    return `${state.baseUrl()}${path}?${query}`;
  };
}

/** The transaction that the path names, unless it is too old to be read without the PSU (Limits). */
export function readableTransaction(
  account: Account,
  request: BankRequest,
  state: PsuState,
): AccountTransaction | undefined {
  const { dateFrom } = transactionQuery(request, state);
  return account.transactions.find(
    ({ transactionId, bookingDate }) =>
      transactionId === request.params.transactionId && bookingDate >= (dateFrom ?? bookingDate),
  );
}

export const transactionIsKnown = rule(
  'ACC-12',
  'the account has the transaction, and it may be read',
  'transactionUnknown',
  (request, state) => {
    const account = consentedAccount(request, state);
    return account !== undefined && readableTransaction(account, request, state) === undefined
      ? {
          path: 'transactionId',
          text: 'The account has no such transaction, or it is older than 90 days and the PSU is not present.',
        }
      : undefined;
  },
);
