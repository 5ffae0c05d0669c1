import { randomUUID } from 'node:crypto';
import { isoDate } from '../../spec/days.ts';
import { member } from '../../spec/json.ts';
import { type BankRequest, type Route, type Rule, rule } from '../design/route.ts';
import { mostTransactions } from '../state/customer-store.ts';
import type { Account, AccountTransaction, CardAccount, CardTransaction } from '../state/customers.ts';
import type { PsuState } from '../state/psu-state.ts';
import {
  amountIn,
  BodyFault,
  conflict,
  currencyIn,
  dateIn,
  faultInBody,
  objectIn,
  optionalTextIn,
  unknown,
} from './body-reader.ts';

/**
 * Transactions put onto sandbox accounts. Their shape is this bank's own, after that in which they are read:
 * `{transactionAmount, bookingDate?, valueDate?, bookingStatus?, creditorName? or debtorName?,
 * remittanceInformationUnstructured?}`, for cards `{transactionAmount, originalAmount?, transactionDate?, bookingDate?,
 * bookingStatus?, transactionDetails?, city?}`. Money that leaves has a negative amount.
 */
export const transactionRoutes = (): readonly Route[] => [
  {
    operation: 'sandboxData',
    method: 'POST',
    path: '/v1/sandbox/accounts/:accountId/transactions',
    rules: rulesFor(accountIn, (request, account) => transactionIn(request, account.currency, '1970-01-01')),
    handle: (request, state) => {
      const account = accountIn(request, state);
      if (account === undefined) return { status: 404 };
      const transaction = transactionIn(request, account.currency, isoDate(state.clock.now()));
      state.customers.putTransaction(account.id, transaction);
      return { status: 201, body: { transactionId: transaction.transactionId } };
    },
  },
  {
    operation: 'sandboxData',
    method: 'POST',
    path: '/v1/sandbox/card-accounts/:accountId/transactions',
    rules: rulesFor(cardAccountIn, (request, card) =>
      cardTransactionIn(request, card.currency, '1970-01-01'),
    ),
    handle: (request, state) => {
      const card = cardAccountIn(request, state);
      if (card === undefined) return { status: 404 };
      const transaction = cardTransactionIn(request, card.currency, isoDate(state.clock.now()));
      state.customers.putCardTransaction(card.id, transaction);
      return { status: 201, body: { cardTransactionId: transaction.transactionId } };
    },
  },
];

/** By id, or by the IBAN or BBAN that the listing of customers tells. */
function accountIn({ params }: BankRequest, { customers }: PsuState): Account | undefined {
  const name = params.accountId ?? '';
  return (
    customers.account(name) ??
    customers.accountByReference({ iban: name }) ??
    customers.accountByReference({ bban: name })
  );
}

function cardAccountIn({ params }: BankRequest, { customers }: PsuState): CardAccount | undefined {
  const name = params.accountId ?? '';
  return customers.cardAccount(name) ?? customers.cardAccountByIdentification(name);
}

type Finder<Found> = (request: BankRequest, state: PsuState) => Found | undefined;

function rulesFor<Found extends Account | CardAccount>(
  find: Finder<Found>,
  read: (request: BankRequest, found: Found) => unknown,
): readonly Rule[] {
  return [
    rule(
      'ACC-08',
      'the account exists and has room',
      'sandboxUnknown',
      (request, state) => {
        const found = find(request, state);
        if (found === undefined) return unknown('accountId', 'account');
        return found.transactions.length < mostTransactions
          ? undefined
          : conflict('accountId', `The account has ${mostTransactions} transactions, which is the most.`);
      },
      { ownChoice: true },
    ),
    rule(
      'ACC-08',
      'the transaction has the expected shape',
      'field',
      (request, state) => {
        const found = find(request, state);
        return found && faultInBody(() => read(request, found));
      },
      { ownChoice: true },
    ),
  ];
}

function transactionIn({ body }: BankRequest, currency: string, today: string): AccountTransaction {
  const bookingDate = dateIn(body, 'bookingDate', today);
  return {
    transactionId: randomUUID(),
    bookingStatus: bookingStatusIn(body),
    bookingDate,
    valueDate: dateIn(body, 'valueDate', bookingDate),
    amount: moneyIn(body, 'transactionAmount', currency).amount,
    counterparty: optionalTextIn(body, 'creditorName') ?? optionalTextIn(body, 'debtorName') ?? 'Sandbox',
    text: optionalTextIn(body, 'remittanceInformationUnstructured') ?? 'Sandbox transaction',
  };
}

function cardTransactionIn({ body }: BankRequest, currency: string, today: string): CardTransaction {
  const { amount } = moneyIn(body, 'transactionAmount', currency);
  const transactionDate = dateIn(body, 'transactionDate', today);
  return {
    transactionId: randomUUID(),
    bookingStatus: bookingStatusIn(body),
    transactionDate,
    bookingDate: dateIn(body, 'bookingDate', transactionDate),
    amount,
    original:
      member(body, 'originalAmount') === undefined ? { amount, currency } : moneyIn(body, 'originalAmount'),
    merchant: optionalTextIn(body, 'transactionDetails') ?? 'Sandbox',
    city: optionalTextIn(body, 'city') ?? 'Oslo',
  };
}

function moneyIn(body: unknown, name: string, expected?: string): CardTransaction['original'] {
  const money = objectIn(body, name);
  const currency = currencyIn(money, 'currency', `${name}.currency`);
  if (expected !== undefined && currency !== expected)
    throw new BodyFault(`${name}.currency`, 'is that of the account');
  return { amount: amountIn(money, 'amount', currency, `${name}.amount`), currency };
}

function bookingStatusIn(body: unknown): 'booked' | 'pending' {
  const status = member(body, 'bookingStatus') ?? 'booked';
  if (status === 'booked' || status === 'pending') return status;
  throw new BodyFault('bookingStatus', 'is booked or pending');
}
