import { accountSchemes } from '../../spec/code-lists.ts';
import { type BankAnswer, type BankRequest, type Route, readable } from '../design/route.ts';
import { isoDateTime } from '../state/clock.ts';
import { availableFunds, bookedBalance, type CardAccount, type CardTransaction } from '../state/customers.ts';
import type { PsuState } from '../state/psu-state.ts';
import { amountWriter, isFixed } from './accept-fix.ts';
import {
  cardAccountIsGranted,
  consentedCardAccount,
  consentedCardAccounts,
  consentRules,
  fewUnattendedCalls,
} from './consent-rules.ts';
import { queryIsWellFormed, transactionPage, transactionQuery } from './transactions.ts';

/** `longer-names`: before it, a card account's name was cut at 35 characters, then at 70 (Versioning). */
const nameLengths = { before: 35, after: 70 } as const;

/** Card account details, in the framework's shape. */
function cardAccountBody(card: CardAccount, request: BankRequest, state: PsuState): object {
  const self = `${state.baseUrl()}/v1/card-accounts/${card.id}`;
  const length = nameLengths[isFixed('longer-names', request, state) ? 'after' : 'before'];
  return {
    resourceId: card.id,
    maskedPan: card.maskedPan,
    currency: card.currency,
    name: [...card.name].slice(0, length).join(''),
    product: card.product,
    status: 'enabled',
    ownerName: state.customers.byNumber(card.customerNumber)?.customerName ?? '',
    creditLimit: amountWriter(request, state)(card.creditLimit, card.currency),
    // Can be used as it is for `debtorAccount` of a domestic payment (NDCT payment request body).
    relatedAccount: {
      currency: card.currency,
      other: { identification: card.identification, schemeNameProprietary: accountSchemes[0] },
    },
    _links: {
      self: readable(self),
      balances: readable(`${self}/balances`),
      transactions: readable(`${self}/transactions`),
    },
  };
}

function cardBalancesBody(card: CardAccount, request: BankRequest, state: PsuState): object {
  const amount = amountWriter(request, state);
  const lastChangeDateTime = isoDateTime(state.clock.now());
  const balance = (balanceType: string, minor: bigint) => ({
    balanceType,
    balanceAmount: amount(minor, card.currency),
    lastChangeDateTime,
  });
  return {
    cardAccount: { maskedPan: card.maskedPan, currency: card.currency },
    balances: [
      balance('interimBooked', bookedBalance(card)),
      { ...balance('interimAvailable', availableFunds(card)), creditLimitIncluded: true },
    ],
  };
}

/**
 * A card transaction, in the framework's shape. Until its fix became the default, the amount on the account and the
 * amount at the merchant stood in each other's place (Versioning).
 */
function cardTransactionBody(
  transaction: CardTransaction,
  card: CardAccount,
  request: BankRequest,
  state: PsuState,
): object {
  const amount = amountWriter(request, state);
  const charged = amount(transaction.amount, card.currency);
  const original = amount(transaction.original.amount, transaction.original.currency);
  const right = isFixed('cardaccount-switch-originalamount-and-transactionamount', request, state);
  return {
    cardTransactionId: transaction.transactionId,
    transactionDate: transaction.transactionDate,
    bookingDate: transaction.bookingDate,
    transactionAmount: right ? charged : original,
    originalAmount: right ? original : charged,
    cardAcceptorAddress: { townName: transaction.city },
    transactionDetails: transaction.merchant,
    invoiced: transaction.bookingStatus === 'booked',
  };
}

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
