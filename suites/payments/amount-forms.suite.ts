import { section, suite } from '../../src/checks/check.ts';
import { aPayment } from '../../src/checks/subject.ts';
import { refuses } from '../../src/checks/trial.ts';
import { decimal } from '../../src/payloads/amounts.ts';
import { everyProduct, fieldRequirement } from '../../src/spec/products.ts';
import { amount } from './amount-twists.ts';

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

export default suite('Forms of an amount', section('Resources and their fields', 'Shared value types'), [
  payments.map(({ suffix, of, form }) =>
    refuses({
      id: `AMT-05-digits${suffix}`,
      requirement: 'AMT-05',
      others: [form],
      title: `${of.title} whose amount is written in other digits, with an underscore or with its currency is refused`,
      levelUnder: ({ amountForm }) => (amountForm === 'plain-decimal' ? 'must' : undefined),
      of,
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
]);
