import type { BankRequest } from '../route.ts';
import type { Account, AccountTransaction } from '../sandbox/accounts.ts';
import type { PsuState } from '../sca/psu-state.ts';
import { type AmountBody, amountWriter } from './amount-body.ts';
import { type Links, readable } from './links.ts';

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

export function transactionBody(
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
export function transactionDetailsBody(
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
