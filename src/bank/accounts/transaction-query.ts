import { limits } from '../../spec/limits.ts';
import type { BankRequest, Refusal, Rule } from '../route.ts';
import { daysBefore, isIsoDate, isoDate } from '../sandbox/iso-date.ts';
import { isAttended } from '../sca/psu-rules.ts';
import type { PsuState } from '../sca/psu-state.ts';

/** `both` and `all` mean the same here; a release added `all` (Versioning). */
export const bookingStatuses = ['booked', 'pending', 'both', 'all'] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

/** What is asked of a listing of transactions. */
export interface TransactionQuery {
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

const invalid = (path: string, text: string): Refusal => ({ status: 400, code: 'FORMAT_ERROR', path, text });

/** How each parameter is written. */
const forms = {
  bookingStatus: {
    accepts: (value: string) => (bookingStatuses as readonly string[]).includes(value),
    text: `bookingStatus is one of ${bookingStatuses.join(', ')}.`,
  },
  dateFrom: { accepts: isIsoDate, text: 'dateFrom is a date of the form YYYY-MM-DD.' },
  dateTo: { accepts: isIsoDate, text: 'dateTo is a date of the form YYYY-MM-DD.' },
  limit: {
    accepts: (value: string) => /^[1-9]\d{0,3}$/.test(value),
    text: 'limit is a number from 1 to 9999.',
  },
  offset: { accepts: (value: string) => /^\d{1,9}$/.test(value), text: 'offset is a number from 0.' },
} as const;

/** The parameters of a listing are well-formed. The specification names them and does not show their form. */
export const queryIsWellFormed: Rule = {
  requirement: 'ACC-04',
  also: ['ACC-03'],
  ownChoice: true,
  name: 'bookingStatus, dateFrom, dateTo, limit and offset are well-formed',
  refuses: ({ query }) => {
    for (const [name, { accepts, text }] of Object.entries(forms)) {
      const value = query.get(name);
      if (value !== null && !accepts(value)) return invalid(name, text);
    }
    const [from, to] = [query.get('dateFrom'), query.get('dateTo')];
    return from !== null && to !== null && from > to
      ? invalid('dateFrom', 'dateFrom is not after dateTo.')
      : undefined;
  },
};
