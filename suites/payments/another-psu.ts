import type { CheckContext } from '../../src/checks/context.ts';
import { NotApplicable } from '../../src/checks/outcomes.ts';
import type { DebtorAccount } from '../../src/target/accounts.ts';
import { type Customer, withCustomer } from '../sca/spare-customers.ts';
import { callFor, type Login, logIn, newSession } from '../sca/walks.ts';
import { accountOfCustomer } from './payments-of.ts';

/** Another private customer than the PSU of the target file: the one that it names, or one of the sandbox. */
export async function withAnotherCustomer(
  context: CheckContext,
  work: (customer: Customer) => Promise<void>,
): Promise<void> {
  const { nationalId, sessionId } = context.target.psu.other ?? {};
  // Who keeps a session is lent to nobody who would end it, and passes SCA at links of others all the same.
  if (nationalId !== undefined && sessionId !== undefined) return work({ nationalId, context: 'PRIVATE' });
  return withCustomer(context, 'PRIVATE', (customer) => {
    if (customer.identity !== undefined)
      throw new NotApplicable(
        'No other private customer is known: add psu.other.nationalId to the target file, or create one with POST /v1/sandbox/customers.',
      );
    return work(customer);
  });
}

/** The same after SCA, with an account to pay from. */
export async function withAnotherPsu(
  context: CheckContext,
  work: (other: Login, debtor: Pick<DebtorAccount, 'bban' | 'currency'>) => Promise<void>,
): Promise<void> {
  const { psu, accounts } = context.target;
  const { id, sessionId, nationalId } = psu.other ?? {};
  if (id !== undefined && sessionId !== undefined) {
    const known = { ...newSession(context), id, sessionId };
    const other: Login = {
      psu: known,
      call: callFor(context, {}, known),
      ...(nationalId === undefined ? {} : { customer: { nationalId, context: 'PRIVATE' } }),
    };
    return work(other, accounts.otherDebtor ?? (await accountOfCustomer(other)));
  }
  return withAnotherCustomer(context, async (customer) => {
    const other = await logIn(context, customer);
    const debtor = customer.nationalId === nationalId ? accounts.otherDebtor : undefined;
    await work(other, debtor ?? (await accountOfCustomer(other)));
  });
}
