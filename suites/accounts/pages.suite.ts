import { isDeepStrictEqual } from 'node:util';
import { demandsPeriod } from '../../src/checks/asked-period.ts';
import { type Check, check, section, suite } from '../../src/checks/check.ts';
import { asControl, type CheckContext } from '../../src/checks/context.ts';
import { describeAnswer, mustSucceed, refused } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, NotApplicable, NotOffered } from '../../src/checks/outcomes.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import { limits } from '../../src/spec/limits.ts';
import type { Level } from '../../src/spec/requirement.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { suffixes } from '../id-suffixes.ts';
import { accountIdsIn, withReadyReader } from '../sca/readers.ts';
import { callAgainAfterSca, mustBeOffered } from '../sca/walks.ts';
import {
  askedForOtherwise,
  daysBetween,
  farBehind,
  few,
  idsOf,
  mustBeNeighbours,
  mustBePendingOnes,
  mustBePendingOnesOfAnyDay,
  type Read,
  type ReadBooked,
} from './chosen-transactions.ts';
import {
  accountIn,
  mustBeOfTheInterface,
  mustCarrySize,
  nextAddressIn,
  pageAddressesIn,
  queryOf,
} from './page-links.ts';
import {
  bookingDayOf,
  busyAccountOf,
  type Days,
  idOf,
  innerDaysOf,
  mustBeOfDays,
  transactionsIn,
  withAnotherId,
  withoutId,
} from './transaction-lists.ts';

const size = limits.transactionPageSize;

interface ReadAccount {
  readonly accountId: string;
  readonly others: readonly string[];
}

/** A check on what the listing of an account with many transactions holds. */
const ofBusyAccount = (
  definition: Pick<Check, 'id' | 'requirement' | 'title' | 'expected'> & {
    readonly others?: readonly string[];
    readonly step: string;
    readonly levelUnder?: (readings: Readings) => Level | undefined;
  },
  judge: (context: CheckContext, read: Read, account: ReadAccount) => Promise<void>,
): Check => {
  const { step, ...rest } = definition;
  return check({
    ...rest,
    needs: ['many-transactions', 'aisp-role'],
    steps: ['Ask for the accounts of a PSU who has passed SCA.', step],
    run: (context) =>
      withReadyReader(context, async (reader) => {
        const busy = busyAccountOf(context, reader);
        const read: Read = async (query, purpose, accountId = busy.accountId) => {
          const call = { operation: 'readTransactions', params: { accountId }, query } as const;
          const answer = await callAgainAfterSca(context, reader, call, purpose);
          if (accountId === busy.accountId) mustBeOffered(answer, 'GET /v1/accounts/{id}/transactions');
          context.evidence = [answer.exchange];
          return answer;
        };
        const others = accountIdsIn(reader.listing.json).filter((id) => id !== busy.accountId);
        await judge(context, read, { ...busy, others });
      }),
  });
};

/** With bookingStatus, where that is demanded, as the only parameter (freedom accounts/parameters). */
async function firstPage(context: CheckContext, read: Read): Promise<Answer> {
  const bare = await read({}, 'transactions without parameters');
  if (bare.isSuccess) return bare;
  const both = mustSucceed(await read({ bookingStatus: 'both' }, 'transactions'), 'reading transactions');
  if (refused().met(bare, context.readings)) return both;
  // Only without parameters does the bank break down: that is more than trouble of the moment when it happens again.
  const again = await read({}, 'transactions without parameters once more');
  if (!bare.isBrokenDown || !again.isBrokenDown) return mustSucceed(again, 'reading transactions');
  throw new ExpectationFailed('transactions without parameters, or a refusal (4xx)', describeAnswer(again));
}

/** Reads booked transactions, which has to succeed; on an account that may have pending ones as well. */
const bookedBy =
  (read: Read): ReadBooked =>
  async (query, what) => {
    const answer = await read({ bookingStatus: 'both', ...query }, what);
    return transactionsIn(mustSucceed(answer, `reading transactions, ${what}`)).booked;
  };

/** Transactions that look alike need not be the same ones: their ids tell, or a link next that leads to itself. */
function isSamePage(one: Answer, other: Answer): boolean {
  const [booked, again] = [one, other].map((page) => transactionsIn(page).booked);
  if (!isDeepStrictEqual(booked, again)) return false;
  return (
    booked?.some((transaction) => idOf(transaction) !== undefined) === true ||
    nextAddressIn(one) === nextAddressIn(other)
  );
}

