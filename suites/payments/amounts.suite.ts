import { section, suite } from '../../src/checks/check.ts';
import { accepted, type Expectation } from '../../src/checks/expectation.ts';
import { aPayment } from '../../src/checks/subject.ts';
import { accepts, refuses, type Twist } from '../../src/checks/trial.ts';
import { decimal } from '../../src/payloads/amounts.ts';
import { words } from '../../src/spec/countries.ts';
import { currencies, doubtfulCurrencies, judgedCurrencies, minorUnits } from '../../src/spec/currencies.ts';
import { everyProduct, fieldRequirement } from '../../src/spec/products.ts';
import { amount, refusesAmounts } from './amount-twists.ts';
import { carrierOf, exemplary, inEachCurrency, rightAmountsOf, rightDigits } from './carried-lists.ts';

// The BIC is always there: a payment in another currency may be one to a currency account.
const payments = everyProduct.map((product, place) => ({
  // Most currencies have two digits: that a table lacks one of them shows with a digit too many or too few, in either product.
  sharesTooMany: { place, among: 2 * everyProduct.length },
  sharesTooFew: { place: everyProduct.length + place, among: 2 * everyProduct.length },
  product,
  carrier: carrierOf(product),
  suffix: product.suffix,
  of: aPayment(product, { with: ['creditorAgent'] }),
  form: fieldRequirement(product, 'instructedAmount.amount', 'format'),
  type: fieldRequirement(product, 'instructedAmount.amount', 'type'),
  listed: fieldRequirement(product, 'instructedAmount.currency', 'values'),
}));

/** Whoever complains of the currency does not know it; else it is the digits. */
const acceptedOrElse = (listed: string): Expectation => ({
  ...accepted(),
  breaks: ({ messages }) =>
    messages.some(({ path }) => path?.includes('currency') === true) ? ['AMT-01', listed] : undefined,
});

const tooMany = (currency: string, extra: number): Twist =>
  amount(
    `the amount in ${currency} has ${(minorUnits.get(currency) ?? 0) + extra} fraction digits`,
    currency,
    (minor, digits) => decimal(minor * 10 ** extra + 1, digits + extra),
  );

/** What is too many remains so when it is nothing. */
const tooManyZeros = (currency: string): Twist =>
  amount(`the amount in ${currency} has a zero too many`, currency, (minor, digits) =>
    digits === 0 ? `${minor}.00` : `${decimal(minor, digits)}0`,
  );

const tooFew = (currency: string, digits: number): Twist =>
  amount(`the amount in ${currency} has ${digits} fraction digits`, currency, (minor) =>
    decimal(minor, digits),
  );

const withFraction = judgedCurrencies.filter((currency) => minorUnits.get(currency) !== 0);
/** Tables of cash give them no fraction; whoever goes by both kinds of tables takes whole amounts. */
const hasNoCoins: ReadonlySet<string> = new Set(
  words('AFN ALL COP HUF IDR IRR KPW LAK LBP MMK PKR RSD SOS SYP TWD TZS UZS YER'),
);
const doubtful = currencies.filter((currency) => doubtfulCurrencies.has(currency));

/** Ways to write the amount `plain` so that it is no decimal number, which has fraction digits as it should. */
const notAmounts: readonly [label: string, write: (plain: string) => string][] = [
  ['has an exponent', (plain) => `${plain}e0`],
  ['has a plus sign', (plain) => `+${plain}`],
  ['has a decimal comma', (plain) => plain.replace('.', ',')],
  ['has a space between thousands', (plain) => `1 ${plain.slice(-6).padStart(6, '0')}`],
  ['has two decimal points', (plain) => `1.${plain}`],
  ['has a comma between thousands', (plain) => `1,${plain.slice(-6).padStart(6, '0')}`],
  ['has its currency in it', (plain) => `${plain} NOK`],
];

