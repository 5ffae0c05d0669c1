import type { BankAnswer, BankRequest, Route } from '../route.ts';
import type { CardAccount } from '../sandbox/accounts.ts';
import type { PsuState } from '../sca/psu-state.ts';
import { cardAccountBody, cardBalancesBody, cardTransactionBody } from './card-account-body.ts';
import { cardAccountIsGranted, consentRules, fewUnattendedCalls } from './consent-rules.ts';
import { consentedCardAccount, consentedCardAccounts } from './consented.ts';
import { readable } from './links.ts';
import { transactionPage } from './transaction-page.ts';
import { queryIsWellFormed, transactionQuery } from './transaction-query.ts';

/** Card accounts, in the framework's shape. The details carry `relatedAccount`, with which one can pay. */
export const cardAccountRoutes = (): readonly Route[] => [
  {
    operation: 'listCardAccounts',
    method: 'GET',
    path: '/v1/card-accounts',
    rules: consentRules,
    handle: (request, state) => ({
      status: 200,
      body: {
        cardAccounts: consentedCardAccounts(request, state).map((card) =>
          cardAccountBody(card, request, state),
        ),
      },
    }),
  },
  {
    operation: 'readCardAccount',
    method: 'GET',
    path: '/v1/card-accounts/:accountId',
    rules: [...consentRules, cardAccountIsGranted],
    handle: ofCardAccount((card, request, state) => ({ cardAccount: cardAccountBody(card, request, state) })),
  },
  {
    operation: 'readCardBalances',
    method: 'GET',
    path: '/v1/card-accounts/:accountId/balances',
    rules: [...consentRules, cardAccountIsGranted, fewUnattendedCalls('balances')],
    handle: ofCardAccount(cardBalancesBody),
  },
  {
    operation: 'readCardTransactions',
    method: 'GET',
    path: '/v1/card-accounts/:accountId/transactions',
    rules: [...consentRules, cardAccountIsGranted, queryIsWellFormed, fewUnattendedCalls('transactions')],
    handle: ofCardAccount(listing),
  },
];

function listing(card: CardAccount, request: BankRequest, state: PsuState): object {
  const page = transactionPage(card.transactions, transactionQuery(request, state), request, state);
  const body = (transaction: CardAccount['transactions'][number]) =>
    cardTransactionBody(transaction, card, request, state);
  return {
    cardAccount: { maskedPan: card.maskedPan, currency: card.currency },
    cardTransactions: {
      ...(page.booked && { booked: page.booked.map(body) }),
      ...(page.pending && { pending: page.pending.map(body) }),
      _links: { cardAccount: readable(`${state.baseUrl()}/v1/card-accounts/${card.id}`), ...page.links },
    },
  };
}

type CardReader = (card: CardAccount, request: BankRequest, state: PsuState) => object;

function ofCardAccount(read: CardReader): Route['handle'] {
  return (request, state): BankAnswer => {
    const card = consentedCardAccount(request, state);
    return card === undefined ? { status: 404 } : { status: 200, body: read(card, request, state) };
  };
}