/** Nothing of a page is on the next one again, and nothing between them is on neither. */
async function mustGoOn(context: CheckContext, read: Read, pages: readonly [Answer, Answer]): Promise<void> {
  const [before, behind] = pages.map((page) => transactionsIn(page).booked) as [unknown[], unknown[]];
  const listed = new Map(before.map((transaction) => [idOf(transaction), transaction]));
  // Ids that are not those of one transaction each tell nothing.
  if (listed.has(undefined) || listed.size < before.length) return;
  const again = behind.find((transaction) => isDeepStrictEqual(listed.get(idOf(transaction)), transaction));
  const [skipped] = again === undefined ? await idsByOffset(context, read, before.length) : [];
  const isLost = skipped !== undefined && !listed.has(skipped) && !idsOf(behind).includes(skipped);
  if (again === undefined && !isLost) return;
  const [first, next] = pages;
  const evidence = [asControl(first.exchange), next.exchange, ...(isLost ? context.evidence : [])];
  // What was booked in between moves the others on.
  if (!isDeepStrictEqual(transactionsIn(await firstPage(context, read)).booked, before)) return;
  context.evidence = evidence;
  throw new ExpectationFailed(
    'the transactions behind those of the first page at the link next',
    isLost ? `${skipped} left out` : `${idOf(again)} once more`,
  );
}

/** The id of the transaction behind so many, where offset says so. */
async function idsByOffset(context: CheckContext, read: Read, offset: number): Promise<readonly string[]> {
  if (context.readings.transactionFilters !== 'booked-ones') return [];
  const query = { bookingStatus: 'both', limit: '1', offset: String(offset) };
  const answer = await read(query, 'the transaction behind the first page');
  return answer.isSuccess ? idsOf(transactionsIn(answer).booked) : [];
}

/** Where no pending transaction is shown there is none: what both shows then, before and after, tells. */
async function mustHaveNone(
  context: CheckContext,
  read: Read,
  bookingStatus: 'pending' | 'all',
): Promise<void> {
  const pendingOf = async (asked: string): Promise<readonly unknown[]> => {
    const answer = await read({ bookingStatus: asked }, `pending ones, with ${asked}`);
    return answer.isSuccess ? transactionsIn(answer).pending : [];
  };
  for (const asked of ['both', bookingStatus, 'both'])
    if ((await pendingOf(asked)).length > 0 !== (asked === 'both')) return;
  const [first, asked, last] = context.exchanges.slice(-3);
  context.evidence = [first && asControl(first), asked, last].filter((exchange) => exchange !== undefined);
  throw new ExpectationFailed(
    `the pending transactions that bookingStatus both shows, with ${bookingStatus}`,
    'none',
  ).breaking('ACC-03');
}

