import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed, NotApplicable } from '../../src/checks/outcomes.ts';
import { daysBefore, isoDate } from '../../src/spec/days.ts';
import { groupedBy } from '../../src/spec/grouped-by.ts';
import { isObject } from '../../src/spec/json.ts';
import { limits } from '../../src/spec/limits.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call } from '../../src/tpp/call.ts';
import { accountOf, idOfAccount, type Reader } from '../sca/readers.ts';
import { nextAddressIn, queryOf } from './page-links.ts';

type Bookings = 'booked' | 'pending';

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

/** A transaction of a list of both kinds says which of them it is. */
const statusesOf = (transaction: unknown): readonly string[] =>
  ['status', 'bookingStatus', 'transactionStatus', 'entryStatus']
    .map((name) => memberOf(transaction, name))
    .filter((status) => typeof status === 'string');

const tellsStatus = (transaction: unknown): boolean => statusesOf(transaction).length > 0;

const isPending = (transaction: unknown): boolean =>
  statusesOf(transaction).some((status) => /^(?:pend|pdng|reserv)/i.test(status));

type Listing = Readonly<Record<Bookings, readonly unknown[]>>;

/** The transactions of a listing, whose shape is not shown: as in the framework, without the object around them, or one list. */
export function transactionsIn(answer: Answer): Listing {
  const listing = listingIn(answer);
  if (listing !== undefined) return listing;
  throw new NotApplicable(
    'No transactions were found in the listing, whose shape is not shown: looked for transactions.booked and transactions.pending, or a list of both. Declare what needs them as notOffered in the target file.',
  );
}

/** How many booked transactions a listing is known to have. */
export const bookedIn = (answer: Answer): number => listingIn(answer)?.booked.length ?? 0;

export type Query = Readonly<Record<string, string>>;

/**
 * A page behind the last transaction may be none: whoever asks for one has to know that it is there. And pages may begin at
 * multiples of their length alone.
 */
export function pageWithin(listed: number, { offset, ...query }: Query): Query {
  if (offset === undefined) return query;
  const length = Number(query['limit'] ?? 1);
  const last = Math.max(0, Math.floor((listed - 1) / length) * length);
  return { ...query, offset: String(Math.min(Number(offset), last)) };
}

/** An offset may count pages as well as transactions: which, is said nowhere. With one on each page it is the same. */
export async function readAtOffset(read: (query: Query) => Promise<Answer>, query: Query): Promise<Answer> {
  const answer = await read(query);
  const isFirst = Number(query.offset ?? 0) === 0;
  return isFirst || answer.isSuccess || query.limit === '1' ? answer : read({ ...query, limit: '1' });
}

const listIn = (json: unknown): readonly unknown[] | undefined =>
  [memberOf(json, 'transactions'), json].find(Array.isArray);

/** Whoever leaves out lists without anything in them says no more than whose they are; links may lead to a file of them. */
function leavesOutLists(json: unknown): boolean {
  const transactions = memberOf(json, 'transactions');
  const [place, besides] =
    transactions === undefined ? [json, ['account']] : [transactions, ['account', '_links']];
  return isObject(place) && Object.keys(place).every((name) => besides.includes(name));
}

function listingIn({ json }: Answer): Listing | undefined {
  const found = [memberOf(json, 'transactions'), json].find((place) =>
    (['booked', 'pending'] as const).some((kind) => Array.isArray(memberOf(place, kind))),
  );
  if (found === undefined) {
    const flat = listIn(json) ?? (leavesOutLists(json) ? [] : undefined);
    return flat && { booked: flat.filter((each) => !isPending(each)), pending: flat.filter(isPending) };
  }
  const of = (kind: Bookings): readonly unknown[] => {
    const listed = memberOf(found, kind);
    return Array.isArray(listed) ? listed : [];
  };
  return { booked: of('booked'), pending: of('pending') };
}

