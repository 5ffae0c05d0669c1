import { acceptFixes } from '../../spec/code-lists.ts';
import { type BankAnswer, type BankRequest, type Links, type Route, readable } from '../design/route.ts';
import { isoDateTime } from '../state/clock.ts';
import {
  type Account,
  type AccountTransaction,
  availableFunds,
  bookedBalance,
  cashAccountTypes,
  expectedBalance,
} from '../state/customers.ts';
import { toDecimal } from '../state/money.ts';
import type { PsuState } from '../state/psu-state.ts';
import {
  accountIsGranted,
  consentedAccount,
  consentedAccounts,
  consentRules,
  fewUnattendedCalls,
} from './consent-rules.ts';
import {
  queryIsWellFormed,
  readableTransaction,
  transactionIsKnown,
  transactionPage,
  transactionQuery,
} from './transactions.ts';

type AcceptFix = (typeof acceptFixes)[number]['value'];

/**
 * Whether an early-adoption value has its effect (Versioning): it has become the default by the day that the bank
 * stands for, or the request asks for it.
 */
export function isFixed(
  fix: AcceptFix,
  request: BankRequest,
  state: Pick<PsuState, 'defaultsAsOf'>,
): boolean {
  const byDefault = acceptFixes.some((row) => row.value === fix && row.default <= state.defaultsAsOf);
  return byDefault || requestedFixes(request).includes(fix);
}

const requestedFixes = (request: BankRequest): readonly string[] =>
  (request.headers.get('x-accept-fix') ?? [])
    .flatMap((value) => value.split(','))
    .map((value) => value.trim());

interface AmountBody {
  /** A number only in the time before `amount-as-string` became the default (Versioning). */
  readonly amount: string | number;
  readonly currency: string;
}

/** Writes amounts the way the request is to have them. */
export function amountWriter(
  request: BankRequest,
  state: PsuState,
): (minor: bigint, currency: string) => AmountBody {
  const asString = isFixed('amount-as-string', request, state);
  return (minor, currency) => {
    const amount = toDecimal(minor, currency);
    return { amount: asString ? amount : Number(amount), currency };
  };
}

/** Account details. The specification does not show them: the framework's shape, with the interface's links. */
export interface AccountBody {
  readonly resourceId: string;
  readonly iban: string;
  readonly bban: string;
  readonly currency: string;
  readonly name: string;
  readonly product: string;
  readonly cashAccountType: string;
  readonly status: 'enabled';
  readonly ownerName: string;
  readonly _links: Links;
}

function accountBody(account: Account, request: BankRequest, state: PsuState): AccountBody {
  const self = `${state.baseUrl()}/v1/accounts/${account.id}`;
  return {
    resourceId: account.id,
    iban: account.iban,
    bban: account.bban,
    currency: account.currency,
    name: account.name,
    product: account.product,
    cashAccountType: isFixed('cash-account-type-iso', request, state)
      ? cashAccountTypes[account.cashAccountType]
      : account.cashAccountType,
    status: 'enabled',
    ownerName: state.customers.byNumber(account.customerNumber)?.customerName ?? '',
    _links: {
      self: readable(self),
      balances: readable(`${self}/balances`),
      transactions: readable(`${self}/transactions`),
    },
  };
}

function balancesBody(account: Account, request: BankRequest, state: PsuState): object {
  const amount = amountWriter(request, state);
  const lastChangeDateTime = isoDateTime(state.clock.now());
  const balance = (balanceType: string, minor: bigint) => ({
    balanceType,
    balanceAmount: amount(minor, account.currency),
    lastChangeDateTime,
  });
  return {
    account: { iban: account.iban, bban: account.bban, currency: account.currency },
    balances: [
      balance('interimBooked', bookedBalance(account)),
      balance('expected', expectedBalance(account)),
      {
        ...balance('interimAvailable', availableFunds(account)),
        creditLimitIncluded: account.creditLine !== 0n,
      },
    ],
  };
}

/** A transaction in a listing, in the framework's shape. */
export interface TransactionBody {
  readonly transactionId: string;
  readonly bookingDate: string;
  readonly valueDate: string;
  readonly transactionAmount: AmountBody;
  readonly creditorName?: string;
  readonly debtorName?: string;
  readonly remittanceInformationUnstructured: string;
  readonly additionalInformationProprietary1?: string;
  readonly _links: Links;
}

function transactionBody(
  transaction: AccountTransaction,
  account: Account,
  request: BankRequest,
  state: PsuState,
): TransactionBody {
  const { transactionId, bookingDate, valueDate, amount, counterparty, text, reference } = transaction;
  const details = `${state.baseUrl()}/v1/accounts/${account.id}/transactions/${encodeURIComponent(transactionId)}`;
  return {
    transactionId,
    bookingDate,
    valueDate,
    transactionAmount: amountWriter(request, state)(amount, account.currency),
    ...(amount < 0n ? { creditorName: counterparty } : { debtorName: counterparty }),
    remittanceInformationUnstructured: text,
    // Proprietary references, when available (Sandbox customer, last paragraph).
    ...(reference === undefined ? {} : { additionalInformationProprietary1: reference }),
    _links: { transactionDetails: readable(details) },
  };
}

/** The details also tell the accounts: that data moved here from the listing (Versioning, Deprecations). */
function transactionDetailsBody(
  transaction: AccountTransaction,
  account: Account,
  request: BankRequest,
  state: PsuState,
): object {
  const own = { iban: account.iban, bban: account.bban, currency: account.currency };
  const other = transaction.counterpartyAccount && { bban: transaction.counterpartyAccount };
  const leaves = transaction.amount < 0n;
  return {
    transactionsDetails: {
      ...transactionBody(transaction, account, request, state),
      bookingStatus: transaction.bookingStatus,
      ...(leaves
        ? { debtorAccount: own, ...(other && { creditorAccount: other }) }
        : { creditorAccount: own, ...(other && { debtorAccount: other }) }),
      ...(transaction.paymentId === undefined ? {} : { paymentId: transaction.paymentId }),
    },
  };
}

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