export default suite('Pages of transactions', section('Limits'), () => [
  ofBusyAccount(
    {
      id: 'ACC-14',
      requirement: 'ACC-14',
      title: 'without parameters a page holds 200 transactions',
      step: 'Read the transactions of the account that the target file names, without parameters.',
      expected: `${size} booked transactions`,
    },
    async (context, read) => {
      const first = await firstPage(context, read);
      const { booked, pending } = transactionsIn(first);
      if (booked.length < size && demandsPeriod(context.run) && nextAddressIn(first) === undefined)
        throw new NotApplicable(
          `The bank wants a period of who reads transactions, and shows ${booked.length} of half a year: ${size + 1} would tell.`,
        );
      // Pending ones may count as well: that no limit holds for them is said of production (Limits).
      if (booked.length !== size && booked.length + pending.length !== size)
        throw new ExpectationFailed(`${size} booked transactions on a page`, String(booked.length));
    },
  ),
  ofBusyAccount(
    {
      id: 'ACC-14-links',
      requirement: 'ACC-14',
      title: 'the links between pages of transactions carry 200 explicitly',
      step: 'Read the transactions of the account that the target file names, without parameters, and look for links to other pages; do so on the next page as well, which must be another one.',
      expected: `links to other pages under /v1 whose query has the value ${size}`,
    },
    async (context, read, { accountId, others }) => {
      const first = await firstPage(context, read);
      const addresses = pageAddressesIn(first);
      if (addresses.length === 0) throw new ExpectationFailed('links to other pages of transactions', 'none');
      mustCarrySize(addresses);
      mustBeOfTheInterface(addresses);
      const named = nextAddressIn(first);
      const address = named ?? addresses.find((one) => queryOf(one).offset !== '0') ?? '';
      // A link may name the account in another way than the listing does.
      const linked = accountIn(address) ?? accountId;
      const next = await read(queryOf(address), 'the next page', linked);
      const leadsNowhere = linked !== accountId && refused().met(next, context.readings);
      if (leadsNowhere || others.includes(linked))
        throw new ExpectationFailed('a link to another page of the same account', address);
      if (!next.isSuccess) return;
      mustCarrySize(pageAddressesIn(next));
      if (named !== undefined && isSamePage(first, next))
        throw new ExpectationFailed('another page of transactions at the link next', 'the same page again');
    },
  ),
  ofBusyAccount(
    {
      id: 'ACC-14-next',
      requirement: 'ACC-14',
      title: 'the next page of transactions goes on where the first ends',
      step: 'Read the transactions of the account that the target file names, without parameters, and the page at the link next. It repeats no transaction of the first, and skips none: the one behind the first page, asked for by offset, is on it. What was booked in between counts for nothing.',
      expected: 'the transactions behind those of the first page',
      // The specification says how long pages are, and not what is on them.
      levelUnder: () => 'advisory',
    },
    async (context, read) => {
      const first = await firstPage(context, read);
      const address = nextAddressIn(first);
      if (address === undefined) throw new NotOffered('No link is called next.');
      const next = await read(queryOf(address), 'the next page', accountIn(address));
      if (next.isSuccess) await mustGoOn(context, read, [first, next]);
    },
  ),
  ofBusyAccount(
    {
      id: 'ACC-14-days',
      requirement: 'ACC-14',
      title: 'the next page of the transactions of some days holds what is left of them',
      step: 'Read the booked transactions of the account that the target file names: those of some days, then all but one of them with limit, and the page at the link next.',
      expected: 'no transaction of another day, and none of the page before',
      levelUnder: ({ transactionFilters }) => (transactionFilters === 'booked-ones' ? 'advisory' : undefined),
    },
    async (context, read) => {
      const booked = bookedBy(read);
      const days = await someDays(context, booked);
      const { length } = await booked(days, 'those of some days');
      if (length < 2) throw new NotOffered('The account shows too few booked transactions of some days.');
      const asked = { ...days, bookingStatus: 'both', limit: String(length - 1) };
      const limited = await read(asked, 'all but one of them');
      const address = limited.isSuccess ? nextAddressIn(limited) : undefined;
      if (address === undefined)
        throw new NotOffered('No link is called next where some days are asked for.');
      const next = await read(queryOf(address), 'the next page', accountIn(address));
      const left = next.isSuccess ? transactionsIn(next).booked : [];
      mustBeOfDays(left, days);
      const before = idsOf(transactionsIn(limited).booked);
      const again = idsOf(left).find((id) => before.includes(id));
      // What was booked in between moves the others on.
      if (again !== undefined && isDeepStrictEqual(idsOf(await booked(asked, 'all but one again')), before))
        throw new ExpectationFailed('no transaction of the page before', `${again} once more`);
    },
  ),
  ofBusyAccount(
    {
      id: 'ACC-21',
      requirement: 'ACC-21',
      others: ['ACC-03'],
      title: 'bookingStatus pending leaves out booked transactions',
      step: 'Read the transactions of the account that the target file names with bookingStatus both, as control: some are booked. Read them with pending, which shows pending ones where both does, and with pending and days, and a limit. None that is listed as booked is listed as pending, the same in everything.',
      expected: 'no booked transaction',
    },
    async (context, read) => {
      const both = transactionsIn(
        mustSucceed(await read({ bookingStatus: 'both' }, 'control'), 'reading transactions'),
      );
      if (both.booked.length === 0)
        throw new Inconclusive('The account has no booked transactions, so that none can be left out.');
      const asked = await read({ bookingStatus: 'pending' }, 'pending ones');
      const { booked, pending } = transactionsIn(mustSucceed(asked, 'reading pending transactions'));
      mustBePendingOnes(booked, pending, both);
      await mustBePendingOnesOfAnyDay(read, both, context.facts.now);
      if (pending.length === 0 && both.pending.length > 0) await mustHaveNone(context, read, 'pending');
    },
  ),
  ...(['both', 'all'] as const).map((bookingStatus) =>
    ofBusyAccount(
      {
        id: `ACC-21${suffixes[bookingStatus]}`,
        requirement: 'ACC-21',
        others: ['ACC-03'],
        title: `bookingStatus ${bookingStatus} gives booked transactions`,
        step: `Read the transactions of the account that the target file names with bookingStatus ${bookingStatus}${bookingStatus === 'both' ? '' : '; pending ones are among them where both shows any'}.`,
        expected: 'booked transactions',
      },
      async (context, read) => {
        const answer = mustSucceed(await read({ bookingStatus }, bookingStatus), 'reading transactions');
        const { booked, pending } = transactionsIn(answer);
        if (booked.length === 0)
          throw new ExpectationFailed(`booked transactions with bookingStatus ${bookingStatus}`, 'none');
        if (bookingStatus === 'all' && pending.length === 0) await mustHaveNone(context, read, bookingStatus);
      },
    ),
  ),
  ofBusyAccount(
    {
      id: 'ACC-17',
      requirement: 'ACC-17',
      title: 'booked transactions have the same transactionId whenever they are read',
      step: 'Read the transactions of the account that the target file names twice, and some of them once more: behind an offset, with bookingStatus all and from the oldest of their days on, and up to a day before the youngest.',
      expected: 'the same transactionId of each booked transaction that is the same otherwise',
    },
    async (context, read) => {
      const booked = bookedBy(read);
      const [before, after] = [await booked({}, 'for the first time'), await booked({}, 'again')];
      const ids = before.flatMap((transaction) => idOf(transaction) ?? []);
      if (before.length === 0) throw new NotOffered('There is no booked transaction to look at.');
      context.evidence = context.exchanges.slice(-2);
      if (ids.length === 0)
        throw new ExpectationFailed('a transactionId of each booked transaction', 'none of any');
      if (ids.includes(''))
        throw new ExpectationFailed('a transactionId of each booked transaction', 'an empty one');
      if (ids.length > 1 && new Set(ids).size === 1)
        throw new ExpectationFailed(
          'a transactionId of each booked transaction',
          `${ids[0]} for all of them`,
        );
      // What is booked in between, and may be just like another one, moves the others on: their ids are there still.
      const kept = new Set(after.map(idOf));
      const changed = after.findIndex(
        (transaction, place) =>
          withoutId(transaction) === withoutId(before[place]) &&
          !kept.has(idOf(before[place])) &&
          !ids.includes(idOf(transaction) ?? ''),
      );
      if (changed >= 0)
        throw new ExpectationFailed(
          `transactionId ${idOf(before[changed])} of the same booked transaction`,
          idOf(after[changed]) ?? 'none',
        );
      const other = withAnotherId(await askedForOtherwise(read, after), after);
      if (other !== undefined)
        throw new ExpectationFailed(
          'the transactionId that the same booked transaction has in the whole listing',
          `${idOf(other)} with other parameters`,
        );
    },
  ),
  ofBusyAccount(
    {
      id: 'ACC-22',
      requirement: 'ACC-22',
      title: 'dateFrom, dateTo, limit and offset choose among booked transactions',
      step: 'Read the booked transactions of the account that the target file names: all, ten of them, the next ten, one behind the first page and one further on, those of a few days in between, those up to the last of these days, those from the first of them on, those of the first alone, and one of these days, also behind others.',
      expected:
        'at most as many as limit says, others behind an offset and none left out, and those of the days asked for',
      levelUnder: ({ transactionFilters }) => (transactionFilters === 'booked-ones' ? 'must' : undefined),
    },
    async (context, read) => {
      const booked = bookedBy(read);
      const all = await booked({}, 'as control');
      if (all.length <= few)
        throw new Inconclusive(`The account has no more than ${few} booked transactions.`);
      await mustBeNeighbours(booked, all);
      await farBehind(read);
      await daysBetween(all, booked, read, context.facts.now);
    },
  ),
  ofBusyAccount(
    {
      id: 'ACC-22-days',
      requirement: 'ACC-22',
      title: 'transactions of the days dateFrom and dateTo are among those asked for',
      step: 'Read the booked transactions of the account that the target file names: all, and those from a day that has some to another one.',
      expected: 'transactions of both days',
      // The framework includes both days; the specification says nothing of them.
      levelUnder: ({ transactionFilters }) => (transactionFilters === 'booked-ones' ? 'advisory' : undefined),
    },
    async (context, read) => {
      const booked = bookedBy(read);
      const { dateFrom, dateTo } = await someDays(context, booked);
      const chosen = await booked({ dateFrom, dateTo }, 'those of some days');
      // The others may be on the next page.
      if (chosen.length >= size) return;
      const missing = [dateFrom, dateTo].find((day) => !chosen.some((each) => bookingDayOf(each) === day));
      if (missing !== undefined)
        throw new ExpectationFailed(`transactions of ${missing}, from ${dateFrom} to ${dateTo}`, 'none');
    },
  ),
]);

async function someDays({ facts }: CheckContext, booked: ReadBooked): Promise<Days> {
  const days = innerDaysOf(await booked({}, 'as control'), facts.now);
  if (days === undefined) throw new NotOffered('The account shows booked transactions of too few days.');
  return days;
}
