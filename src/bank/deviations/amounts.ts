import { memberAt, textAt } from '../../spec/json.ts';
import { limits } from '../../spec/limits.ts';
import { creations, everyProduct, fieldRequirement } from '../../spec/products.ts';
import { type DesignChange, withField, withLimits } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import {
  advisedAgainst,
  alsoAt,
  atPayments,
  crossBorder,
  type Deviation,
  deviation,
  inBody,
  inOneContext,
  isNull,
  of,
  overlooking,
  overlooks,
  refuses,
  rows,
} from './deviation.ts';

/** The requirement that the amount is a string, of each product. */
const amountIsText = everyProduct.map((product) =>
  fieldRequirement(product, 'instructedAmount.amount', 'type'),
);

const amountIn = ({ body }: BankRequest): string => textAt(body, 'instructedAmount', 'amount') ?? '';
const currencyIn = ({ body }: BankRequest): string => textAt(body, 'instructedAmount', 'currency') ?? '';
const valueIn = ({ body }: BankRequest): unknown => memberAt(body, 'instructedAmount', 'amount');

const withDigits =
  (digitsOf: (currency: string, digits: number | undefined) => number | undefined): DesignChange =>
  (design) => ({
    ...design,
    minorUnits: new Map(
      [...design.minorUnits].map(([currency, digits]) => [currency, digitsOf(currency, digits)]),
    ),
  });

/** What `Intl` knows: the habits of cash, which are not ISO 4217. */
const digitsByIntl = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

const taking = (pattern: RegExp): DesignChange =>
  overlooking(of('AMT-05'), (request) => pattern.test(amountIn(request)));

const fieldsOfCurrencies = ['instructedAmount', 'creditorAccount', 'debtorAccount'];

/** Copied with a gap: whatever has a currency in the bodies of one product. */
const unknownCurrencies = everyProduct.flatMap((product) =>
  ['THB', 'MXN'].map((currency) => ({
    ...deviation(
      `${fieldRequirement(product, 'instructedAmount.currency', 'values')}/knows-no-${currency}`,
      `does not know ${currency}, in ${product.word} payments`,
      ...fieldsOfCurrencies.map((field) =>
        withField(product.body, `${field}.currency`, ({ values = [], ...rest }) => ({
          ...rest,
          values: values.filter((value) => value !== currency),
        })),
      ),
    ),
    also: [
      'AMT-01',
      ...fieldsOfCurrencies.map((field) => fieldRequirement(product, `${field}.currency`, 'values')),
    ],
    inOneContext: true as const,
  })),
);