/** The pending ones of a listing that tells which these are; undefined where nobody knows. */
function pendingIn(answer: Answer): readonly unknown[] | undefined {
  const listing = answer.isSuccess ? listingIn(answer) : undefined;
  if (listing === undefined) return undefined;
  const isTold = listIn(answer.json)?.every(tellsStatus) ?? true;
  return isTold ? [...listing.pending, ...listing.booked.filter(isPending)] : undefined;
}

/** An account has few pages of pending and booked transactions together; where it has more, nobody reads them all. */
const mostPages = 5;

/** Whether pages of both kinds of transactions, read to the last, have no pending one. */
async function bothShowsNone(read: (query: Query) => Promise<Answer>): Promise<boolean> {
  let query: Query = { bookingStatus: 'both' };
  for (let page = 1; page <= mostPages; page += 1) {
    const answer = await read(query);
    if (pendingIn(answer)?.length !== 0) return false;
    const next = nextAddressIn(answer);
    if (next === undefined) return bookedIn(answer) < limits.transactionPageSize;
    query = { bookingStatus: 'both', ...queryOf(next) };
  }
  return false;
}

/** Fake ones may be of long ago, before any day that a bank shows unless it is asked for. */
const isYoung = (transaction: unknown, now: Date): boolean =>
  Object.entries(Object(transaction)).every(
    ([name, value]) => !/date/i.test(name) || typeof value !== 'string' || value >= firstYoungDay(now),
  );

/**
 * bookingStatus both returns all pending transactions (Limits). Where limit filters them, as it may in a sandbox, they are on
 * a later page; and what was booked in between is pending no more, so that only those tell that are pending before and after.
 */
export async function bothShowsPendingOnes(
  read: (query: Query) => Promise<Answer>,
  now: Date,
): Promise<void> {
  const pendingOnes = async (): Promise<readonly string[]> =>
    (pendingIn(await read({ bookingStatus: 'pending' })) ?? [])
      .filter((transaction) => isYoung(transaction, now))
      .map((transaction) => JSON.stringify(transaction));
  const before = await pendingOnes();
  if (before.length === 0 || !(await bothShowsNone(read))) return;
  const after = await pendingOnes();
  if (after.some((transaction) => before.includes(transaction)))
    throw new ExpectationFailed(
      'the pending transactions with bookingStatus both',
      'none, and some with bookingStatus pending',
    );
}

/** The day of a booking, YYYY-MM-DD, where it is told as in the framework. */
export const bookingDayOf = (transaction: unknown): string | undefined => dayOf(transaction, 'bookingDate');

/** The account that the target file names as one with many transactions, by its id; any other where it names none. */
export function busyAccountOf(context: CheckContext, reader: Reader): { readonly accountId: string } {
  const named = context.target.accounts.manyTransactions;
  if (named === undefined) return accountOf(reader);
  const accountId = idOfAccount(reader.listing.json, named);
  if (accountId !== undefined) return { accountId };
  throw new NotApplicable(
    'GET /v1/accounts does not show the account that the target file names as accounts.manyTransactions: grant it to the TPP, or name it by its id, BBAN or IBAN.',
  );
}

/** As they are asked for in a query. */
export type Days = Readonly<Record<'dateFrom' | 'dateTo', string>>;

/**
 * From the second to the last but one of the days that there are transactions of: there is something before and behind them.
 * Undefined where they are too few for that.
 */
export function innerDaysOf(transactions: readonly unknown[], now: Date): Days | undefined {
  const days = [
    ...new Set(transactions.flatMap((transaction) => bookingDayOf(transaction) ?? [])),
  ].toSorted();
  return innerOf(days.filter((day) => day >= firstYoungDay(now))) ?? innerOf(days);
}

/** Freedom: accounts/old-transactions. */
const youngDays = 88;

const firstYoungDay = (now: Date): string => isoDate(daysBefore(now, youngDays));

function innerOf(days: readonly string[]): Days | undefined {
  const [dateFrom, dateTo] = [days[1], days.at(-2)];
  return dateFrom === undefined || dateTo === undefined || dateFrom > dateTo
    ? undefined
    : { dateFrom, dateTo };
}

