import { purposeCodes, regulatoryReportingCodes } from '../../spec/code-lists.ts';
import { countries } from '../../spec/countries.ts';
import { monthsOfThirtyDays } from '../../spec/formats.ts';
import { memberAt, textAt } from '../../spec/json.ts';
import { everyProduct, fieldRequirement, products } from '../../spec/products.ts';
import { type DesignChange, withVerdicts } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { kidAccount } from '../rules/kid-rules.ts';
import {
  both,
  crossBorder,
  type Deviation,
  deviation,
  domestic,
  inBody,
  inOneContext,
  isNull,
  not,
  overlooks,
  refuses,
  withBody,
} from './deviation.ts';
import { isInKroner, isLarge, takingForKids } from './payment-bodies.ts';

/** Codes that a bank looks for in the text of the whole list. */
const searchedLists = [
  ...everyProduct.flatMap((product) => [
    { product, field: 'creditorAddress.country', list: [...countries].join() },
    { product, field: 'purposeCode', list: [...purposeCodes].join() },
  ]),
  {
    product: products.crossBorder,
    field: 'regulatoryReportingCode',
    list: [...regulatoryReportingCodes].join(),
  },
].map(({ field, ...rest }) => ({ ...rest, field, path: field.split('.') }));

const isFewKroner = both(isInKroner, not(isLarge));

const unstructuredIn = ({ body }: BankRequest): string =>
  textAt(body, 'remittanceInformationUnstructured') ?? '';

const singleReference = 'remittanceInformationStructured';
const referenceArray = 'remittanceInformationStructuredArray';
const referencesIn = ({ body }: BankRequest): readonly unknown[] => {
  const references = memberAt(body, referenceArray);
  return Array.isArray(references) ? references : [];
};

/** Of several references some are looked at alone. */
const lookingAt = (choose: (references: readonly unknown[]) => readonly unknown[]): DesignChange =>
  withVerdicts(
    ({ requirement }) => requirement.startsWith('REM-'),
    (refusesIt, request, state) => {
      const references = referencesIn(request);
      const chosen = { ...Object(request.body), [referenceArray]: choose(references) };
      return refusesIt(references.length === 0 ? request : withBody(request, chosen), state);
    },
  );

