import type { customerTypes } from '../../spec/code-lists.ts';
import { sumOf } from './money.ts';

/**
 * A customer of the sandbox. `customerNumber` is what a PSU types in at SCA (Sandbox customer), so it also names
 * the PSU everywhere inside the bank: a national identity number, for a corporation that of its representative.
 */
export interface Customer {
  readonly customerId: string;
  readonly customerNumber: string;
  readonly customerType: (typeof customerTypes)[number];
  readonly customerName: string;
}

/** VIEW reads account information, REGISTER also creates payments. */
export const engagementRoles = ['VIEW', 'REGISTER'] as const;
export type EngagementRole = (typeof engagementRoles)[number];

/** What one customer may do with one account under an agreement. */
export interface Engagement {
  readonly id: string;
  readonly customerNumber: string;
  readonly accountId: string;
  readonly roles: readonly EngagementRole[];
}

/** A corporate agreement. Its id is the PSU-Corporate-ID. */
export interface Agreement {
  readonly id: string;
  readonly name: string;
  /** Customer number of its owner, who has every engagement of it. */
  readonly owner: string;
  readonly engagements: readonly Engagement[];
}

/** Who acts, and in which context: corporate when an agreement is given. */
export interface ActingPsu {
  readonly customerNumber: string;
  readonly agreementId?: string | undefined;
}

/** The customers of the bank and all that they own. */
export interface CustomerStore {
  list(): readonly Customer[];
  byId(customerId: string): Customer | undefined;
  byNumber(customerNumber: string): Customer | undefined;
  add(customer: Customer): void;
  /** Removes the customer with all accounts, card accounts and agreements. */
  remove(customerId: string): void;

  account(accountId: string): Account | undefined;
  /** By BBAN or IBAN, whichever is given. */
  accountByReference(reference: AccountReference): Account | undefined;
  accountsOf(customerNumber: string): readonly Account[];
  addAccount(account: Account): void;
  /** Adds a transaction, or replaces the one with its id: pending becomes booked. */
  putTransaction(accountId: string, transaction: AccountTransaction): void;
  /** A pending transaction that came to nothing. Booked ones are final (States and transitions). */
  removeTransaction(accountId: string, transactionId: string): void;

  cardAccount(cardAccountId: string): CardAccount | undefined;
  /** By `debtorAccount.other.identification` of a domestic payment. */
  cardAccountByIdentification(identification: string): CardAccount | undefined;
  cardAccountsOf(customerNumber: string): readonly CardAccount[];
  addCardAccount(cardAccount: CardAccount): void;
  putCardTransaction(cardAccountId: string, transaction: CardTransaction): void;

  agreement(agreementId: string): Agreement | undefined;
  /** Agreements that the customer owns or has an engagement in: GET /v1/agreements. */
  agreementsOf(customerNumber: string): readonly Agreement[];
  ownAgreementsOf(customerNumber: string): readonly Agreement[];
  addAgreement(agreement: Agreement): void;

  /** Accounts within reach of a PSU: their own, or under an agreement those that they have the role for. */
  reachableAccounts(psu: ActingPsu, role?: EngagementRole): readonly Account[];
  /** Card accounts belong to persons: there are none under an agreement. */
  reachableCardAccounts(psu: ActingPsu): readonly CardAccount[];

  /** How many records there are, so that a sandbox does not grow for ever. */
  size(): number;
  /** Back to the initial data set. */
  reset(): void;
}

export interface AccountReference {
  readonly bban?: string | undefined;
  readonly iban?: string | undefined;
}

/** Kinds of account with the ISO 20022 code that `cash-account-type-iso` maps them to (Versioning). */
export const cashAccountTypes = { CURRENT: 'CACC', SAVINGS: 'SVGS', LOAN: 'LOAN', TAX: 'TAXE' } as const;
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
