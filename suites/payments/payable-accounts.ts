import type { CheckContext } from '../../src/checks/context.ts';
import { mustSucceed } from '../../src/checks/expectation.ts';
import { AnswersInRun } from '../../src/checks/kept-in-run.ts';
import { type ListedDebtor, listedDebtors } from '../../src/checks/listed-accounts.ts';
import { NotApplicable } from '../../src/checks/outcomes.ts';
import { offeredProduct } from '../../src/checks/subject.ts';
import type { DebtorAccount } from '../../src/target/accounts.ts';
import type { Customer } from '../sca/spare-customers.ts';
import type { Login } from '../sca/walks.ts';
import { namedDebtorOf, paymentFrom } from './named-debtors.ts';

/** Which account of a listing payments can be made from, once that was found out in a run. */
const payableOfRuns = new AnswersInRun<string, ListedDebtor>();

/** The account that a customer pays from: one that the target file names as theirs, or one that the bank lists. */
export function debtorOf(
  context: CheckContext,
  login: Pick<Login, 'call' | 'customer'>,
): Promise<Pick<DebtorAccount, 'bban' | 'currency'>> {
  const named = namedDebtorOf(context.target, login.customer?.nationalId);
  return named === undefined ? accountOfCustomer(context, login) : Promise.resolve(named);
}

/** Where the target file names an account of psu.other, that customer is the one of whom most is known. */
export const hasNamedAccount =
  ({ target: { psu, accounts } }: CheckContext) =>
  ({ nationalId }: Pick<Customer, 'nationalId'>): boolean =>
    accounts.otherDebtor === undefined || nationalId === psu.other?.nationalId;

/**
 * An account that the bank lists for a customer, and lets them pay from: it may show accounts without permission to pay
 * from them (PSU identification and SCA). So where it lists several, a payment tells.
 */
async function accountOfCustomer(context: CheckContext, login: Pick<Login, 'call'>): Promise<ListedDebtor> {
  const listing = await login.call({ operation: 'listAccounts' }, {}, 'an account of the customer');
  if (listing.isAbsent)
    throw new NotApplicable(
      `The bank does not offer GET /v1/accounts (${listing.status}), which tells what another customer pays from. ${namesTheirAccount}`,
    );
  mustSucceed(listing, 'asking for accounts of another customer');
  const listed = listedDebtors(listing.json).filter(({ currency }) => currency === 'NOK');
  const [first] = listed;
  if (first === undefined)
    throw new NotApplicable(
      `The bank lists no account in NOK with its bban for another customer to pay from. ${namesTheirAccount}`,
    );
  if (listed.length === 1) return first;
  const key = listed.map(({ bban }) => bban).join(' ');
  return payableOfRuns.of(
    context.run,
    key,
    async () => (await firstPayableOf(context, login, listed)) ?? first,
  );
}

const namesTheirAccount = 'Add accounts.otherDebtor, of psu.other, to the target file.';

/** How many accounts are tried: whoever shows more has others to pay from among the first ones, or none. */
const triedAccounts = 4;

async function firstPayableOf(
  context: CheckContext,
  login: Pick<Login, 'call'>,
  listed: readonly ListedDebtor[],
): Promise<ListedDebtor | undefined> {
  const product = offeredProduct(context);
  for (const debtor of listed.slice(0, triedAccounts)) {
    const call = paymentFrom(context, product, debtor);
    const answer = await login.call(call, {}, 'a payment from an account that is listed');
    if (answer.isSuccess || answer.asksForSca) return debtor;
  }
  return undefined;
}