/** Forms that one reader of numbers or another takes, each of them rare. */
const rareForms: readonly [label: string, write: (plain: string) => string][] = [
  ['has an exponent in a capital letter', (plain) => `${plain}E0`],
  ['has an apostrophe between thousands', (plain) => `1'${plain.slice(-6).padStart(6, '0')}`],
  ['has points between thousands and a decimal comma', germanStyle],
];

function germanStyle(plain: string): string {
  const [whole = '', fraction] = plain.split('.');
  return `${whole.replace(/(\d)(?=(?:\d{3})+$)/g, '$1.')},${fraction}`;
}

/** Ways to owe somebody something, next to a sign in front. */
const negatives: readonly [label: string, write: (plain: string) => string][] = [
  ['is less than a krone below nothing', (plain) => `-0.${plain.slice(-1)}5`],
  ['has its sign behind it', (plain) => `${plain}-`],
  ['has the minus sign of typographers', (plain) => `\u2212${plain}`],
];

const oneOfMany = (twist: Twist): Twist => ({ ...twist, isOneOfMany: true });

const written = (forms: readonly [label: string, write: (plain: string) => string][]): readonly Twist[] =>
  forms.map(([label, write]) =>
    amount(`the amount ${label}`, 'NOK', (minor, digits) => write(decimal(minor, digits))),
  );

/** Without fraction digits no rule on them stands in the way: whoever counts them behind a point finds none here. */
const notAmountsInYen: readonly [label: string, write: (plain: string) => string][] = [
  ['has an exponent', () => '1e3'],
  ['is infinite', () => 'Infinity'],
  ['is hexadecimal', () => '0x1F'],
  ['is a word', () => 'hundred'],
  ['is empty', () => ''],
  ['has a decimal comma', (plain) => `${plain},50`],
  ['has a comma between thousands', (plain) => `1,${plain.slice(-3).padStart(3, '0')}`],
];

