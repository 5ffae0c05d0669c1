import type { Clock } from './clock.ts';
import type {
  Account,
  ActingPsu,
  Agreement,
  CardAccount,
  Customer,
  CustomerStore,
  EngagementRole,
} from './customers.ts';
import { initialDataSet } from './initial-data-set.ts';
import { sumOf } from './money.ts';

interface Records {
  readonly customers: Map<string, Customer>;
  readonly accounts: Map<string, Account>;
  readonly cardAccounts: Map<string, CardAccount>;
  readonly agreements: Map<string, Agreement>;
}

/** Of one account: more than anyone needs, and little enough for a bank that keeps everything in memory. */
export const mostTransactions = 10_000;

/** Customers in memory, starting from the initial data set. */
export function createCustomerStore(clock: Clock): CustomerStore {
  let records = initialRecords(clock.now());
  const values = <Value>(map: ReadonlyMap<string, Value>): readonly Value[] => [...map.values()];
  const ownedBy = (customerNumber: string) => (record: { readonly customerNumber: string }) =>
    record.customerNumber === customerNumber;

  const byNumber = (customerNumber: string) => values(records.customers).find(ownedBy(customerNumber));
  const accountsOf = (customerNumber: string) => values(records.accounts).filter(ownedBy(customerNumber));
  const cardAccountsOf = (customerNumber: string) =>
    values(records.cardAccounts).filter(ownedBy(customerNumber));

  return {
    list: () => values(records.customers),
    byId: (customerId) => records.customers.get(customerId),
    byNumber,
    add: (customer) => {
      records.customers.set(customer.customerId, customer);
    },
    remove: (customerId) => {
      const customer = records.customers.get(customerId);
      if (customer !== undefined) removeWithBelongings(records, customer);
    },

    account: (accountId) => records.accounts.get(accountId),
    accountByReference: ({ bban, iban }) =>
      values(records.accounts).find((account) => (bban ? account.bban === bban : account.iban === iban)),
    accountsOf,
    addAccount: (account) => {
      records.accounts.set(account.id, account);
    },
    putTransaction: (accountId, transaction) => {
      const account = records.accounts.get(accountId);
      if (account !== undefined) records.accounts.set(accountId, withTransaction(account, transaction));
    },
    removeTransaction: (accountId, transactionId) => {
      const account = records.accounts.get(accountId);
      if (account === undefined) return;
      const transactions = account.transactions.filter((other) => other.transactionId !== transactionId);
      records.accounts.set(accountId, { ...account, transactions });
    },

    cardAccount: (cardAccountId) => records.cardAccounts.get(cardAccountId),
    cardAccountByIdentification: (identification) =>
      values(records.cardAccounts).find((card) => card.identification === identification),
    cardAccountsOf,
    addCardAccount: (cardAccount) => {
      records.cardAccounts.set(cardAccount.id, cardAccount);
    },
    putCardTransaction: (cardAccountId, transaction) => {
      const card = records.cardAccounts.get(cardAccountId);
      if (card !== undefined) records.cardAccounts.set(cardAccountId, withTransaction(card, transaction));
    },

    agreement: (agreementId) => records.agreements.get(agreementId),
    agreementsOf: (customerNumber) =>
      values(records.agreements).filter(
        ({ owner, engagements }) => owner === customerNumber || engagements.some(ownedBy(customerNumber)),
      ),
    ownAgreementsOf: (customerNumber) =>
      values(records.agreements).filter(({ owner }) => owner === customerNumber),
    addAgreement: (agreement) => {
      records.agreements.set(agreement.id, agreement);
    },

    reachableAccounts: (psu, role = 'VIEW') => {
      if (psu.agreementId !== undefined) {
        return engagedAccountIds(records.agreements.get(psu.agreementId), psu, role).flatMap(
          (id) => records.accounts.get(id) ?? [],
        );
      }
      // A representative's number stands for a corporation, whose accounts belong to the corporate context.
      return byNumber(psu.customerNumber)?.customerType === 'PRIVATE' ? accountsOf(psu.customerNumber) : [];
    },
    reachableCardAccounts: (psu) => (psu.agreementId === undefined ? cardAccountsOf(psu.customerNumber) : []),

    size: () => Object.values(records).reduce((sum, { size }) => sum + size, 0),
    reset: () => {
      records = initialRecords(clock.now());
    },
  };
}

function initialRecords(today: Date): Records {
  const { customers, accounts, cardAccounts, agreements } = initialDataSet(today);
  return {
    customers: new Map(customers.map((customer) => [customer.customerId, customer])),
    accounts: new Map(accounts.map((account) => [account.id, account])),
    cardAccounts: new Map(cardAccounts.map((card) => [card.id, card])),
    agreements: new Map(agreements.map((agreement) => [agreement.id, agreement])),
  };
}

function removeWithBelongings(records: Records, { customerId, customerNumber }: Customer): void {
  records.customers.delete(customerId);
  for (const owned of [records.accounts, records.cardAccounts]) {
    for (const [id, record] of owned) if (record.customerNumber === customerNumber) owned.delete(id);
  }
  for (const [id, { owner }] of records.agreements)
    if (owner === customerNumber) records.agreements.delete(id);
}

interface Ledger<Transaction> {
  readonly openingBalance: bigint;
  readonly transactions: readonly Transaction[];
}

/** The ledger with one more transaction, or with a later state of one that it has. */
function withTransaction<
  Transaction extends { readonly transactionId: string; readonly amount: bigint },
  Kept extends Ledger<Transaction>,
>(ledger: Kept, transaction: Transaction): Kept {
  const { transactionId } = transaction;
  const others = ledger.transactions.filter((other) => other.transactionId !== transactionId);
  // A bank that runs for long does not grow: what falls off at the old end stays in the balance.
  const forgotten = others.slice(0, Math.max(0, others.length - mostTransactions));
  return {
    ...ledger,
    openingBalance: ledger.openingBalance + sumOf(forgotten),
    transactions: [...others.slice(forgotten.length), transaction],
  };
}

const engagedAccountIds = (
  agreement: Agreement | undefined,
  { customerNumber }: ActingPsu,
  role: EngagementRole,
): readonly string[] => [
  ...new Set(
    agreement?.engagements
      .filter(
        (engagement) => agreement.owner === customerNumber || engagement.customerNumber === customerNumber,
      )
      .filter(({ roles }) => roles.includes(role))
      .map(({ accountId }) => accountId),
  ),
];
