import { sumOf } from './money.ts';

/** Kinds of account with the ISO 20022 code that `cash-account-type-iso` maps them to (Versioning). */
export const cashAccountTypes = { CURRENT: 'CACC', SAVINGS: 'SVGS', LOAN: 'LOAN' } as const;
export type CashAccountType = keyof typeof cashAccountTypes;

/** A payment account of the sandbox. Amounts are in minor units of its currency; money that leaves is negative. */
export interface Account {
  readonly id: string;
  readonly customerNumber: string;
  readonly bban: string;
  readonly iban: string;
  readonly currency: string;
  readonly name: string;
  readonly product: string;
  readonly cashAccountType: CashAccountType;
  readonly creditLine: bigint;
  /** The balance before the transactions that are kept. */
  readonly openingBalance: bigint;
  /** Latest last. Change it only through the customer store. */
  readonly transactions: readonly AccountTransaction[];
}

export interface AccountTransaction {
  /** Stable for booked transactions (Sandbox customer, last paragraph). */
  readonly transactionId: string;
  readonly bookingStatus: 'booked' | 'pending';
  /** YYYY-MM-DD. For a pending transaction the day on which it is expected. */
  readonly bookingDate: string;
  readonly valueDate: string;
  readonly amount: bigint;
  readonly counterparty: string;
  readonly counterpartyAccount?: string | undefined;
  readonly text: string;
  readonly reference?: string | undefined;
  /** The payment that it comes from, so that batch processing finds it again. */
  readonly paymentId?: string | undefined;
}

/** A card account of the sandbox. */
export interface CardAccount {
  readonly id: string;
  readonly customerNumber: string;
  readonly maskedPan: string;
  /** What a domestic payment names in `debtorAccount.other.identification`. */
  readonly identification: string;
  readonly currency: string;
  readonly name: string;
  readonly product: string;
  readonly creditLimit: bigint;
  readonly openingBalance: bigint;
  readonly transactions: readonly CardTransaction[];
}

export interface CardTransaction {
  readonly transactionId: string;
  readonly bookingStatus: 'booked' | 'pending';
  readonly transactionDate: string;
  readonly bookingDate: string;
  /** In minor units of the card account's currency. */
  readonly amount: bigint;
  /** What the merchant charged, in minor units of its own currency. */
  readonly original: { readonly amount: bigint; readonly currency: string };
  readonly merchant: string;
  readonly city: string;
}

export const bookedBalance = (account: Account | CardAccount): bigint =>
  account.openingBalance + sumOf(account.transactions.filter(isBooked));

/** The booked balance once everything pending has gone through. */
export const expectedBalance = (account: Account | CardAccount): bigint =>
  account.openingBalance + sumOf(account.transactions);

/** What can be spent: pending payments already hold their amount. */
export const availableFunds = (account: Account | CardAccount): bigint =>
  expectedBalance(account) + ('creditLine' in account ? account.creditLine : account.creditLimit);

const isBooked = ({ bookingStatus }: { readonly bookingStatus: string }): boolean =>
  bookingStatus === 'booked';
