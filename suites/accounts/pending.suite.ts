import { check, section, suite } from '../../src/checks/check.ts';
import { mustSucceed, refused } from '../../src/checks/expectation.ts';
import { ExpectationFailed, LeftOpen } from '../../src/checks/outcomes.ts';
import { accountIdsIn, unnumberedIn, withReadyReader } from '../sca/readers.ts';
import { callAgainAfterSca, mustBeOffered } from '../sca/walks.ts';
import { dateBefore } from './old-transactions.ts';
import { type Query, transactionsIn } from './transaction-lists.ts';

const mostAccounts = 3;

/** So many pending ones at least tell whether a limit of one holds for them. */
const enough = 2;

/** Undefined where the bank refuses such a query. */
type CountPending = (accountId: string, query: Query, purpose: string) => Promise<number | undefined>;

/** The account with the most pending transactions among the first ones. */
async function accountWithPendingOnes(accountIds: readonly string[], count: CountPending) {
  let most = { accountId: '', pending: 0 };
  for (const accountId of accountIds.slice(0, mostAccounts)) {
    const pending = (await count(accountId, { bookingStatus: 'both' }, 'both kinds of transactions')) ?? 0;
    if (pending > most.pending) most = { accountId, pending };
    if (pending >= enough) break;
  }
  return most;
}

export default suite('Pending transactions', section('Limits'), () => [
  check({
    id: 'ACC-15',
    requirement: 'ACC-15',
    title: 'pending transactions are returned whole, whatever dateFrom, dateTo and limit say',
    needs: ['production', 'aisp-role'],
    steps: [
      'Read the transactions of up to three accounts with bookingStatus both, until there are some that are pending.',
      'Read those of that account with bookingStatus both, and with pending, of ten days two months ago and with limit=1.',
      'Where fewer are pending then, read them as at first: as many as before are.',
    ],
    expected: 'as many pending transactions as without dateFrom, dateTo and limit',
    run: (context) =>
      withReadyReader(context, async (reader) => {
        const count: CountPending = async (accountId, query, purpose) => {
          const call = { operation: 'readTransactions', params: { accountId }, query } as const;
          const answer = await callAgainAfterSca(context, reader, call, purpose);
          mustBeOffered(answer, 'GET /v1/accounts/{id}/transactions');
          // Which parameters go together is not shown; that each of them is taken is for other checks to say.
          if (refused().met(answer, context.readings)) return undefined;
          return transactionsIn(mustSucceed(answer, `reading transactions, ${purpose}`)).pending.length;
        };
        const { json } = reader.listing;
        // Card accounts are exempt, and a bank may list them among the others, without a number.
        const cards = accountIdsIn(unnumberedIn(json));
        const accountIds = accountIdsIn(json).filter((id) => !cards.includes(id));
        const { accountId, pending } = await accountWithPendingOnes(accountIds, count);
        if (pending === 0)
          throw new LeftOpen('None of the accounts that were read has pending transactions at present.');
        const { now } = context.facts;
        const filters = { dateFrom: dateBefore(now, 60), dateTo: dateBefore(now, 50), limit: '1' };
        for (const bookingStatus of ['both', 'pending']) {
          const query = { bookingStatus, ...filters };
          const filtered = await count(accountId, query, `filtered, with ${bookingStatus}`);
          if (filtered === undefined || filtered >= pending) continue;
          const evidence = context.exchanges.slice(-1);
          // They come and go: what is as it was before the filter came was so in between.
          const still = await count(accountId, { bookingStatus: 'both' }, 'both kinds once more');
          if (still === undefined || still < pending) continue;
          context.evidence = [...evidence, ...context.exchanges.slice(-1)];
          throw new ExpectationFailed(
            `${pending} pending transactions with bookingStatus ${bookingStatus}, dateFrom, dateTo and limit`,
            String(filtered),
          );
        }
      }),
  }),
]);
