import { textAt } from '../../spec/json.ts';
import { creations } from '../../spec/products.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import { kidAccount } from '../rules/kid-rules.ts';
import { type Declared, type Dialect, declaring, dialect } from './dialect.ts';
import { alsoRefusing } from './own-choice.ts';

/** That every account can be paid is not said: a test bank may know a few, and refuse all others. */
const known = {
  domestic: [
    { bban: '86011117947', currency: 'NOK' },
    { bban: '60051234564', currency: 'EUR', agent: 'NDEANOKKXXX' },
  ],
  crossBorder: [
    { iban: 'SE4550000000058398257466', agent: 'ESSESESSXXX', currency: 'SEK', country: 'SE' },
    { bban: '021000021123456789', agent: 'CHASUS33XXX', currency: 'USD', country: 'US' },
  ],
} as const satisfies Required<Declared>['creditors'];

/** Some of them keep no accounts in other currencies at home. */
const knownInKroner = {
  ...known,
  domestic: known.domestic.filter(({ currency }) => currency === 'NOK'),
};

const numbersOf = ({ domestic, crossBorder }: typeof knownInKroner): ReadonlySet<string> =>
  new Set([
    kidAccount,
    ...[...domestic, ...crossBorder].map((account) => ('iban' in account ? account.iban : account.bban)),
  ]);

const numbers = numbersOf({ ...known, domestic: [...known.domestic] });

const creditorOf = ({ body }: BankRequest): string =>
  textAt(body, 'creditorAccount', 'iban') ?? textAt(body, 'creditorAccount', 'bban') ?? '';

const isOfCustomer = (number: string, { customers }: BankState): boolean =>
  customers.accountByReference({ bban: number, iban: undefined }) !== undefined;

/** The first digits of the accounts of one bank, which knows those that it keeps. */
const ownSeries = '8601';

const payingOnly = (payable: ReadonlySet<string>) =>
  alsoRefusing(
    creations,
    (request, state) => !payable.has(creditorOf(request)) && !isOfCustomer(creditorOf(request), state),
    { status: 404, code: 'RESOURCE_UNKNOWN' },
  );

/** Money is changed once at most. */
export const inOneOfTheirCurrencies = alsoRefusing(creations, ({ body }) =>
  ['creditorAccount', 'debtorAccount'].every(
    (name) => textAt(body, name, 'currency') !== textAt(body, 'instructedAmount', 'currency'),
  ),
);

export const creditorDialects: readonly Dialect[] = [
  declaring(
    { creditors: known },
    dialect('creditors/known', 'pays only accounts that it knows', payingOnly(numbers)),
  ),
  declaring(
    { creditors: knownInKroner },
    dialect(
      'creditors/known-in-kroner',
      'pays only accounts that it knows, at home in NOK alone',
      payingOnly(numbersOf(knownInKroner)),
    ),
  ),
  declaring(
    { creditors: known },
    dialect(
      'creditors/known-in-their-currencies',
      'pays only accounts that it knows, in the currency of one of the two accounts',
      payingOnly(numbers),
      inOneOfTheirCurrencies,
    ),
  ),
  dialect(
    'creditors/own-series',
    'knows the accounts of its own series, and refuses to pay others of it',
    alsoRefusing(creations, (request) => {
      const number = creditorOf(request);
      return number.startsWith(ownSeries) && !numbers.has(number);
    }),
  ),
];
