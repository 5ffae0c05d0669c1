import type { CheckContext } from '../../src/checks/context.ts';
import { listedAccounts } from '../../src/checks/listed-accounts.ts';
import { NotApplicable } from '../../src/checks/outcomes.ts';
import { member } from '../../src/spec/json.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Psu } from '../../src/tpp/call.ts';
import { listedCustomers } from '../sandbox/new-customers.ts';
import { notJudged } from '../sca/not-judged.ts';
import { accountIdsIn } from '../sca/readers.ts';

/** Ids or numbers of accounts, as a sandbox lists them for its customers. */
interface SaidAccounts {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

/** Numbers that count may begin anew for each PSU, and then say nothing of whose account it is. */
const isTelling = (account: unknown): account is string =>
  typeof account === 'string' && account !== '' && !/^\d{1,8}$/.test(account);

const accountsOf = (customer: unknown): readonly unknown[] =>
  ['accounts', 'cardAccounts'].flatMap((name) => member(customer, name) ?? []);

/**
 * What a sandbox says of whose account is whose. Nothing where two of its customers have one of the same name: either it is
 * theirs together, or each counts its own.
 */
export function saidAccountsIn(customers: readonly unknown[], customerNumber: string): SaidAccounts {
  const isOwn = (customer: unknown): boolean => member(customer, 'customerNumber') === customerNumber;
  const own = customers.filter(isOwn).flatMap(accountsOf).filter(isTelling);
  const rest = customers.filter((customer) => !isOwn(customer));
  const theirs = rest.flatMap(accountsOf).filter(isTelling);
  const all = [...own, ...theirs];
  // Whose agreements a person has a part in, and what follows from that, is another matter.
  const alike = rest.filter(
    (one) => member(one, 'customerType') === member(customers.find(isOwn), 'customerType'),
  );
  const others = alike.flatMap(accountsOf).filter(isTelling);
  return own.length === 0 || new Set(all).size < all.length ? { own: [], others: [] } : { own, others };
}

/** Undefined where the bank lists no customers, or nobody knows which of them the PSU is. */
async function saidAccounts(context: CheckContext): Promise<SaidAccounts | undefined> {
  const { nationalId } = context.target.psu;
  const isListed = context.unjudged(['sandbox']) === undefined && context.missing('sandbox') === undefined;
  if (!isListed || nationalId === undefined) return undefined;
  const customers = await listedCustomers(context).catch(notJudged(context, 'Whose the listed accounts are'));
  return customers && saidAccountsIn(customers, nationalId);
}

/** An account that a PSU is shown, and that the sandbox lists for somebody else. */
export async function listedForOthers(
  context: CheckContext,
  listing: Answer,
  psu: Psu,
): Promise<string | undefined> {
  const said = psu.id === context.psu.id ? await saidAccounts(context) : undefined;
  const numbers = listedAccounts(listing.json).flatMap((account) =>
    ['bban', 'iban'].map((name) => member(account, name)),
  );
  const shown = new Set<unknown>([...accountIdsIn(listing.json), ...numbers]);
  // Where none of one's own is among them, the sandbox speaks of accounts in other words.
  if (said === undefined || !said.own.some((account) => shown.has(account)))
    throw new NotApplicable('Add accounts.otherDebtor, of psu.other, to the target file.');
  return said.others.find((account) => shown.has(account));
}
