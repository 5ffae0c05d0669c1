import type { CheckContext } from '../../src/checks/context.ts';
import { KeptInRun } from '../../src/checks/kept-in-run.ts';
import { listedAccounts, unspaced } from '../../src/checks/listed-accounts.ts';
import { groupedBy } from '../../src/spec/grouped-by.ts';
import { member } from '../../src/spec/json.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { headerValue } from '../../src/tpp/exchange.ts';
import { accountData, accountIdsIn, type Reader, readingOf, someAccountsOf } from '../sca/readers.ts';
import { callAgainAfterSca } from '../sca/walks.ts';

const readInRun = new KeptInRun<'accounts', Promise<void>>();

/** Transactions twice: they have the same ids then. Side by side, because nothing else is under way at the end of a run. */
async function readSomeAccounts(context: CheckContext, reader: Reader): Promise<void> {
  await Promise.all(
    someAccountsOf(reader).flatMap((params) =>
      [...accountData, 'transactions' as const].map((data) =>
        callAgainAfterSca(context, reader, readingOf(data, params), data),
      ),
    ),
  );
}

/** Reads both of some accounts, and takes whatever else of them the run has read. */
export async function balancesAndTransactions(
  context: CheckContext,
  reader: Reader,
): Promise<readonly Answer[]> {
  await readInRun.of(context.run, 'accounts', () => readSomeAccounts(context, reader));
  // The listing may have balances as well, and was asked for before; so may details.
  return (['listAccounts', 'readBalances', 'readTransactions', 'readTransaction'] as const).flatMap(
    (operation) =>
      context.run.observations.kept.flatMap(({ exchange, answer }) =>
        exchange.operation === operation && answer.isSuccess ? [answer] : [],
      ),
  );
}

/** Listings that the same PSU was given at the same address, where there are several. */
export function readingsByAddress({
  run,
}: CheckContext): readonly (readonly [Answer, ...(readonly Answer[])])[] {
  const readings = run.observations.kept
    .filter(({ exchange, answer }) => exchange.operation === 'readTransactions' && answer.isSuccess)
    .map(({ answer }) => answer);
  const addressOf = ({ exchange: { request } }: Answer): string =>
    [request.url, ...['PSU-ID', 'PSU-Corporate-ID'].map((name) => headerValue(request.headers, name))].join(
      ' ',
    );
  return [...groupedBy(readings, addressOf).values()].flatMap(([first, ...others]) =>
    first === undefined || others.length === 0 ? [] : [[first, ...others] as const],
  );
}

const numbersIn = (account: unknown): readonly string[] =>
  ['bban', 'iban'].map((name) => unspaced(member(account, name)) ?? '').filter((number) => number !== '');

/** The number of another account of the listing that balances or transactions say they are of; undefined where they do not. */
export function numberOfAnother({ listing }: Reader, answer: Answer): string | undefined {
  const accounts = listedAccounts(listing.json);
  const { url } = answer.exchange.request;
  const isAsked = (account: unknown): boolean =>
    accountIdsIn([account]).some((id) => url.includes(`/${encodeURIComponent(id)}/`));
  const own = accounts.filter(isAsked).flatMap(numbersIn);
  const others = accounts.filter((account) => !isAsked(account)).flatMap(numbersIn);
  if (own.length === 0) return undefined;
  return numbersIn(member(answer.json, 'account')).find(
    (number) => others.includes(number) && !own.includes(number),
  );
}
