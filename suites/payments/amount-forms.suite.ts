import { section, suite } from '../../src/checks/check.ts';
import { aPayment } from '../../src/checks/subject.ts';
import { accepts, refuses } from '../../src/checks/trial.ts';
import { decimal } from '../../src/payloads/amounts.ts';
import { once } from '../../src/spec/once.ts';
import { everyProduct, fieldRequirement, products } from '../../src/spec/products.ts';
import { amount, refusesAmounts } from './amount-twists.ts';

// The BIC is always there: a payment in another currency may be one to a currency account.
const payments = everyProduct.map((product) => ({
  suffix: product.suffix,
  of: aPayment(product, { with: ['creditorAgent'] }),
  form: fieldRequirement(product, 'instructedAmount.amount', 'format'),
}));

/** The same number in digits that begin at another place of Unicode: `\d` of some languages takes them. */
const inDigitsFrom =
  (zero: number) =>
  (plain: string): string =>
    plain.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

const otherDigits = [
  ['in Arabic-Indic digits', inDigitsFrom(0x0660)],
  ['in full-width digits', inDigitsFrom(0xff10)],
  ['with an underscore between thousands', (plain: string) => `1_${plain.slice(-6).padStart(6, '0')}`],
  ['behind its currency', (plain: string) => `NOK ${plain}`],
] as const;

/** As many kroner further on as it has øre: where one was paid before, the next to be drawn is another one. */
const kronerFrom = (minor: number): number => Math.floor(minor / 100) + (minor % 100);

/** Øre of which binary fractions hold a little less: 19.99 times 100 is 1998.9999999999998. Long stretches have none. */
const beyondBinary = (least: number): (() => readonly number[]) =>
  once(() =>
    Array.from({ length: 50_000 }, (_, index) => least + index).filter(
      (minor) => (minor / 100) * 100 < minor,
    ),
  );

const small = beyondBinary(102_400);
const large = beyondBinary(13_107_200);

/** Of the same size, since reporting goes with it. */
function heldShort(minor: number): number {
  const those = minor < (products.crossBorder.meantFromOere ?? 0) ? small() : large();
  return those[minor % those.length] ?? minor;
}

/** Right amounts that a bank does not take when it counts what is left of them after it has read them as numbers. */
const endings = [
  ['ends in two zeros', (minor: number) => kronerFrom(minor) * 100],
  ['ends in one zero', (minor: number) => kronerFrom(minor) * 100 + 10 * (1 + (minor % 9))],
  ['has less than ten øre behind its point', (minor: number) => kronerFrom(minor) * 100 + 1 + (minor % 9)],
  ['is one that no binary fraction holds', heldShort],
] as const;

export default suite(
  'Forms of an amount',
  section('Resources and their fields', 'Shared value types'),
  () => [
    payments.map(({ suffix, of }) =>
      accepts({
        id: `AMT-01-endings${suffix}`,
        requirement: 'AMT-01',
        title: `${of.title} is accepted whichever digits its amount ends in`,
        of,
        twists: endings.map(([label, of]) => ({
          ...amount(`the amount ${label}`, 'NOK', (minor, digits) => decimal(of(minor), digits)),
          isOneOfMany: true as const,
        })),
        cases: 1,
      }),
    ),
    payments.map((payment) =>
      refusesAmounts('AMT-05', payment, {
        id: 'AMT-05-digits',
        title: `${payment.of.title} whose amount is written in other digits, with an underscore or with its currency is refused`,
        levelUnder: ({ amountForm }) => (amountForm === 'plain-decimal' ? 'must' : undefined),
        twists: otherDigits.map(([how, write]) =>
          amount(`the amount is written ${how}`, 'NOK', (minor, digits) => write(decimal(minor, digits))),
        ),
        cases: 1,
      }),
    ),
    payments.map(({ suffix, of }) =>
      refuses({
        id: `AMT-05-loose${suffix}`,
        requirement: 'AMT-05',
        title: `${of.title} whose amount has nothing on one side of its point, or a leading zero, is refused`,
        // Nothing is said of them, and readers of decimal numbers take them for what they mean.
        levelUnder: ({ amountForm }) => (amountForm === 'plain-decimal' ? 'advisory' : undefined),
        of,
        twists: [
          amount('the amount begins with its point', 'NOK', (minor) => `.${String((minor % 90) + 10)}`),
          amount('the amount in JPY ends with a point', 'JPY', (minor) => `${minor}.`),
          amount('the amount begins with a zero', 'NOK', (minor, digits) => `0${decimal(minor, digits)}`),
        ],
        cases: 1,
      }),
    ),
  ],
);
