import { ibanOf } from './check-digits.ts';
import type { Customer } from './customers.ts';
import { nameUuid } from './name-uuid.ts';

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

export interface InitialCustomer extends Customer {
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
export const initialCustomers: readonly InitialCustomer[] = [
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
  customer('CORPORATE', '05829210160', 'Fjord & Fjell AS', [
    account('95360576346', 'NOK', 'Driftskonto', 18_400_000_00n, 120),
    account('95360576710', 'EUR', 'Valutakonto', 640_000_00n),
  ]),
  customer('CORPORATE', '17887610096', 'Prøvebakeriet AS', [
    account('95360577083', 'NOK', 'Driftskonto', 2_310_000_00n, 120),
    account('95360577458', 'NOK', 'Skattetrekkskonto', 410_000_00n),
  ]),
];

/**
 * Who takes part in the agreement of each corporation next to its own representative. The first private customer acts
 * for both, so that there is a choice of agreement, and may only look at the accounts of the second.
 */
export const initialParticipants: readonly {
  readonly owner: string;
  readonly customerNumber: string;
  readonly mayPay: boolean;
}[] = [
  { owner: '05829210160', customerNumber: '01819010001', mayPay: true },
  { owner: '17887610096', customerNumber: '01819010001', mayPay: false },
  { owner: '05829210160', customerNumber: '01819010192', mayPay: true },
];
