import { isDeepStrictEqual } from 'node:util';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import { limits } from '../../src/spec/limits.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { nextAddressIn } from './page-links.ts';
import {
  bookingDayOf,
  idOf,
  innerDaysOf,
  isWellWithin,
  mustBeOfDays,
  transactionsIn,
} from './transaction-lists.ts';

const size = limits.transactionPageSize;

export type Read = (
  query: Readonly<Record<string, string>>,
  purpose: string,
  /** As a link names it; as the listing does without it. */
  accountId?: string,
) => Promise<Answer>;

export type ReadBooked = (
  query: Readonly<Record<string, string>>,
  what: string,
) => Promise<readonly unknown[]>;

/** Where they have ids, these are unique; two transactions may be alike in all else. */
export const idsOf = (transactions: readonly unknown[]): readonly string[] =>
  transactions.flatMap((transaction) => idOf(transaction) || []);

/**
 * No booked transactions, where pending ones were asked for. What is booked is pending no more: a bank may go on showing what
 * was reserved for it, under the same id perhaps, but not with all else alike.
 */
export function mustBePendingOnes(
  booked: readonly unknown[],
  pending: readonly unknown[],
  both: { readonly booked: readonly unknown[]; readonly pending: readonly unknown[] },
): void {
  if (booked.length > 0)
    throw new ExpectationFailed('no booked transaction with bookingStatus pending', String(booked.length));
  const known = new Set(both.booked.map((transaction) => JSON.stringify(transaction)));
  const again = [...both.pending, ...pending].find(
    (transaction) => idOf(transaction) && known.has(JSON.stringify(transaction)),
  );
  if (again !== undefined)
    throw new ExpectationFailed(
      'no booked transaction among the pending ones',
      `transaction ${idOf(again)}, which is listed as booked as well`,
    );
}

/** Whatever else chooses among them (freedom accounts/parameters). */
export async function mustBePendingOnesOfAnyDay(
  read: Read,
  both: Parameters<typeof mustBePendingOnes>[2],
  now: Date,
): Promise<void> {
  for (const chosen of [innerDaysOf(both.booked, now), { limit: '10' }]) {
    if (chosen === undefined) continue;
    const answer = await read({ bookingStatus: 'pending', ...chosen }, 'some of the pending ones');
    const { booked, pending } = answer.isSuccess ? transactionsIn(answer) : { booked: [], pending: [] };
    mustBePendingOnes(booked, pending, both);
  }
}

/** Fewer than a page holds, and no fewer than the shortest page of most banks. */
export const few = 10;

/** So often are neighbours read where each time something is booked in between. */
const mostReadings = 3;

/**
 * What stands between two stretches in the whole listing, and in neither. Pages that offset counts lie further apart, and
 * what offset counts is not said.
 */
function leftOutBetween(
  all: readonly string[],
  first: readonly string[],
  next: readonly string[],
): string | undefined {
  if (new Set(all).size < all.length || !isDeepStrictEqual(all.slice(0, few), first)) return undefined;
  const start = all.indexOf(next[0] ?? '');
  if (start < few || start >= 2 * few) return undefined;
  return all.slice(few, start).find((id) => !next.includes(id));
}

/**
 * The first ones and those behind them, which the first are not among; none of the whole listing is between them. What is
 * booked in between moves the others on: then both are read again.
 */
export async function mustBeNeighbours(booked: ReadBooked, all: readonly unknown[]): Promise<void> {
  const limit = String(few);
  for (let reading = 1; ; reading += 1) {
    const first = await booked({ limit }, `${few} of them`);
    if (first.length > few)
      throw new ExpectationFailed(
        `at most ${few} booked transactions with limit=${few}`,
        String(first.length),
      );
    const next = await booked({ limit, offset: limit }, `the next ${few}`);
    const again = idsOf(next).find((id) => idsOf(first).includes(id));
    const isSame = next.length > 0 && JSON.stringify(next[0]) === JSON.stringify(first[0]);
    if (next.length > few)
      throw new ExpectationFailed(
        `at most ${few} booked transactions with limit=${few} and offset=${few}`,
        String(next.length),
      );
    const leftOut = leftOutBetween(idsOf(all), idsOf(first), idsOf(next));
    if (again === undefined && !isSame && leftOut === undefined) return;
    const isAsBefore = isDeepStrictEqual(await booked({ limit }, 'the first ones once more'), first);
    if (isAsBefore && leftOut !== undefined)
      throw new ExpectationFailed(
        `the transactions behind the first ${few} with offset=${few}`,
        `${leftOut} left out`,
      );
    if (isAsBefore)
      throw new ExpectationFailed(
        `others with offset=${few} than without it`,
        isSame ? 'the same transactions' : `transaction ${again} once more`,
      );
    if (reading === mostReadings)
      throw new Inconclusive(
        'Each time that two pages of transactions were read something was booked in between, so that they cannot be compared.',
      );
  }
}

/** An offset counts behind the first page as well as on it. */
export async function farBehind(read: Read): Promise<void> {
  const one = async (offset: number): Promise<string | undefined> => {
    const query = { bookingStatus: 'both', limit: '1', offset: String(offset) };
    const answer = await read(query, `the one behind ${offset} others`);
    return answer.isSuccess ? idsOf(transactionsIn(answer).booked)[0] : undefined;
  };
  const [near, far] = [await one(size), await one(size + few)];
  if (near !== undefined && near === far)
    throw new ExpectationFailed(
      `another booked transaction with offset=${size + few} than with offset=${size}`,
      `${near} with both`,
    );
}

