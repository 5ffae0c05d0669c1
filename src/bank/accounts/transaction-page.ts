import type { BankRequest } from '../route.ts';
import type { PsuState } from '../sca/psu-state.ts';
import { type Links, readable } from './links.ts';
import type { TransactionQuery } from './transaction-query.ts';

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