/** The days of a transaction as in the framework: which of them dateFrom and dateTo are about is not said. */
const daysOfTransactions = ['bookingDate', 'valueDate', 'transactionDate', 'entryDate'] as const;

const dayOf = (transaction: unknown, name: string): string | undefined => {
  const date = memberOf(transaction, name);
  return typeof date === 'string' && /^\d{4}-\d{2}-\d{2}/.test(date) ? date.slice(0, 10) : undefined;
};

/** Freedom: accounts/days. It is the same of all of them. */
export function mustBeOfDays(transactions: readonly unknown[], { dateFrom, dateTo }: Days): void {
  const isOutside = (day: string): boolean => day < dateFrom || day > dateTo;
  const isChosenBy = (name: string): boolean =>
    transactions.every((transaction) => {
      const day = dayOf(transaction, name);
      return day !== undefined && !isOutside(day);
    });
  const outside = transactions.map(bookingDayOf).find((day) => day !== undefined && isOutside(day));
  if (outside !== undefined && !daysOfTransactions.some(isChosenBy))
    throw new ExpectationFailed(`booked transactions from ${dateFrom} to ${dateTo}`, `one of ${outside}`);
}

/** Whichever of its days a bank chooses by, and whether or not the first and the last of those asked for count. */
export const isWellWithin = (transaction: unknown, { dateFrom, dateTo }: Days): boolean => {
  const days = daysOfTransactions.flatMap((name) => dayOf(transaction, name) ?? []);
  return days.length > 0 && days.every((day) => day > dateFrom && day < dateTo);
};

/**
 * What else shows what an account holds, where a bank has it: the account by itself, and one of its transactions. Nobody is
 * shown it who is not shown the others.
 */
export function detailsOf(accountId: string, listed: Answer | undefined): readonly Call[] {
  const transactionId = (listed === undefined ? [] : shownIn(listed))
    .map(idOf)
    .find((id) => id !== undefined);
  return [
    { operation: 'readAccount', params: { accountId } },
    ...(transactionId === undefined
      ? []
      : [{ operation: 'readTransaction', params: { accountId, transactionId } } as const]),
  ];
}

/** A transaction without its id, to tell whether another is the same. */
export const withoutId = (transaction: unknown): string =>
  JSON.stringify(transaction, (name, value: unknown) => (name === 'transactionId' ? undefined : value));

/** Of which type it is, is not shown. */
export const idOf = (transaction: unknown): string | undefined => {
  const id = memberOf(transaction, 'transactionId');
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
};

/** Transactions by what they are without their ids. A listing may be long, so that each is looked at once. */
type ByRest = ReadonlyMap<string, readonly unknown[]>;

const byRest = (transactions: readonly unknown[]): ByRest => groupedBy(transactions, withoutId);

/** The only one that is the same otherwise; where several are, they may be others. */
function likeOf(rest: string, listed: ByRest): unknown {
  const same = listed.get(rest) ?? [];
  return same.length === 1 ? same[0] : undefined;
}

/** One that is listed with the same properties and another id. */
export function withAnotherId(transactions: readonly unknown[], listed: readonly unknown[]): unknown {
  const known = byRest(listed);
  return transactions.find((transaction) => {
    const like = likeOf(withoutId(transaction), known);
    return like !== undefined && idOf(like) !== idOf(transaction);
  });
}

/**
 * Finds the id of a booked transaction of this answer that another answer to the same request shows under another one; of
 * none that are alike.
 */
export function idsChangedSince(answer: Answer): (later: Answer) => string | undefined {
  const before = byRest(shownIn(answer));
  return (later) => {
    const again = byRest(shownIn(later));
    for (const [rest, [transaction, ...alike]] of before) {
      const [id, like] = [idOf(transaction), likeOf(rest, again)];
      if (alike.length === 0 && id !== undefined && like !== undefined && idOf(like) !== id) return id;
    }
    return undefined;
  };
}

/** None where the listing has a shape of its own. */
export const shownIn = (answer: Answer): readonly unknown[] =>
  answer.isSuccess ? (listingIn(answer)?.booked ?? []) : [];
