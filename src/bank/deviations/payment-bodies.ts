import { nextBankingHour } from '../../spec/banking-days.ts';
import { daysBefore } from '../../spec/days.ts';
import { has, isObject, memberAt, textAt } from '../../spec/json.ts';
import { limits } from '../../spec/limits.ts';
import { creations, everyProduct, fieldRequirement } from '../../spec/products.ts';
import { type DesignChange, onRefusal, withField, withRefusalKind } from '../design/design-changes.ts';
import type { BankOperation, BankRequest, BankState } from '../design/route.ts';
import { kidAccount } from '../rules/kid-rules.ts';
import {
  alsoAt,
  atPayments,
  both,
  crossBorder,
  type Deviation,
  deviation,
  domestic,
  inBody,
  inOneContext,
  not,
  of,
  overlooking,
  overlooks,
  refuses,
  refusing,
  rows,
} from './deviation.ts';

const hasField = ({ body }: BankRequest, ...path: readonly string[]): boolean =>
  memberAt(body, ...path) !== undefined;

/** Fields that the bank may not refuse, and refuses. */
const refusedFields: readonly (readonly [
  id: `${string}/${string}`,
  title: string,
  operations: readonly BankOperation[],
  field: string,
])[] = [
  ['NDC-62/refused', 'takes no card account as debtor account', domestic, 'debtorAccount.other'],
  [
    'NDC-64/refused',
    'takes no unstructured remittance information',
    domestic,
    'remittanceInformationUnstructured',
  ],
  ['NDC-65/refused', 'takes no structured array', domestic, 'remittanceInformationStructuredArray'],
  [
    'NDC-66/refused',
    'takes no single structured reference any more',
    domestic,
    'remittanceInformationStructured',
  ],
  ['NDC-68/refused', 'takes no creditorAgent in a domestic payment', domestic, 'creditorAgent'],
  [
    'NDC-69/no-future-date',
    'executes every payment at once, and refuses another date',
    domestic,
    'requestedExecutionDate',
  ],
  ['NDC-69/no-ultimate-debtor', 'refuses an ultimateDebtor', domestic, 'ultimateDebtor'],
  ['NCB-69/no-purpose', 'refuses a purposeCode', crossBorder, 'purposeCode'],
  ['NCB-66/no-bban', 'takes no BBAN as creditor account', crossBorder, 'creditorAccount.bban'],
  ['NCB-66/no-iban', 'takes no IBAN as creditor account', crossBorder, 'creditorAccount.iban'],
  ['NCB-67/no-bban', 'takes no BBAN as debtor account', crossBorder, 'debtorAccount.bban'],
  ['NCB-67/no-iban', 'takes no IBAN as debtor account', crossBorder, 'debtorAccount.iban'],
  ['NCB-68/refused', 'takes no creditorAddress at all', crossBorder, 'creditorAddress'],
];

const shortened = (field: string, bytes: number): DesignChange =>
  refusing('TRN-04', creations, ({ body }) => Buffer.byteLength(textAt(body, field) ?? '') > bytes);

export const isInKroner = inBody('instructedAmount.currency', 'NOK');

/** So much that a transfer abroad has to be reported. */
export const isLarge = (request: BankRequest): boolean =>
  isInKroner(request) &&
  Number(textAt(request.body, 'instructedAmount', 'amount')) * 100 >= limits.regulatoryReportingFromOere;

