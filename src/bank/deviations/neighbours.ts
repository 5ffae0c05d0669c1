import { has, isObject, memberAt, textAt } from '../../spec/json.ts';
import { everyProduct, fieldRequirement } from '../../spec/products.ts';
import { type Deviation, deviation, of, overlooking, overlooks } from './deviation.ts';

/** Where an account has no IBAN there is nothing to be wrong. */
function isRightAtAnyLength(body: unknown, account: string): boolean {
  const iban = textAt(body, account, 'iban');
  if (iban === undefined) return true;
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban)) return false;
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n === 1n;
}

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** The requirement that the amount is a string, of each product. */
const amountIsText = everyProduct.map((product) =>
  fieldRequirement(product, 'instructedAmount.amount', 'type'),
);

/** Banks that look at something next to what they should look at. */
// biome-ignore format: a table
export const neighbourDeviations: readonly Deviation[] = [
  ...(['NCB-18', 'NCB-36'] as const).map((requirement) =>
    overlooks(`${requirement}/by-check-digits`, 'takes every IBAN whose check digits are right, however long it is',
      ({ body }) => ['creditorAccount', 'debtorAccount'].every((account) => isRightAtAnyLength(body, account)))),
  ...(['ISK', 'EUR'] as const).map((currency) =>
    deviation(`AMT-04/numbers-in-${currency}`, `takes JSON numbers as amounts in ${currency}`,
      overlooking(of(...amountIsText), ({ body }) =>
        typeof memberAt(body, 'instructedAmount', 'amount') === 'number' && textAt(body, 'instructedAmount', 'currency') === currency))),
  overlooks('REM-01/type-instead', 'takes a structured reference that has a type in place of a reference',
    ({ body }) =>
      [memberAt(body, 'remittanceInformationStructured'), memberAt(body, 'remittanceInformationStructuredArray')].flat().some((each) =>
        has(each, 'referenceType'))),
  overlooks('REM-01/nothing-single', 'takes a remittanceInformationStructured with nothing in it',
    ({ body }) => isEmpty(memberAt(body, 'remittanceInformationStructured'))),
  overlooks('REM-01/nothing-array', 'takes an element of remittanceInformationStructuredArray with nothing in it',
    ({ body }) => [memberAt(body, 'remittanceInformationStructuredArray')].flat().some(isEmpty)),
];
