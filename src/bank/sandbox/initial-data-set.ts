import type { Account, CardAccount } from './accounts.ts';
import type { Agreement, Customer, Engagement } from './customers.ts';
import { type InitialCustomer, initialCustomers, initialParticipants } from './initial-customers.ts';
import { initialCardTransactions, initialTransactions } from './initial-transactions.ts';
import { isoDate } from './iso-date.ts';
import { sumOf } from './money.ts';
import { nameUuid } from './name-uuid.ts';

export interface DataSet {
  readonly customers: readonly Customer[];
  readonly accounts: readonly Account[];
  readonly cardAccounts: readonly CardAccount[];
  readonly agreements: readonly Agreement[];
}

/** Nothing in it ever changes, so that all banks that start on one day share it. */
let latest: { readonly day: string; readonly dataSet: DataSet } | undefined;

/** The initial data set, with transactions up to today. */
export function initialDataSet(today: Date): DataSet {
  const day = isoDate(today);
  if (latest?.day !== day) latest = { day, dataSet: dataSetOf(today) };
  return latest.dataSet;
}

function dataSetOf(today: Date): DataSet {
  return {
    customers: initialCustomers.map(({ accounts: _, card: __, ...customer }) => customer),
    accounts: initialCustomers.flatMap((customer) => accountsOf(customer, today)),
    cardAccounts: initialCustomers.flatMap((customer) => cardAccountsOf(customer, today)),
    agreements: initialCustomers.filter(({ customerType }) => customerType === 'CORPORATE').map(agreementOf),
  };
}

export const accountIdOf = (bban: string): string => nameUuid('account', bban);

const accountsOf = ({ customerNumber, accounts }: InitialCustomer, today: Date): readonly Account[] =>
  accounts.map(({ bban, iban, currency, name, savings, balance, history }) => {
    const transactions = initialTransactions(bban, history, today);
    return {
      id: accountIdOf(bban),
      customerNumber,
      bban,
      iban,
      currency,
      name,
      product: savings ? 'Savings account' : 'Current account',
      cashAccountType: savings ? 'SAVINGS' : 'CURRENT',
      creditLine: 0n,
      openingBalance: balance - sumOf(transactions.filter(({ bookingStatus }) => bookingStatus === 'booked')),
      transactions,
    };
  });

function cardAccountsOf(customer: InitialCustomer, today: Date): readonly CardAccount[] {
  if (customer.card === undefined) return [];
  return [
    {
      id: nameUuid('card account', customer.card),
      customerNumber: customer.customerNumber,
      maskedPan: `525412******${customer.card.slice(-4)}`,
      identification: customer.card,
      currency: 'NOK',
      // Longer than 35 characters, so that `longer-names` makes a difference (Versioning).
      name: `Kredittkort med reiseforsikring for ${customer.customerName}`,
      product: 'Credit card',
      creditLimit: 50_000_00n,
      openingBalance: 0n,
      transactions: initialCardTransactions(customer.card, today),
    },
  ];
}

function agreementOf(owner: InitialCustomer): Agreement {
  const participants = [
    { customerNumber: owner.customerNumber, mayPay: true },
    ...initialParticipants.filter((participant) => participant.owner === owner.customerNumber),
  ];
  return {
    id: nameUuid('agreement', owner.customerNumber),
    name: `Bedriftsavtale ${owner.customerName}`,
    owner: owner.customerNumber,
    engagements: participants.flatMap(({ customerNumber, mayPay }) =>
      owner.accounts.map(
        ({ bban }): Engagement => ({
          id: nameUuid('engagement', owner.customerNumber, customerNumber, bban),
          customerNumber,
          accountId: accountIdOf(bban),
          roles: mayPay ? ['VIEW', 'REGISTER'] : ['VIEW'],
        }),
      ),
    ),
  };
}