/** Values of a payment that are almost right, or that are right and not taken. */
// biome-ignore format: a table
export const paymentValueDeviations: readonly Deviation[] = [
  ...searchedLists.flatMap(({ product, field, list, path }) => {
    const requirement = fieldRequirement(product, field, 'values');
    const searching = overlooks(
      `${requirement}/part-of-a-code`,
      `takes a part of a code for one, in ${field}`,
      ({ body }) => list.includes(textAt(body, ...path) ?? ''),
    );
    // So many wrong ones are sent of these that each is sent once.
    return field === 'regulatoryReportingCode' ? inOneContext(searching) : [searching];
  }),
  ...everyProduct.map((product) => fieldRequirement(product, 'requestedExecutionDate', 'format')).flatMap((requirement) =>
    [
      overlooks(`${requirement}/leap-day`, 'takes the 29th of February in every year', inBody('requestedExecutionDate', /^\d{4}-02-29$/)),
      ...inOneContext(
        overlooks(`${requirement}/every-fourth-year`, 'takes the 29th of February in every fourth year', inBody('requestedExecutionDate', '2100-02-29')),
        overlooks(`${requirement}/with-a-time-of-utc`, 'takes a date with a time and a Z behind it',
          inBody('requestedExecutionDate', /^\d{4}-\d\d-\d\dT.*Z$/), 'EXD-02'),
        overlooks(`${requirement}/with-a-line-end`, 'takes the end of a line behind a date', inBody('requestedExecutionDate', /^\d{4}-\d\d-\d\d\n$/), 'EXD-02'),
        overlooks(`${requirement}/wide-digits`, 'takes a date in digits of full width', inBody('requestedExecutionDate', /^[０-９]{4}-/)),
        ...monthsOfThirtyDays.map(([month, name]) =>
          overlooks(`${requirement}/31st-of-${name.toLowerCase()}`, `takes a 31st of ${name}`,
            ({ body }) => (textAt(body, 'requestedExecutionDate') ?? '').endsWith(`-${month}-31`))),
      ),
    ]),
  ...inOneContext(...(['NCB-48', 'NCB-50'] as const).map((requirement) =>
    overlooks(`${requirement}/only-where-required`, 'looks at what is reported of a transfer in kroner only where that is required', isFewKroner))),
  ...([['NDC-69', products.domestic], ['NCB-69', products.crossBorder]] as const).flatMap(([requirement, { creation }]) =>
    inOneContext(...([8, 11] as const).map((length) =>
      refuses(`${requirement}/no-bic-of-${length}`, `takes no BIC of ${length} characters`,
        [creation], ({ body }) => textAt(body, 'creditorAgent')?.length === length)))),
  ...inOneContext(
    ...([
      ['NDC-61', 'debtorAccount', 'bban'],
      ['NCB-60', 'creditorAccount', 'bban'],
      ['NCB-62', 'debtorAccount', 'bban'],
      ['NCB-64', 'creditorAgent', 'creditorAgent'],
    ] as const).map(([requirement, where, name]) =>
      overlooks(`${requirement}/null`, `takes a member that is null for one that is there, in ${where}`, isNull(name))),
    overlooks('NCB-64/not-in-dollars', 'does not demand creditorAgent next to a BBAN where the amount is in USD', inBody('instructedAmount.currency', 'USD')),
    overlooks('NCB-64/not-in-kroner', 'does not demand creditorAgent next to a BBAN where the account is in NOK', inBody('creditorAccount.currency', 'NOK')),
    refuses('NCB-69/postal-codes', 'takes no letter in a postal code', crossBorder, inBody('creditorAddress.postalCode', /[A-Z]/i)),
    ...([
      ['postal-codes', 'letter in a postal code', 'postalCode', /[A-Z]/i],
      ['four-digits', 'postal code that has not four digits', 'postalCode', /^(?!\d{4}$)./],
      ['one-word', 'city whose name has more than one word', 'city', / /],
    ] as const).map(([way, what, member, form]) =>
      refuses(`NDC-69/${way}`, `takes no ${what} in a domestic payment`, domestic, ({ body }) => form.test(textAt(body, 'creditorAddress', member) ?? ''))),
    ...([['street', 'city'], ['street', 'buildingNumber']] as const).map(([member, other]) =>
      refuses(`NCB-69/${member}-with-${other}`, `takes no ${member} of a creditor abroad without ${other}`,
        crossBorder, ({ body }) => memberAt(body, 'creditorAddress', member) !== undefined && memberAt(body, 'creditorAddress', other) === undefined)),
    refuses('NCB-69/one-word', 'takes no city whose name has more than one word in a cross-border payment', crossBorder, inBody('creditorAddress.city', / /)),
    refuses('NDC-69/in-one-message', 'has room for 200 characters in all texts of a domestic payment together',
      domestic, ({ body }) => [textAt(body, 'creditorName'), textAt(body, 'creditorAddress', 'street'), textAt(body, 'ultimateDebtor')].join('').length > 200),
    ...([
      ['in-the-single-form', 'a reference in the single form', (body: unknown) => memberAt(body, singleReference)],
      ['in-the-array', 'references in the array form', (body: unknown) => memberAt(body, referenceArray)],
    ] as const).map(([way, what, find]) =>
      refuses(`NDC-62/not-with-references-${way}`, `takes no payment from a card account with ${what}`,
        domestic, ({ body }) => memberAt(body, 'debtorAccount', 'other') !== undefined && find(body) !== undefined)),
    refuses('NDC-62/not-without-remittance', 'demands remittance information of a payment from a card account',
      domestic,
      ({ body }) =>
        memberAt(body, 'debtorAccount', 'other') !== undefined && !Object.keys(Object(body)).some((name) => name.startsWith('remittanceInformation'))),
    overlooks('REM-01/null', 'passes by an element of remittanceInformationStructuredArray that is null',
      (request) => referencesIn(request).includes(null), 'NDC-51'),
    overlooks('NCB-48/decimal', 'reads reporting codes as numbers, with a fraction of nothing', inBody('regulatoryReportingCode', /^\d\d\.0$/)),
    ...everyProduct.map((product) =>
      overlooks(`${fieldRequirement(product, 'purposeCode', 'values')}/line-end`, `takes the end of a line behind a purposeCode (${product.word})`,
        ({ body }) => (textAt(body, 'purposeCode') ?? '').endsWith('\n'))),
    refuses('NDC-65/types-alike', 'takes no references of which some have a type and others none',
      domestic, (request) => new Set(referencesIn(request).map((each) => textAt(each, 'referenceType'))).size > 1),
    refuses('NDC-69/house-numbers', 'takes no letter in the number of a house', domestic, inBody('creditorAddress.buildingNumber', /[A-Z]/i)),
  ),
  ...([
    ['the-last', 'the last reference', (references: readonly unknown[]) => references.slice(-1)],
    ['the-first', 'the first reference', (references: readonly unknown[]) => references.slice(0, 1)],
    ['two', 'the first two references', (references: readonly unknown[]) => references.slice(0, 2)],
  ] as const).map(([way, what, choose]) =>
    deviation(`REM-01/${way}-alone`, `looks at ${what} of an array alone`, lookingAt(choose))),
  ...inOneContext(...([['array', referenceArray], ['single', singleReference]] as const).map(([form, member]) =>
    refuses(`REM-11/unseen-${form}`, `misses the KID that an account demands when it stands in ${member}`,
      domestic,
      ({ body }) => textAt(body, 'creditorAccount', 'bban') === kidAccount && memberAt(body, member) !== undefined,
      { status: 400, code: 'KID_MISSING' }))),
  ...[1, 2].map((most) =>
    refuses(`NDC-65/${most}-at-most`, `takes no more than ${most} of the references of a payment`, domestic, (request) => referencesIn(request).length > most)),
  ...([['REM-07', 'referenceType'], ['REM-10', 'referenceIssuer']] as const).map(([requirement, member]) =>
    refuses(`${requirement}/shorter-in-the-second`, `takes less of a ${member} in the second element of an array`,
      domestic, (request) => (textAt(referencesIn(request)[1], member) ?? '').length > 34)),
  ...inOneContext(
    overlooks('NDC-63/same-text', 'takes a text next to a reference that says the same',
      (request) => referencesIn(request).some((one) => textAt(one, 'reference') === unstructuredIn(request))),
    overlooks('NDC-63/short-text', 'takes a text of a few letters next to references', (request) => unstructuredIn(request).length < 5),
    overlooks('NDC-63/long-text', 'takes a text next to references where it is longer than one of them may be',
      (request) => unstructuredIn(request).length > 35),
    overlooks('NDC-63/no-kid', 'takes a text next to references that are no numbers',
      (request) => referencesIn(request).every((one) => /\D/.test(textAt(one, 'reference') ?? ''))),
  ),
  deviation('ERR-02/any-hyphen', 'takes a hyphen for any check digit', takingForKids(/^\d+-$/)),
  ...inOneContext(...everyProduct.map(({ creation, word }) =>
    refuses(`AMT-01/few-oere-at-${word}`, `loses the zero before an øre, and takes no such amount (${word})`,
      [creation], inBody('instructedAmount.amount', /\.0[1-9]$/)))),
];
