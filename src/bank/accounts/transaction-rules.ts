import type { BankRequest, Rule } from '../route.ts';
import type { Account, AccountTransaction } from '../sandbox/accounts.ts';
import type { PsuState } from '../sca/psu-state.ts';
import { consentedAccount } from './consented.ts';
import { transactionQuery } from './transaction-query.ts';

/** The transaction that the path names, unless it is too old to be read without the PSU (Limits). */
export function readableTransaction(
  account: Account,
  request: BankRequest,
  state: PsuState,
): AccountTransaction | undefined {
  const { dateFrom } = transactionQuery(request, state);
  return account.transactions.find(
    ({ transactionId, bookingDate }) =>
      transactionId === request.params.transactionId && bookingDate >= (dateFrom ?? bookingDate),
  );
}

export const transactionIsKnown: Rule = {
  requirement: 'ACC-12',
  name: 'the account has the transaction, and it may be read',
  refuses: (request, state) => {
    const account = consentedAccount(request, state);
    return account !== undefined && readableTransaction(account, request, state) === undefined
      ? {
          status: 404,
          code: 'RESOURCE_UNKNOWN',
          path: 'transactionId',
          text: 'The account has no such transaction, or it is older than 90 days and the PSU is not present.',
        }
      : undefined;
  },
};