// biome-ignore format: a table
const bodies: readonly Deviation[] = [
  ...refusedFields.map(([id, title, operations, field]) => refuses(id, title, operations, (request) => hasField(request, ...field.split('.')))),
  refuses('REG-04/refused', 'takes no transfer of NOK 100 000 or more', crossBorder, isLarge),
  deviation('REM-11/refused', 'takes no KID', (design) => ({ ...design, isValidKid: () => false })),
  overlooks('ERR-02/array-only', 'looks at KIDs in the array only', inBody('remittanceInformationStructured')),
  overlooks('ERR-02/single-only', 'looks at the KID of the single form only', inBody('remittanceInformationStructuredArray')),
  ...rows(
    ['ERR-02/401-elsewhere', 'answers 401 to a wrong KID where nobody demands one',
      onRefusal(of('ERR-02'), (refusal, { body }) => textAt(body, 'creditorAccount', 'bban') === kidAccount ? refusal : { ...refusal, status: 401 })],
    ['NDC-11/in-bytes', 'counts the bytes of a text instead of its characters', (design) => ({ ...design, lengthOf: (text) => Buffer.byteLength(text) })],
    ['NDC-11/trimmed', 'does not count the spaces around a text', (design) => ({ ...design, lengthOf: (text) => design.lengthOf(text.trim()) })],
  ),
  ...everyProduct.map((product) => fieldRequirement(product, 'requestedExecutionDate', 'format')).map((requirement) =>
    overlooks(`${requirement}/any-day`, 'takes days that no calendar has', inBody('requestedExecutionDate', /^\d{4}-\d{2}-\d{2}$/))),
  ...everyProduct.map((product) => fieldRequirement(product, 'requestedExecutionDate', 'format')).flatMap((requirement) =>
    inOneContext(
      ...([
        ['z', 'a Z', /^\d{4}-\d\d-\d\dZ$/],
        ['a-space', 'a space', /^\d{4}-\d\d-\d\d $/],
        ['an-offset', 'an offset', /^\d{4}-\d\d-\d\d[+-]\d\d:\d\d$/],
        ['a-time', 'a time of no zone', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/],
      ] as const).map(([way, what, form]) =>
        overlooks(`${requirement}/with-${way}`, `takes ${what} behind a date`, inBody('requestedExecutionDate', form), 'EXD-02')),
      ...([
        ['days-of-years', 'dates that tell the day of the year', /^\d{4}-\d{3}$/],
        ['weeks', 'dates that tell the week and its day', /^\d{4}-W\d\d-\d$/],
        ['day-zero', 'the day zero of a month', /^\d{4}-\d\d-00$/],
      ] as const).map(([way, what, form]) =>
        overlooks(`${requirement}/${way}`, `takes ${what}`, inBody('requestedExecutionDate', form), 'EXD-02')),
    )),
  ...inOneContext(...([
    ['short-ones-only', 'more than 28 characters', (length: number) => length > 28],
    ['long-ones-only', 'fewer than 18 characters', (length: number) => length > 0 && length < 18],
    ['not-31', '31 characters', (length: number) => length === 31],
  ] as const).map(([way, what, isRefused]) =>
    refuses(`NCB-18/${way}`, `takes no IBAN of ${what}`, crossBorder, ({ body }) => isRefused((textAt(body, 'creditorAccount', 'iban') ?? '').length)))),
  deviation(
    'NDC-55/norwegian-dates',
    'takes dates in the Norwegian form',
    // Its own rule on the past would take most of them for one.
    overlooking(
      ({ requirement }) => ['NDC-55', 'EXD-02'].includes(requirement),
      inBody('requestedExecutionDate', /^\d{2}\.\d{2}\.\d{4}$/),
    ),
  ),
  deviation('TRN-04/in-bytes', 'limits creditorName by bytes, not by characters', shortened('creditorName', 14)),
  deviation('NCB-24/as-domestic-names', 'lets a street have 140 characters',
    withField('crossBorderPayment', 'creditorAddress.street', (field) => ({ ...field, maxLength: 140 }))),
];

/** Some of the fields and not all of them: what is taken alone, and all together, is not taken in between. */
const someOf =
  (...names: readonly string[]) =>
  ({ body }: BankRequest): boolean => {
    const present = names.filter((name) => has(body, name)).length;
    return present > 0 && present < names.length;
  };

const reports = ({ body }: BankRequest, code: string): boolean =>
  textAt(body, 'regulatoryReportingCode') === code;