export default suite(
  'Amounts and minor units',
  section('Resources and their fields', 'Shared value types'),
  () => [
    payments.map(({ suffix, of, listed, carrier, product }) =>
      accepts({
        id: `AMT-01${suffix}`,
        requirement: 'AMT-01',
        others: [listed],
        expected: acceptedOrElse(listed),
        title: `${of.title} with exactly the minor units of its currency is accepted, in every currency`,
        of,
        twists: rightAmountsOf(product),
        carrier,
      }),
    ),
    payments.map(({ sharesTooMany: sharesList, ...payment }) =>
      refusesAmounts('AMT-02', payment, {
        title: `${payment.of.title} with more fraction digits than its currency has is refused`,
        sharesList,
        twists: inEachCurrency(judgedCurrencies, (currency) => [
          ...(exemplary.has(currency) ? [tooManyZeros(currency)] : []),
          // Whoever has the wrong digits of such a currency has two.
          tooMany(currency, minorUnits.get(currency) === 0 && !exemplary.has(currency) ? 2 : 1),
          // Five digits are the most by contract (Shared value types), six are more than any currency has.
          ...(currency === 'NOK' ? [2, 3, 4].map((extra) => tooMany(currency, extra)) : []),
        ]),
      }),
    ),
    payments.map(({ sharesTooFew: sharesList, ...payment }) =>
      refusesAmounts('AMT-03', payment, {
        title: `${payment.of.title} with fewer fraction digits than its currency has is refused`,
        levelUnder: ({ amountFractionDigits }) => (amountFractionDigits === 'exact' ? 'must' : undefined),
        sharesList,
        twists: inEachCurrency(withFraction, (currency) => [
          tooFew(currency, hasNoCoins.has(currency) ? 0 : (minorUnits.get(currency) ?? 1) - 1),
          // Tables of cash give the dinar of Iraq no fraction; where payments there are refused, this alone shows it.
          ...(exemplary.has(currency) || currency === 'IQD' ? [tooFew(currency, 0)] : []),
        ]),
      }),
    ),
    payments.map(({ suffix, of, type }) =>
      refuses({
        id: `AMT-04${suffix}`,
        requirement: 'AMT-04',
        others: [type],
        title: `${of.title} whose amount is a JSON number is refused`,
        of,
        twists: [
          // Written as text, the numbers have the right digits: a bank that converts them finds nothing else wrong.
          amount(
            'the amount in NOK is a JSON number',
            'NOK',
            (minor) => (Math.floor(minor / 100) * 100 + 45) / 100,
          ),
          amount('the amount in JPY is a JSON number', 'JPY', (minor) => minor),
          // A currency may have rules of its own, and that of a neighbour has the more.
          oneOfMany(amount('the amount in ISK is a JSON number', 'ISK', (minor) => minor)),
          oneOfMany(
            amount(
              'the amount in EUR is a JSON number',
              'EUR',
              (minor) => (Math.floor(minor / 100) * 100 + 45) / 100,
            ),
          ),
        ],
      }),
    ),
    payments.map((payment) =>
      refusesAmounts('AMT-05', payment, {
        title: `${payment.of.title} whose amount is no plain decimal number is refused`,
        levelUnder: ({ amountForm }) => (amountForm === 'plain-decimal' ? 'must' : undefined),
        twists: [
          ...written(notAmounts),
          ...notAmountsInYen.map(([label, write]) =>
            amount(`the amount in JPY ${label}`, 'JPY', (minor, digits) => write(decimal(minor, digits))),
          ),
          amount('the amount in KWD has a decimal comma', 'KWD', (minor, digits) =>
            decimal(minor, digits).replace('.', ','),
          ),
          ...written(rareForms).map(oneOfMany),
          oneOfMany(amount('the amount in JPY is no number', 'JPY', () => 'NaN')),
        ],
      }),
    ),
    payments.map(({ suffix, of }) =>
      refuses({
        id: `AMT-05-space${suffix}`,
        requirement: 'AMT-05',
        title: `${of.title} with white space around its amount is refused`,
        // Nothing is said of white space, and many readers of numbers pass it by.
        levelUnder: () => 'advisory',
        of,
        twists: [
          amount('the amount has a space before it', 'NOK', (minor, digits) => ` ${decimal(minor, digits)}`),
          amount('the amount has a space behind it', 'NOK', (minor, digits) => `${decimal(minor, digits)} `),
          oneOfMany(
            amount('a line ends behind the amount', 'NOK', (minor, digits) => `${decimal(minor, digits)}\n`),
          ),
        ],
      }),
    ),
    payments.map((payment) =>
      refusesAmounts('AMT-06', payment, {
        title: `${payment.of.title} with a negative amount is refused`,
        levelUnder: ({ amountForm }) => (amountForm === 'plain-decimal' ? 'must' : undefined),
        twists: [
          ...[...exemplary].map((currency) =>
            amount(
              `the amount in ${currency} is negative`,
              currency,
              (minor, digits) => `-${decimal(minor, digits)}`,
            ),
          ),
          ...written(negatives).map(oneOfMany),
        ],
      }),
    ),
    payments.map((payment) =>
      refusesAmounts('AMT-07', payment, {
        title: `${payment.of.title} with an amount of more than 18 digits is refused`,
        twists: [
          amount('the amount has 19 digits', 'NOK', () => `${'1'.repeat(17)}.00`),
          amount('the amount in JPY has 19 digits', 'JPY', () => '1'.repeat(19)),
          amount('the amount has 30 digits', 'NOK', () => `${'9'.repeat(28)}.00`),
        ],
        cases: 2,
      }),
    ),
    payments.map(({ suffix, of, product }) =>
      accepts({
        id: `AMT-08${suffix}`,
        requirement: 'AMT-08',
        title: `${of.title} in a withdrawn currency or MGA is accepted with its minor units`,
        of,
        twists: doubtful.map((currency) => rightDigits(currency, product.name)),
      }),
    ),
  ],
);
