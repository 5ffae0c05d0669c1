import type { BankAnswer, BankRequest, Route } from '../route.ts';
import type { Account } from '../sandbox/accounts.ts';
import type { PsuState } from '../sca/psu-state.ts';
import { accountBody, balancesBody } from './account-body.ts';
import { accountIsGranted, consentRules, fewUnattendedCalls } from './consent-rules.ts';
import { consentedAccount, consentedAccounts } from './consented.ts';
import { readable } from './links.ts';
import { transactionBody, transactionDetailsBody } from './transaction-body.ts';
import { transactionPage } from './transaction-page.ts';
import { queryIsWellFormed, transactionQuery } from './transaction-query.ts';
import { readableTransaction, transactionIsKnown } from './transaction-rules.ts';

/** Account information: accounts, balances, transactions. Shapes are those of the framework. */
export const accountRoutes = (): readonly Route[] => [
  {
    operation: 'listAccounts',
    method: 'GET',
    path: '/v1/accounts',
    rules: consentRules,
    handle: (request, state) => ({
      status: 200,
      body: {
        accounts: consentedAccounts(request, state).map((account) => accountBody(account, request, state)),
      },
    }),
  },
  {
    operation: 'readAccount',
    method: 'GET',
    path: '/v1/accounts/:accountId',
    rules: [...consentRules, accountIsGranted],
    handle: ofAccount((account, request, state) => ({ account: accountBody(account, request, state) })),
  },
  {
    operation: 'readBalances',
    method: 'GET',
    path: '/v1/accounts/:accountId/balances',
    rules: [...consentRules, accountIsGranted, fewUnattendedCalls('balances')],
    handle: ofAccount(balancesBody),
  },
  {
    operation: 'readTransactions',
    method: 'GET',
    path: '/v1/accounts/:accountId/transactions',
    rules: [...consentRules, accountIsGranted, queryIsWellFormed, fewUnattendedCalls('transactions')],
    handle: ofAccount(listing),
  },
  {
    operation: 'readTransaction',
    method: 'GET',
    path: '/v1/accounts/:accountId/transactions/:transactionId',
    rules: [...consentRules, accountIsGranted, transactionIsKnown, fewUnattendedCalls('transactions')],
    handle: ofAccount((account, request, state) => {
      const transaction = readableTransaction(account, request, state);
      return transaction && transactionDetailsBody(transaction, account, request, state);
    }),
  },
];

function listing(account: Account, request: BankRequest, state: PsuState): object {
  const page = transactionPage(account.transactions, transactionQuery(request, state), request, state);
  const body = (transaction: Account['transactions'][number]) =>
    transactionBody(transaction, account, request, state);
  return {
    account: { iban: account.iban, bban: account.bban, currency: account.currency },
    transactions: {
      ...(page.booked && { booked: page.booked.map(body) }),
      ...(page.pending && { pending: page.pending.map(body) }),
      _links: { account: readable(`${state.baseUrl()}/v1/accounts/${account.id}`), ...page.links },
    },
  };
}

type AccountReader = (account: Account, request: BankRequest, state: PsuState) => object | undefined;

function ofAccount(read: AccountReader): Route['handle'] {
  return (request, state): BankAnswer => {
    const account = consentedAccount(request, state);
    const body = account && read(account, request, state);
    return body === undefined ? { status: 404 } : { status: 200, body };
  };
}