// biome-ignore format: a table
const combinations: readonly Deviation[] = [
  overlooks('NDC-15/iban-instead', 'takes an IBAN in place of the BBAN of a creditor', (request) => hasField(request, 'creditorAccount', 'iban')),
  overlooks('NDC-15/nothing-instead', 'takes a creditor without any account number', (request) => !hasField(request, 'creditorAccount', 'iban')),
  refuses('NDC-69/some', 'takes no, or all, of three optional fields', domestic, someOf('ultimateDebtor', 'purposeCode', 'requestedExecutionDate')),
  refuses('NCB-69/some', 'takes no, or all, of three optional fields',
    crossBorder, someOf('remittanceInformationUnstructured', 'purposeCode', 'requestedExecutionDate')),
  refuses('NCB-69/country-alone', 'refuses an address that is a country alone, where nothing else is told of the payment',
    crossBorder,
    ({ body }) => {
      const address = memberAt(body, 'creditorAddress');
      const isCountryAlone = isObject(address) && Object.keys(address).length === 1;
      return isCountryAlone && !has(body, 'purposeCode') && !has(body, 'requestedExecutionDate');
    }),
  refuses('REM-04/refused-second-in-full', 'takes no second reference of 35 characters',
    domestic,
    ({ body }) => {
      const references = memberAt(body, 'remittanceInformationStructuredArray');
      return Array.isArray(references) && textAt(references[1], 'reference')?.length === 35;
    }),
  refuses('NCB-69/in-one-message', 'has room for 350 characters in all texts together',
    crossBorder,
    ({ body }) =>
      [
        textAt(body, 'creditorName'),
        textAt(body, 'creditorAddress', 'street'),
        textAt(body, 'remittanceInformationUnstructured'),
        textAt(body, 'regulatoryReportingInformation'),
      ].join('').length > 350),
  refuses('NDC-67/with-a-date', 'demands remittance information of a payment with a date',
    domestic,
    ({ body }) => has(body, 'requestedExecutionDate') && isObject(body) && !Object.keys(body).some((name) => name.startsWith('remittanceInformation'))),
  refuses('NCB-65/with-an-address', 'demands creditorAgent where there is an address',
    crossBorder, both(inBody('creditorAddress'), not(inBody('creditorAgent')))),
  refuses('NCB-48/not-on-small-ones', 'takes no reporting code 31 on a transfer that needs none',
    crossBorder, (request) => reports(request, '31') && !isLarge(request)),
  {
    ...refuses(
      'NCB-48/not-on-large-ones',
      'takes no reporting code 31 on a transfer that needs one',
      crossBorder,
      (request) => reports(request, '31') && isLarge(request),
    ),
    also: ['REG-04'],
  },
  overlooks('NDC-63/all-three', 'takes all three forms of remittance information at once', inBody('remittanceInformationStructured')),
  { ...deviation('NDC-63/one-pair-only', 'takes a single reference next to another form', (design) => ({ ...design })), under: { remittancePairs: 'any-pair' } },
];

export const takingForKids = (form: RegExp): DesignChange => {
  const isMeant = (reference: string | undefined): boolean => form.test(reference ?? '');
  return (design) => ({
    ...design,
    isTakenForKid: (value, body) => isMeant(textAt(value, 'reference')) || design.isTakenForKid(value, body),
    isValidKid: (reference) => isMeant(reference) || design.isValidKid(reference),
  });
};

const missingKids: readonly Deviation[] = [
  deviation('ERR-02/any-length', 'takes longer numbers than a KID can be', takingForKids(/^\d{26,}$/)),
  deviation('ERR-02/letters', 'takes a reference with letters for a KID', takingForKids(/[A-Z]/i)),
  deviation(
    'ERR-02/missing-401',
    'answers 401 where a KID is missing',
    withRefusalKind('kidMissing', { status: 401 }),
  ),
  overlooks(
    'ERR-02/message-instead',
    'takes a message in place of a KID that is demanded',
    inBody('remittanceInformationUnstructured'),
  ),
];

/** What the bank takes, and refuses, of the body of a payment. */
export const paymentBodyDeviations: readonly Deviation[] = [...bodies, ...combinations, ...missingKids];

const days = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' });
const isDated =
  (daysFromToday: number) =>
  ({ body }: BankRequest, { clock }: BankState): boolean =>
    textAt(body, 'requestedExecutionDate') === days.format(daysBefore(clock.now(), -daysFromToday));

/** It is early on a banking day there: only then is a payment for today taken by every bank. */
const inTheMorning: DesignChange = (design) => {
  const now = new Date();
  return {
    ...design,
    clockOffsetSeconds: Math.round((nextBankingHour(now, 8).getTime() - now.getTime()) / 1000),
  };
};

/** Payments for today, for tomorrow and for the past. */
// biome-ignore format: a table
export const executionDateDeviations: readonly Deviation[] = [
  ...alsoAt(atPayments, deviation('EXD-01/not-today', 'takes no payment for today any more', inTheMorning, refusing('EXD-01', creations, isDated(0)))),
  ...alsoAt(atPayments, deviation('EXD-01/not-tomorrow', 'takes no payment for tomorrow', inTheMorning, refusing('EXD-01', creations, isDated(1)))),
  ...alsoAt(
    atPayments,
    overlooks('EXD-02/yesterday', 'takes a payment for the last few days',
      ({ body }, { clock }) => new Date(textAt(body, 'requestedExecutionDate') ?? '') > daysBefore(clock.now(), 7)),
  ),
];