// biome-ignore format: a table
export const amountDeviations: readonly Deviation[] = [
  ...unknownCurrencies,
  ...inOneContext(...([
    ['whole', 'takes no whole amounts', (amount: string) => amount.endsWith('.00')],
    ['trailing-zero', 'takes no amount that ends in one zero', (amount: string) => /[1-9]0$/.test(amount)],
    ['in-binary', 'counts fraction digits in binary fractions', (amount: string) => Number(amount) * 100 < Math.round(Number(amount) * 100)],
  ] as const).flatMap(([way, title, isRefused]) =>
    alsoAt(atPayments, refuses(`AMT-01/${way}`, title, creations, (request) => currencyIn(request) === 'NOK' && isRefused(amountIn(request)))))),
  ...rows(
    ['AMT-01/digits-by-intl', 'counts fraction digits by Intl instead of ISO 4217', withDigits(digitsByIntl)],
    ['AMT-01/always-two', 'wants two fraction digits in every currency', withDigits(() => 2)],
    ['AMT-01/yen-with-two', 'wants two fraction digits in yen', withDigits((currency, digits) => (currency === 'JPY' ? 2 : digits))],
    ['AMT-01/dinars-with-two', 'wants two fraction digits in dinars', withDigits((_, digits) => (digits === 3 ? 2 : digits))],
  ),
  overlooks('AMT-02/one-more', 'takes one fraction digit too many', (request) => /^\d+\.\d{3}$/.test(amountIn(request))),
  overlooks('AMT-02/six-digits', 'cuts off what is behind five fraction digits', (request) => /\.\d{6}$/.test(amountIn(request))),
  overlooks('AMT-02/fractions-of-yen', 'takes fractions of yen', (request) => currencyIn(request) === 'JPY'),
  overlooks('AMT-02/by-contract', 'takes the five fraction digits of the contract', (request) => /\.\d{1,5}$/.test(amountIn(request))),
  overlooks('AMT-03/whole-amounts', 'takes whole amounts in every currency', (request) => /^\d+$/.test(amountIn(request))),
  overlooks('AMT-03/whole-dinars', 'takes whole dinars of Iraq, as tables of cash have them',
    (request) => currencyIn(request) === 'IQD' && /^\d+$/.test(amountIn(request))),
  ...inOneContext(
    overlooks('AMT-03/whole-by-cash', 'takes whole amounts in currencies of which there are no coins',
      (request) => /^(?:HUF|IDR|LAK|LBP|MMK|RSD|TWD|UZS)$/.test(currencyIn(request)) && /^\d+$/.test(amountIn(request))),
    overlooks('AMT-02/or-two-in-ISK', 'takes two fraction digits in krónur of Iceland as well',
      (request) => currencyIn(request) === 'ISK' && /\.\d\d$/.test(amountIn(request))),
  ),
  overlooks('AMT-03/one-fewer', 'takes one fraction digit too few', (request) => /\.\d{1,2}$/.test(amountIn(request))),
  ...alsoAt(
    atPayments,
    deviation('AMT-04/whole-numbers', 'takes whole JSON numbers as amounts', overlooking(of(...amountIsText), (request) => Number.isInteger(valueIn(request)))),
  ),
  deviation('AMT-04/fractions', 'takes JSON numbers with a fraction as amounts',
    overlooking(of(...amountIsText), (request) => typeof valueIn(request) === 'number' && !Number.isInteger(valueIn(request)))),
  ...amountIsText.map((id) => overlooks(`${id}/lists`, 'takes a list of amounts for its first element', (request) => Array.isArray(valueIn(request)))),
  deviation('AMT-05/exponent', 'takes an exponent', taking(/e\d+$/)),
  ...inOneContext(
    deviation('AMT-05/capital-exponent', 'takes an exponent in a capital letter', taking(/E\d+$/)),
    deviation('AMT-05/apostrophe', 'takes an apostrophe between thousands', taking(/'/)),
    deviation('AMT-05/german', 'takes amounts as Germans write them', taking(/^\d+(?:\.\d{3})+,\d\d$/)),
    deviation('AMT-05/nan', 'takes what is no number', taking(/^NaN$/)),
    ...advisedAgainst(deviation('AMT-05/line-end', 'takes the end of a line behind an amount', taking(/\n$/))),
    ...([
      ['small', 'less than a krone below nothing', /^-0\./],
      ['sign-behind', 'a sign behind an amount', /-$/],
      ['typographers', 'the minus sign of typographers', /^\u2212/],
    ] as const).map(([way, what, form]) =>
      deviation(`AMT-06/${way}`, `takes ${what}`, overlooking(of('AMT-05', 'AMT-06'), (request) => form.test(amountIn(request))))),
  ),
  deviation('AMT-05/plus', 'takes a plus sign', taking(/^\+/)),
  ...alsoAt(atPayments, deviation('AMT-05/comma', 'takes a decimal comma', taking(/,/))),
  ...['JPY', 'KWD'].map((currency) =>
    overlooks(`AMT-05/comma-in-${currency}`, `takes a decimal comma in ${currency} alone`,
      (request) => currencyIn(request) === currency && /,/.test(amountIn(request)))),
  overlooks('AMT-06/in-JPY', 'takes negative amounts in currencies without a smaller unit', (request) => currencyIn(request) === 'JPY'),
  ...advisedAgainst(...alsoAt(atPayments, deviation('AMT-05/space', 'takes white space around an amount', taking(/^ | $/)))),
  ...alsoAt(atPayments, deviation('AMT-05/arabic-digits', 'takes digits of every script', taking(/^\p{Nd}*[٠-٩]\p{Nd}*\.?\p{Nd}*$/u))),
  deviation('AMT-05/full-width-digits', 'takes full-width digits', taking(/[０-９]/)),
  deviation('AMT-05/underscore', 'takes an underscore between thousands', taking(/_/)),
  ...([
    ['bare-fraction', 'takes an amount that begins with its point', /^\./],
    ['bare-point', 'takes an amount that ends with a point', /\.$/],
    ['leading-zero', 'takes an amount with a zero before it', /^0\d/],
  ] as const).flatMap(([way, title, pattern]) =>
    advisedAgainst(...alsoAt(atPayments, deviation(`AMT-05/${way}`, title, taking(pattern))))),
  ...rows(
    ['AMT-05/thousands', 'takes a thousands separator', taking(/^\d+ \d+\.\d+$/)],
    ['AMT-05/two-points', 'takes two decimal points', taking(/\..*\./)],
    ['AMT-05/hexadecimal', 'takes hexadecimal numbers', taking(/^0x/)],
    ['AMT-05/words', 'takes words as amounts', taking(/^[a-z]+$/)],
  ),
  overlooks('AMT-05/empty', 'takes an empty amount', (request) => valueIn(request) === ''),
  deviation('AMT-05/with-currency', 'takes an amount with its currency', taking(/ NOK$/)),
  deviation('AMT-07/one-longer', 'takes amounts of 19 digits', withLimits({ amountPrecision: 19 })),
];

/** Codes that ISO 4217 has withdrawn: a bank may have dropped them, which is told and not held against it. */
const withdrawn = /^(?:ANG|BGN|BYR|CUC|HRK|MRO|SLL|STD|VEF|ZWD)$/;

export const doubtfulDeviations: readonly Deviation[] = [
  ...alsoAt(
    atPayments,
    refuses('AMT-08/dropped', 'has dropped withdrawn currencies', creations, (request) =>
      withdrawn.test(currencyIn(request)),
    ),
  ),
];

const isExactly = (amount: string) => (request: BankRequest) => amountIn(request) === amount;
const has = ({ body }: BankRequest, field: string): boolean => memberAt(body, field) !== undefined;

// biome-ignore format: a table
export const regulatoryDeviations: readonly Deviation[] = [
  overlooks('REG-01/only-above', 'needs no reporting code at exactly NOK 100 000', isExactly('100000.00')),
  overlooks('REG-02/only-above', 'needs no reporting information at exactly NOK 100 000', isExactly('100000.00')),
  ...([['REG-01', 'regulatoryReportingCode'], ['REG-02', 'regulatoryReportingInformation']] as const).map(([requirement, field]) =>
    overlooks(`${requirement}/null`, `takes null for ${field}`, isNull(field))),
  overlooks('REG-01/empty', 'takes an empty regulatoryReportingCode', inBody('regulatoryReportingCode', ''), 'NCB-48'),
  overlooks('REG-01/only-at', 'needs a reporting code at exactly NOK 100 000 only', (request) => !isExactly('100000.00')(request)),
  overlooks('REG-02/only-at', 'needs reporting information at exactly NOK 100 000 only', (request) => !isExactly('100000.00')(request)),
  ...(['REG-01', 'REG-02'] as const).map((requirement) =>
    overlooks(`${requirement}/below-a-million`, 'demands no report of transfers of a million kroner and more',
      ({ body }) => Number(textAt(body, 'instructedAmount', 'amount')) >= 1_000_000)),
  ...(['REG-01', 'REG-02'] as const).map((requirement) =>
    overlooks(`${requirement}/32-bits`, 'counts øre in numbers of 32 bits, so that great transfers look small',
      ({ body }) => {
        const oere = Math.round(Number(textAt(body, 'instructedAmount', 'amount')) * 100);
        return (oere | 0) < limits.regulatoryReportingFromOere;
      })),
  ...(['REG-01', 'REG-02'] as const).flatMap((requirement) =>
    inOneContext(
      overlooks(`${requirement}/not-to-germany`, 'demands no report of transfers to somebody in Germany', inBody('creditorAddress.country', 'DE')),
      overlooks(`${requirement}/not-to-kroner`, 'demands no report of transfers to an account in NOK', inBody('creditorAccount.currency', 'NOK')),
    )),
  overlooks('REG-01/one-of-the-two', 'is content with the reporting information alone', (request) => has(request, 'regulatoryReportingInformation')),
  overlooks('REG-02/one-of-the-two', 'is content with the reporting code alone', (request) => has(request, 'regulatoryReportingCode')),
  overlooks('REG-01/both-missing', 'wants both reporting fields, or none',
    (request) => !has(request, 'regulatoryReportingCode') && !has(request, 'regulatoryReportingInformation'), 'REG-02'),
  ...inOneContext(...(['regulatoryReportingCode', 'regulatoryReportingInformation'] as const).map((field) =>
    refuses(`REG-03/not-without-${field}`, `wants both reporting fields or none below NOK 100 000, and misses ${field} alone`,
      crossBorder, (request) => has(request, 'regulatoryReportingCode') !== has(request, 'regulatoryReportingInformation') && !has(request, field)))),
  deviation('REG-03/one-oere-below', 'wants reporting from NOK 99 999.99', withLimits({ regulatoryReportingFromOere: 9_999_999 })),
];
