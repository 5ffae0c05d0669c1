import { memberAt } from '../../spec/json.ts';
import { limits } from '../../spec/limits.ts';
import { everyProduct, fieldRequirement } from '../../spec/products.ts';
import { type DesignChange, withField, withLimits } from '../design/design-changes.ts';
import {
  advised,
  both,
  type Condition,
  type Deviation,
  each,
  everywhere,
  inBody,
  isNull,
  type More,
  not,
  of,
  once,
  overlooking,
  table,
} from './deviation.ts';

const amount = (form: RegExp | string | ((amount: string) => boolean)) =>
  inBody('instructedAmount.amount', form);
const currency = (form: RegExp | string) => inBody('instructedAmount.currency', form);
const value =
  (isMeant: (amount: unknown) => boolean): Condition =>
  ({ body }) =>
    isMeant(memberAt(body, 'instructedAmount', 'amount'));

/** The requirement that the amount is a string, of each product. */
const amountIsText = everyProduct.map((product) =>
  fieldRequirement(product, 'instructedAmount.amount', 'type'),
);

const withDigits =
  (digitsOf: (currency: string, digits: number | undefined) => number | undefined): DesignChange =>
  (design) => ({
    ...design,
    minorUnits: new Map([...design.minorUnits].map(([code, digits]) => [code, digitsOf(code, digits)])),
  });

