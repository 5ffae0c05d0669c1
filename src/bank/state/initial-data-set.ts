import { createHash } from 'node:crypto';
import { daysBefore, isoDate } from '../../spec/days.ts';
import { ibanOf } from './check-digits.ts';
import type {
  Account,
  AccountTransaction,
  Agreement,
  CardAccount,
  CardTransaction,
  Customer,
  Engagement,
} from './customers.ts';
import { sumOf } from './money.ts';

/** The same UUID for the same name (RFC 9562, version 5 layout), so that initialisation gives the same ids again. */
export function nameUuid(...parts: readonly string[]): string {
  const bytes = createHash('sha1').update(parts.join('\n')).digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes
    .subarray(0, 16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** An account of the initial data set: its number, and what it holds in minor units. */
export interface InitialAccount {
  readonly bban: string;
  readonly iban: string;
  readonly currency: string;
  readonly name: string;
  readonly savings: boolean;
  readonly balance: bigint;
  /** How many days of transactions it has, one a day. */
  readonly history: number;
}

interface InitialCustomer extends Customer {
  readonly accounts: readonly InitialAccount[];
  /** Number of the card account; corporations have none. */
  readonly card?: string;
}

const account = (
  bban: string,
  currency: string,
  name: string,
  balance: bigint,
  history = 40,
): InitialAccount => ({
  bban,
  iban: ibanOf(bban),
  currency,
  name,
  savings: name === 'Sparekonto',
  balance,
  history,
});

const customer = (
  customerType: Customer['customerType'],
  customerNumber: string,
  customerName: string,
  accounts: readonly InitialAccount[],
  card?: string,
): InitialCustomer => ({
  customerId: nameUuid('customer', customerNumber),
  customerNumber,
  customerType,
  customerName,
  accounts,
  ...(card === undefined ? {} : { card }),
});

/**
 * The initial data set (Sandbox customer): private customers with two accounts and a card account, corporate ones
 * with two accounts. Their numbers are synthetic (month plus 80) with valid check digits, and nobody real has them.
 */
const initialCustomers: readonly InitialCustomer[] = [
  customer(
    'PRIVATE',
    '01819010001',
    'Kari Prøvesen',
    [
      // More than two pages of transactions, and more than the 90 days that are readable without the PSU.
      account('95360573002', 'NOK', 'Brukskonto', 2_500_000_000n, 450),
      account('95360573754', 'NOK', 'Sparekonto', 1_250n),
    ],
    '95379010017',
  ),
  customer(
    'PRIVATE',
    '01819010192',
    'Ola Testmann',
    [
      account('95360574122', 'NOK', 'Brukskonto', 48_317_50n),
      account('95360574491', 'EUR', 'Valutakonto', 7_250_00n),
    ],
    '95379010149',
  ),
  customer(
    'PRIVATE',
    '12848510058',
    'Åse Ærlig Østby',
    [
      account('95360574866', 'NOK', 'Brukskonto', 125_600_00n),
      account('95360575234', 'NOK', 'Sparekonto', 900_000_00n),
    ],
    '95379010270',
  ),
  customer(
    'PRIVATE',
    '24877910012',
    'Jón Tómasson',
    [
      account('95360575609', 'NOK', 'Brukskonto', 15_420_75n),
      account('95360575978', 'EUR', 'Valutakonto', 310_00n),
    ],
    '95379010408',
  ),
  // Like the second one: as many checks as there are such customers pass SCA side by side.
  customer(
    'PRIVATE',
    '03818800036',
    'Nils Øvrebø',
    [
      account('95360577830', 'NOK', 'Brukskonto', 62_940_00n),
      account('95360578209', 'EUR', 'Valutakonto', 1_480_00n),
    ],
    '95379010602',
  ),
  customer(
    'PRIVATE',
    '15848300060',
    'Ingrid Forsøk',
    [
      account('95360578578', 'NOK', 'Brukskonto', 9_215_25n),
      account('95360578942', 'EUR', 'Valutakonto', 5_600_00n),
    ],
    '95379010734',
  ),
  customer(
    'PRIVATE',
    '22867100044',
    'Máret Dáhtá',
    [
      account('95360579310', 'NOK', 'Brukskonto', 230_000_00n),
      account('95360580424', 'EUR', 'Valutakonto', 12_000_00n),
    ],
    '95379010866',
  ),
  customer('CORPORATE', '05829210160', 'Fjord & Fjell AS', [
    account('95360576346', 'NOK', 'Driftskonto', 18_400_000_00n, 120),
    account('95360576710', 'EUR', 'Valutakonto', 640_000_00n),
  ]),
  customer('CORPORATE', '17887610096', 'Prøvebakeriet AS', [
    account('95360577083', 'NOK', 'Driftskonto', 2_310_000_00n, 120),
    account('95360577458', 'NOK', 'Skattetrekkskonto', 410_000_00n),
  ]),
  customer('CORPORATE', '09859000182', 'Nordlys Test AS', [
    account('95360580793', 'NOK', 'Driftskonto', 5_120_000_00n, 120),
    account('95360581161', 'NOK', 'Skattetrekkskonto', 275_000_00n),
  ]),
];

/**
 * Who takes part in the agreement of each corporation next to its own representative. The first private customer acts
 * for both, so that there is a choice of agreement, and may only look at the accounts of the second.
 */
const initialParticipants: readonly {
  readonly owner: string;
  readonly customerNumber: string;
  readonly mayPay: boolean;
}[] = [
  { owner: '05829210160', customerNumber: '01819010001', mayPay: true },
  { owner: '17887610096', customerNumber: '01819010001', mayPay: false },
  ...['01819010192', '03818800036', '15848300060', '22867100044'].map((customerNumber) => ({
    owner: '05829210160',
    customerNumber,
    mayPay: true,
  })),
];

const purchases = [
  { counterparty: 'Matbutikken på hjørnet', text: 'Varekjøp', amount: -432_50n },
  { counterparty: 'Byens Trikk AS', text: 'Månedskort', amount: -819_00n },
  { counterparty: 'Kraftlaget SA', text: 'Strøm', amount: -1_204_33n },
  { counterparty: 'Kaffebaren', text: 'Kaffe', amount: -52_00n },
  { counterparty: 'Arbeidsgiver AS', text: 'Lønn', amount: 2_650_00n },
] as const;
const otherAccount = '86011117947';

/** A transaction for every day of the history, and two that are pending: one of them dated in the future. */
function initialTransactions(bban: string, history: number, today: Date): readonly AccountTransaction[] {
  const entry = (daysAgo: number, bookingStatus: AccountTransaction['bookingStatus']): AccountTransaction => {
    const date = isoDate(daysBefore(today, daysAgo));
    const purchase = purchases[(daysAgo + purchases.length) % purchases.length] ?? purchases[0];
    return {
      transactionId: nameUuid('transaction', bban, bookingStatus, String(history - daysAgo)),
      bookingStatus,
      bookingDate: date,
      valueDate: date,
      ...purchase,
      counterpartyAccount: otherAccount,
    };
  };
  const booked = Array.from({ length: history }, (_, index) => entry(history - index, 'booked'));
  return [...booked, entry(0, 'pending'), entry(-3, 'pending')];
}

/** Card purchases at home and abroad; the newest is pending. */
function initialCardTransactions(card: string, today: Date): readonly CardTransaction[] {
  return Array.from({ length: 12 }, (_, index): CardTransaction => {
    const daysAgo = (11 - index) * 4;
    const abroad = index % 3 === 0;
    return {
      transactionId: nameUuid('card transaction', card, String(index)),
      bookingStatus: daysAgo === 0 ? 'pending' : 'booked',
      transactionDate: isoDate(daysBefore(today, daysAgo + 1)),
      bookingDate: isoDate(daysBefore(today, daysAgo)),
      amount: abroad ? -236_00n : -189_00n,
      original: abroad ? { amount: -20_00n, currency: 'EUR' } : { amount: -189_00n, currency: 'NOK' },
      merchant: abroad ? 'Café Beispiel' : 'Bokhandelen',
      city: abroad ? 'Berlin' : 'Oslo',
    };
  });
}

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

const accountIdOf = (bban: string): string => nameUuid('account', bban);

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
