import { accountSchemes } from '../../spec/code-lists.ts';
import type { BankRequest } from '../route.ts';
import {
  availableFunds,
  bookedBalance,
  type CardAccount,
  type CardTransaction,
} from '../sandbox/accounts.ts';
import { isoDateTime } from '../sandbox/iso-date.ts';
import type { PsuState } from '../sca/psu-state.ts';
import { isFixed } from './accept-fix.ts';
import { amountWriter } from './amount-body.ts';
import { readable } from './links.ts';

/** `longer-names`: before it, a card account's name was cut at 35 characters, then at 70 (Versioning). */
const nameLengths = { before: 35, after: 70 } as const;

/** Card account details, in the framework's shape. */
export function cardAccountBody(card: CardAccount, request: BankRequest, state: PsuState): object {
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

export function cardBalancesBody(card: CardAccount, request: BankRequest, state: PsuState): object {
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
export function cardTransactionBody(
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