/** Whether offset counts from nought or one, and transactions or pages, is not said: with this one it is another transaction. */
const farEnough = 2;

/** The first transaction of the older ones, and one behind it: an offset does not forget the days, nor the days an offset. */
async function behindSomeOfDays(
  chosen: readonly unknown[],
  taken: (query: Readonly<Record<string, string>>, what: string) => Promise<readonly unknown[]>,
): Promise<void> {
  const days = [...new Set(chosen.flatMap((transaction) => bookingDayOf(transaction) ?? []))].toSorted();
  const [dateFrom, dateTo] = [days[0], days[Math.floor(days.length / 2)]];
  if (dateFrom === undefined || dateTo === undefined) return;
  const asked = { bookingStatus: 'both', dateFrom, dateTo, limit: '1' };
  const offset = String(farEnough);
  const firstId = async (what: string): Promise<string | undefined> => idsOf(await taken(asked, what))[0];
  const first = await firstId('the first of the older ones');
  const behind = await taken({ ...asked, offset }, `one behind ${offset} of the older ones`);
  mustBeOfDays(behind, { dateFrom, dateTo });
  // What was booked in between moves the others on.
  const isFirst = first !== undefined && idsOf(behind).includes(first);
  if (isFirst && (await firstId('the first of them once more')) === first)
    throw new ExpectationFailed(
      `another booked transaction from ${dateFrom} to ${dateTo} with offset=${offset} than without it`,
      `${first} with both`,
    );
}

/** Behind every day that a transaction is booked on. */
const lastDay = '9999-12-31';

/**
 * Days that some transactions are from, and others before and after them are not; which they are, the dates tell. What goes
 * together is not shown, so that a refusal of fewer or more parameters says nothing.
 */
export async function daysBetween(
  all: readonly unknown[],
  booked: ReadBooked,
  read: Read,
  now: Date,
): Promise<void> {
  const days = innerDaysOf(all, now);
  if (days === undefined) return;
  const chosen = await booked(days, 'those of some days');
  mustBeOfDays(chosen, days);
  if (chosen.length === 0 && all.some((transaction) => isWellWithin(transaction, days)))
    throw new ExpectationFailed(`booked transactions from ${days.dateFrom} to ${days.dateTo}`, 'none');
  const taken = async (
    query: Readonly<Record<string, string>>,
    what: string,
  ): Promise<readonly unknown[]> => {
    const answer = await read(query, what);
    return answer.isSuccess ? transactionsIn(answer).booked : [];
  };
  const { dateFrom, dateTo } = days;
  mustBeOfDays(await taken({ bookingStatus: 'both', dateTo }, 'those up to a day'), { dateFrom: '', dateTo });
  mustBeOfDays(await taken({ bookingStatus: 'both', dateFrom }, 'those from a day on'), {
    dateFrom,
    dateTo: lastDay,
  });
  const oneDay = { dateFrom, dateTo: dateFrom };
  mustBeOfDays(await taken({ bookingStatus: 'both', ...oneDay }, 'those of one day'), oneDay);
  await behindSomeOfDays(chosen, taken);
  const answer = await read({ bookingStatus: 'all', ...days, limit: '1' }, 'one of them');
  const { booked: one, pending } = answer.isSuccess ? transactionsIn(answer) : { booked: [], pending: [] };
  if (one.length > 1)
    throw new ExpectationFailed(
      'at most one booked transaction of some days with limit=1',
      String(one.length),
    );
  mustBeOfDays(one, days);
  // Where pending ones count for the limit, one of them may be all that it lets through; and a page may go on at a link.
  const isAll = pending.length !== 1 && nextAddressIn(answer) === undefined;
  if (answer.isSuccess && isAll && one.length === 0 && chosen.length > 0)
    throw new ExpectationFailed(
      `a booked transaction from ${dateFrom} to ${dateTo} with limit=1`,
      `none, of the ${chosen.length} without limit`,
    );
}

/** Some of what is listed, by a request that differs in every parameter; in as few as the bank takes. */
export async function askedForOtherwise(read: Read, listed: readonly unknown[]): Promise<readonly unknown[]> {
  const days = [...new Set(listed.flatMap((transaction) => bookingDayOf(transaction) ?? []))].toSorted();
  const [dateFrom] = days;
  const taken = async (query: Parameters<Read>[0], what: string): Promise<readonly unknown[]> => {
    const some = await read(query, what);
    return some.isSuccess ? transactionsIn(some).booked : [];
  };
  const behind = { limit: '10', offset: '10' };
  const all = { bookingStatus: 'all', ...behind, ...(dateFrom === undefined ? {} : { dateFrom }) };
  // Without the youngest, those behind them are the first ones.
  const dateTo = days.at(-2);
  const older = dateTo === undefined ? [] : await taken({ bookingStatus: 'both', dateTo }, 'up to a day');
  const answer = await read(all, 'with other parameters');
  return answer.isSuccess
    ? [...transactionsIn(answer).booked, ...older]
    : [...(await taken({ bookingStatus: 'both', ...behind }, 'behind an offset')), ...older];
}