/** What `Intl` knows: the habits of cash, which are not ISO 4217. */
const digitsByIntl = (code: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
    .maximumFractionDigits ?? 2;

/** What the bank takes, and the amounts that its rule overlooks so. */
const taking = (
  ...several: readonly (readonly [
    id: `${string}/${string}`,
    what: string,
    taken: RegExp | Condition,
    more?: More,
  ])[]
): readonly Deviation[] =>
  each(several, (id, what, taken, more = {}) => [
    id,
    `takes ${what}`,
    { overlook: taken instanceof RegExp ? amount(taken) : taken },
    more,
  ]);

const currencies = ['instructedAmount.currency', 'creditorAccount.currency', 'debtorAccount.currency'];

// biome-ignore format: a table
export const amountDeviations = table(
  // Copied with a gap: whatever has a currency in the bodies of one product.
  each(everyProduct, (product) => each(['THB', 'MXN'], (code) => [
    `${fieldRequirement(product, 'instructedAmount.currency', 'values')}/knows-no-${code}`, `does not know ${code}, in ${product.word} payments`,
    currencies.map((field) => withField(product.body, field, ({ values = [], ...rest }) => ({ ...rest, values: values.filter((each) => each !== code) }))),
    { also: ['AMT-01', ...currencies.map((field) => fieldRequirement(product, field, 'values'))], ...once }])),
  each([['whole', 'no whole amounts', /\.00$/], ['trailing-zero', 'no amount that ends in one zero', /[1-9]0$/]], (way, what, form) =>
    [`AMT-01/${way}`, `takes ${what}`, { refuse: both(currency('NOK'), amount(form)) }, { ...everywhere, ...once }]),
  ['AMT-01/in-binary', 'counts fraction digits in binary fractions',
    { refuse: both(currency('NOK'), amount((text) => Number(text) * 100 < Math.round(Number(text) * 100))) }, { ...everywhere, ...once }],
  ['AMT-01/digits-by-intl', 'counts fraction digits by Intl instead of ISO 4217', withDigits(digitsByIntl)],
  ['AMT-01/always-two', 'wants two fraction digits in every currency', withDigits(() => 2)],
  ['AMT-01/yen-with-two', 'wants two fraction digits in yen', withDigits((code, digits) => (code === 'JPY' ? 2 : digits))],
  ['AMT-01/dinars-with-two', 'wants two fraction digits in dinars', withDigits((_, digits) => (digits === 3 ? 2 : digits))],
  taking(['AMT-02/one-more', 'one fraction digit too many', /^\d+\.\d{3}$/]),
  ['AMT-02/six-digits', 'cuts off what is behind five fraction digits', { overlook: amount(/\.\d{6}$/) }],
  taking(
    ['AMT-02/fractions-of-yen', 'fractions of yen', currency('JPY')],
    ['AMT-02/by-contract', 'the five fraction digits of the contract', /\.\d{1,5}$/],
    ['AMT-03/whole-amounts', 'whole amounts in every currency', /^\d+$/],
    ['AMT-03/whole-dinars', 'whole dinars of Iraq, as tables of cash have them', both(currency('IQD'), amount(/^\d+$/))],
    ['AMT-03/whole-by-cash', 'whole amounts in currencies of which there are no coins', both(currency(/^(?:HUF|IDR|LAK|LBP|MMK|RSD|TWD|UZS)$/), amount(/^\d+$/)), once],
    ['AMT-02/or-two-in-ISK', 'two fraction digits in krónur of Iceland as well', both(currency('ISK'), amount(/\.\d\d$/)), once],
    ['AMT-03/one-fewer', 'one fraction digit too few', /\.\d{1,2}$/]),
  ['AMT-04/whole-numbers', 'takes whole JSON numbers as amounts', overlooking(of(...amountIsText), value(Number.isInteger)), everywhere],
  ['AMT-04/fractions', 'takes JSON numbers with a fraction as amounts', overlooking(of(...amountIsText), value((each) => typeof each === 'number' && !Number.isInteger(each)))],
  each(amountIsText, (requirement) => [`${requirement}/lists`, 'takes a list of amounts for its first element', { overlook: value(Array.isArray) }]),
  taking(
    ['AMT-05/exponent', 'an exponent', /e\d+$/],
    ['AMT-05/capital-exponent', 'an exponent in a capital letter', /E\d+$/, once],
    ['AMT-05/apostrophe', 'an apostrophe between thousands', /'/, once],
    ['AMT-05/german', 'amounts as Germans write them', /^\d+(?:\.\d{3})+,\d\d$/, once],
    ['AMT-05/nan', 'what is no number', /^NaN$/, once],
    ['AMT-05/line-end', 'the end of a line behind an amount', /\n$/, { ...advised, ...once }]),
  each([['small', 'less than a krone below nothing', /^-0\./], ['sign-behind', 'a sign behind an amount', /-$/], ['typographers', 'the minus sign of typographers', /^\u2212/]], (way, what, form) =>
    [`AMT-06/${way}`, `takes ${what}`, { overlook: amount(form), with: ['AMT-05'] }, once]),
  taking(
    ['AMT-05/plus', 'a plus sign', /^\+/],
    ['AMT-05/comma', 'a decimal comma', /,/, everywhere],
    ['AMT-05/comma-in-JPY', 'a decimal comma in JPY alone', both(currency('JPY'), amount(/,/))],
    ['AMT-05/comma-in-KWD', 'a decimal comma in KWD alone', both(currency('KWD'), amount(/,/))],
    ['AMT-06/in-JPY', 'negative amounts in currencies without a smaller unit', currency('JPY')],
    ['AMT-05/space', 'white space around an amount', /^ | $/, { ...everywhere, ...advised }],
    ['AMT-05/arabic-digits', 'digits of every script', /^\p{Nd}*[٠-٩]\p{Nd}*\.?\p{Nd}*$/u, everywhere],
    ['AMT-05/full-width-digits', 'full-width digits', /[０-９]/],
    ['AMT-05/underscore', 'an underscore between thousands', /_/],
    ['AMT-05/bare-fraction', 'an amount that begins with its point', /^\./, { ...everywhere, ...advised }],
    ['AMT-05/bare-point', 'an amount that ends with a point', /\.$/, { ...everywhere, ...advised }],
    ['AMT-05/leading-zero', 'an amount with a zero before it', /^0\d/, { ...everywhere, ...advised }],
    ['AMT-05/thousands', 'a thousands separator', /^\d+ \d+\.\d+$/],
    ['AMT-05/two-points', 'two decimal points', /\..*\./],
    ['AMT-05/hexadecimal', 'hexadecimal numbers', /^0x/],
    ['AMT-05/words', 'words as amounts', /^[a-z]+$/],
    ['AMT-05/empty', 'an empty amount', amount('')],
    ['AMT-05/with-currency', 'an amount with its currency', / NOK$/]),
  ['AMT-07/one-longer', 'takes amounts of 19 digits', withLimits({ amountPrecision: 19 })],
);

/** Codes that ISO 4217 has withdrawn: a bank may have dropped them, which is told and not held against it. */
const withdrawn = /^(?:ANG|BGN|BYR|CUC|HRK|MRO|SLL|STD|VEF|ZWD)$/;

export const doubtfulDeviations = table([
  'AMT-08/dropped',
  'has dropped withdrawn currencies',
  { refuse: currency(withdrawn) },
  everywhere,
]);

const reports = ['regulatoryReportingCode', 'regulatoryReportingInformation'] as const;
const [hasCode, hasInformation] = [inBody(reports[0]), inBody(reports[1])] as const;

// biome-ignore format: a table
export const regulatoryDeviations = table(
  ['REG-01/only-above', 'needs no reporting code at exactly NOK 100 000', { overlook: amount('100000.00') }],
  ['REG-02/only-above', 'needs no reporting information at exactly NOK 100 000', { overlook: amount('100000.00') }],
  each([['REG-01', reports[0]], ['REG-02', reports[1]]], (requirement, field) => [`${requirement}/null`, `takes null for ${field}`, { overlook: isNull(field) }]),
  ['REG-01/empty', 'takes an empty regulatoryReportingCode', { overlook: inBody(reports[0], ''), with: ['NCB-48'] }],
  ['REG-01/only-at', 'needs a reporting code at exactly NOK 100 000 only', { overlook: not(amount('100000.00')) }],
  ['REG-02/only-at', 'needs reporting information at exactly NOK 100 000 only', { overlook: not(amount('100000.00')) }],
  each(['REG-01', 'REG-02'], (requirement) => [`${requirement}/below-a-million`, 'demands no report of transfers of a million kroner and more', { overlook: amount((text) => Number(text) >= 1_000_000) }]),
  each(['REG-01', 'REG-02'], (requirement) => [`${requirement}/32-bits`, 'counts øre in numbers of 32 bits, so that great transfers look small',
    { overlook: amount((text) => (Math.round(Number(text) * 100) | 0) < limits.regulatoryReportingFromOere) }]),
  each(['REG-01', 'REG-02'], (requirement) => table(
    [`${requirement}/not-to-germany`, 'demands no report of transfers to somebody in Germany', { overlook: inBody('creditorAddress.country', 'DE') }, once],
    [`${requirement}/not-to-kroner`, 'demands no report of transfers to an account in NOK', { overlook: inBody('creditorAccount.currency', 'NOK') }, once])),
  ['REG-01/one-of-the-two', 'is content with the reporting information alone', { overlook: hasInformation }],
  ['REG-02/one-of-the-two', 'is content with the reporting code alone', { overlook: hasCode }],
  ['REG-01/both-missing', 'wants both reporting fields, or none', { overlook: both(not(hasCode), not(hasInformation)), with: ['REG-02'] }],
  each([[reports[0], hasInformation], [reports[1], hasCode]], (field, hasOther) => [`REG-03/not-without-${field}`, `wants both reporting fields or none below NOK 100 000, and misses ${field} alone`,
    { refuse: both(hasOther, not(inBody(field))) }, once]),
  ['REG-03/one-oere-below', 'wants reporting from NOK 99 999.99', withLimits({ regulatoryReportingFromOere: 9_999_999 })],
);
