import { nextBankingHour } from '../../spec/banking-days.ts';
import { purposeCodes, regulatoryReportingCodes } from '../../spec/code-lists.ts';
import { countries } from '../../spec/countries.ts';
import { daysBefore } from '../../spec/days.ts';
import { monthsOfThirtyDays } from '../../spec/formats.ts';
import { has, isObject, memberAt, textAt } from '../../spec/json.ts';
import { limits } from '../../spec/limits.ts';
import { creations, everyProduct, fieldRequirement, products } from '../../spec/products.ts';
import {
  type DesignChange,
  onRefusal,
  withField,
  withRefusalKind,
  withVerdicts,
} from '../design/design-changes.ts';
import type { BankRequest, BankState } from '../design/route.ts';
import { kidAccount } from '../rules/kid-rules.ts';
import {
  at,
  atPayments,
  both,
  demandedBy,
  each,
  either,
  inBody,
  inElements,
  inHeader,
  isNull,
  marked,
  not,
  of,
  once,
  strict,
  table,
  withBody,
} from './deviation.ts';

const { domestic, crossBorder } = products;
const text = 'remittanceInformationUnstructured';
const single = 'remittanceInformationStructured';
const array = 'remittanceInformationStructuredArray';
const date = 'requestedExecutionDate';
const card = 'debtorAccount.other';
const dateFormats = everyProduct.map((product) => fieldRequirement(product, date, 'format'));
const amountIsText = everyProduct.map((product) =>
  fieldRequirement(product, 'instructedAmount.amount', 'type'),
);

/** Codes that a bank looks for in the text of the whole list. */
const searchedLists = [
  ...everyProduct.flatMap((product) => [
    [product, 'creditorAddress.country', [...countries].join()] as const,
    [product, 'purposeCode', [...purposeCodes].join()] as const,
  ]),
  [crossBorder, 'regulatoryReportingCode', [...regulatoryReportingCodes].join()] as const,
];

/** So much that a transfer abroad has to be reported. */
const isInKroner = inBody('instructedAmount.currency', 'NOK');
const isLarge = both(
  isInKroner,
  inBody('instructedAmount.amount', (amount) => Number(amount) * 100 >= limits.regulatoryReportingFromOere),
);

const textIn = ({ body }: BankRequest): string => textAt(body, text) ?? '';
const referencesIn = ({ body }: BankRequest): readonly unknown[] => {
  const references = memberAt(body, array);
  return Array.isArray(references) ? references : [];
};
const inReference = (form: RegExp | ((text: string) => boolean)) =>
  either(inBody(`${single}.reference`, form), inElements(array, 'reference', form));
const inSecond = (member: string, form: RegExp) => (request: BankRequest) =>
  form.test(textAt(referencesIn(request)[1], member) ?? '');
const hasRemittance = ({ body }: BankRequest): boolean =>
  Object.keys(Object(body)).some((name) => name.startsWith('remittanceInformation'));
const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;
const isNumber = ({ body }: BankRequest): boolean =>
  typeof memberAt(body, 'instructedAmount', 'amount') === 'number';

/** Some of the fields and not all of them: what is taken alone, and all together, is not taken in between. */
const someOf = (...names: readonly string[]) =>
  both(either(...names.map((name) => inBody(name))), not(both(...names.map((name) => inBody(name)))));

const longerTogether =
  (most: number, ...paths: readonly string[]) =>
  ({ body }: BankRequest): boolean =>
    paths.map((path) => textAt(body, ...path.split('.'))).join('').length > most;

/** Where an account has no IBAN there is nothing to be wrong. */
function isRightAtAnyLength(iban: string | undefined): boolean {
  if (iban === undefined) return true;
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban)) return false;
  const digits = `${iban.slice(4)}${iban.slice(0, 4)}`.replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n === 1n;
}

/** Of several references some are looked at alone. */
const lookingAt = (from: number, to?: number): DesignChange =>
  withVerdicts(
    ({ requirement }) => requirement.startsWith('REM-'),
    (refusesIt, request, state) => {
      const references = referencesIn(request);
      const chosen = { ...Object(request.body), [array]: references.slice(from, to) };
      return refusesIt(references.length === 0 ? request : withBody(request, chosen), state);
    },
  );

const takingForKids = (form: RegExp): DesignChange => {
  const isMeant = (reference: string | undefined): boolean => form.test(reference ?? '');
  return (design) => ({
    ...design,
    isTakenForKid: (value, body) => isMeant(textAt(value, 'reference')) || design.isTakenForKid(value, body),
    isValidKid: (reference) => isMeant(reference) || design.isValidKid(reference),
  });
};

const days = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo' });
const isDated =
  (daysFromToday: number) =>
  ({ body }: BankRequest, { clock }: BankState): boolean =>
    textAt(body, date) === days.format(daysBefore(clock.now(), -daysFromToday));

/** It is early on a banking day there: only then is a payment for today taken by every bank. */
const inTheMorning: DesignChange = (design) => {
  const now = new Date();
  const milliseconds = nextBankingHour(now, 8).getTime() - now.getTime();
  return { ...design, clockOffsetSeconds: Math.round(milliseconds / 1000) };
};

/** Each of these is tried in some contexts of a run, and in others with the next seed. */
// biome-ignore format: a table
const inSomeContext = marked(once,
  each(dateFormats, (id) => table(
    each([
      ['with-z', 'takes a Z behind a date', /^\d{4}-\d\d-\d\dZ$/],
      ['with-a-space', 'takes a space behind a date', /^\d{4}-\d\d-\d\d $/],
      ['with-an-offset', 'takes an offset behind a date', /^\d{4}-\d\d-\d\d[+-]\d\d:\d\d$/],
      ['with-a-time', 'takes a time of no zone behind a date', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/],
      ['days-of-years', 'takes dates that tell the day of the year', /^\d{4}-\d{3}$/],
      ['weeks', 'takes dates that tell the week and its day', /^\d{4}-W\d\d-\d$/],
      ['day-zero', 'takes the day zero of a month', /^\d{4}-\d\d-00$/],
      ['with-a-time-of-utc', 'takes a date with a time and a Z behind it', /^\d{4}-\d\d-\d\dT.*Z$/],
      ['with-a-line-end', 'takes the end of a line behind a date', /^\d{4}-\d\d-\d\d\n$/],
    ], (way, title, form) => [`${id}/${way}`, title, { overlook: inBody(date, form), with: ['EXD-02'] }]),
    [`${id}/every-fourth-year`, 'takes the 29th of February in every fourth year', { overlook: inBody(date, '2100-02-29') }],
    [`${id}/wide-digits`, 'takes a date in digits of full width', { overlook: inBody(date, /^[０-９]{4}-/) }],
    each(monthsOfThirtyDays, (month, name) => [`${id}/31st-of-${name.toLowerCase()}`, `takes a 31st of ${name}`, { overlook: inBody(date, new RegExp(`-${month}-31$`)) }]),
  )),
  each(['NCB-48', 'NCB-50'], (id) => [`${id}/only-where-required`, 'looks at what is reported of a transfer in kroner only where that is required', { overlook: both(isInKroner, not(isLarge)) }]),
  each([
    ['NDC-61', 'debtorAccount', 'bban'],
    ['NCB-60', 'creditorAccount', 'bban'],
    ['NCB-62', 'debtorAccount', 'bban'],
    ['NCB-64', 'creditorAgent', 'creditorAgent'],
  ], (id, where, name) => [`${id}/null`, `takes a member that is null for one that is there, in ${where}`, { overlook: isNull(name) }]),
  ['NCB-64/not-in-dollars', 'does not demand creditorAgent next to a BBAN where the amount is in USD', { overlook: inBody('instructedAmount.currency', 'USD') }],
  ['NCB-64/not-in-kroner', 'does not demand creditorAgent next to a BBAN where the account is in NOK', { overlook: inBody('creditorAccount.currency', 'NOK') }],
  each(['NDC-69', 'NCB-69'], (id) => each([8, 11], (length) => [`${id}/no-bic-of-${length}`, `takes no BIC of ${length} characters`, { refuse: inBody('creditorAgent', new RegExp(`^.{${length}}$`, 's')) }])),
  ['NCB-18/short-ones-only', 'takes no IBAN of more than 28 characters', { refuse: inBody('creditorAccount.iban', /^.{29,}$/s) }],
  ['NCB-18/long-ones-only', 'takes no IBAN of fewer than 18 characters', { refuse: inBody('creditorAccount.iban', /^.{1,17}$/s) }],
  ['NCB-18/not-31', 'takes no IBAN of 31 characters', { refuse: inBody('creditorAccount.iban', /^.{31}$/s) }],
  ['NCB-69/postal-codes', 'takes no letter in a postal code', { refuse: inBody('creditorAddress.postalCode', /[A-Z]/i) }],
  ['NDC-69/postal-codes', 'takes no letter in a postal code in a domestic payment', { refuse: inBody('creditorAddress.postalCode', /[A-Z]/i) }],
  ['NDC-69/four-digits', 'takes no postal code that has not four digits in a domestic payment', { refuse: inBody('creditorAddress.postalCode', /^(?!\d{4}$)./) }],
  ['NDC-69/one-word', 'takes no city whose name has more than one word in a domestic payment', { refuse: inBody('creditorAddress.city', / /) }],
  ['NCB-69/one-word', 'takes no city whose name has more than one word in a cross-border payment', { refuse: inBody('creditorAddress.city', / /) }],
  ['NDC-69/house-numbers', 'takes no letter in the number of a house', { refuse: inBody('creditorAddress.buildingNumber', /[A-Z]/i) }],
  each(['city', 'buildingNumber'], (other) => [`NCB-69/street-with-${other}`, `takes no street of a creditor abroad without ${other}`, { refuse: both(inBody('creditorAddress.street'), not(inBody(`creditorAddress.${other}`))) }]),
  ['NDC-69/in-one-message', 'has room for 200 characters in all texts of a domestic payment together', { refuse: longerTogether(200, 'creditorName', 'creditorAddress.street', 'ultimateDebtor') }],
  ['NDC-62/not-with-references-in-the-single-form', 'takes no payment from a card account with a reference in the single form', { refuse: both(inBody(card), inBody(single)) }],
  ['NDC-62/not-with-references-in-the-array', 'takes no payment from a card account with references in the array form', { refuse: both(inBody(card), inBody(array)) }],
  ['NDC-62/not-without-remittance', 'demands remittance information of a payment from a card account', { refuse: both(inBody(card), not(hasRemittance)) }],
  ['REM-01/null', 'passes by an element of remittanceInformationStructuredArray that is null', { overlook: (request) => referencesIn(request).includes(null), with: ['NDC-51'] }],
  ['NCB-48/decimal', 'reads reporting codes as numbers, with a fraction of nothing', { overlook: inBody('regulatoryReportingCode', /^\d\d\.0$/) }],
  each(everyProduct, (product) => [`${fieldRequirement(product, 'purposeCode', 'values')}/line-end`, `takes the end of a line behind a purposeCode (${product.word})`, { overlook: inBody('purposeCode', /\n$/) }]),
  ['NDC-65/types-alike', 'takes no references of which some have a type and others none', { refuse: (request) => new Set(referencesIn(request).map((one) => textAt(one, 'referenceType'))).size > 1 }],
  each([['array', array], ['single', single]], (form, member) => [`REM-11/unseen-${form}`, `misses the KID that an account demands when it stands in ${member}`,
    { refuse: both(inBody('creditorAccount.bban', kidAccount), inBody(member)), as: { status: 400, code: 'KID_MISSING' } }]),
  // In ISO 20022 the issuer is a part of the type.
  each([['NDC-65', array, 'the array'], ['NDC-66', single, 'the single form']], (id, field, where) => [`${id}/issuer-with-type`, `takes no referenceIssuer without a referenceType in ${where}`,
    { refuse: ({ body }) => [memberAt(body, field)].flat().some((one) => has(one, 'referenceIssuer') && !has(one, 'referenceType')) }]),
  ['REM-11/as-number', 'keeps KIDs as numbers, and takes none that is another one then', { refuse: inReference((reference) => /^\d{2,25}$/.test(reference) && String(Number(reference)) !== reference) }],
  ['REM-11/zero-first', 'takes no KID that begins with a zero', { refuse: inReference(/^0\d{1,24}$/) }],
  ['REM-11/not-the-longest', 'takes no KID of more than 20 digits', { refuse: inReference(/^\d{21,25}$/) }],
  ['NDC-63/same-text', 'takes a text next to a reference that says the same', { overlook: (request) => referencesIn(request).some((one) => textAt(one, 'reference') === textIn(request)) }],
  ['NDC-63/short-text', 'takes a text of a few letters next to references', { overlook: inBody(text, /^.{0,4}$/s) }],
  ['NDC-63/long-text', 'takes a text next to references where it is longer than one of them may be', { overlook: inBody(text, /^.{36,}$/s) }],
  ['NDC-63/no-kid', 'takes a text next to references that are no numbers', { overlook: (request) => referencesIn(request).every((one) => /\D/.test(textAt(one, 'reference') ?? '')) }],
  each(everyProduct, ({ creation, word }) => [`AMT-01/few-oere-at-${word}`, `loses the zero before an øre, and takes no such amount (${word})`, { refuse: inBody('instructedAmount.amount', /\.0[1-9]$/), at: [creation] }]),
  // Kinds of payments that have a way of their own through the bank, on which a rule is forgotten.
  each([
    ['next-to-a-single-reference', 'next to the single form of a reference', domestic, inBody(single), [fieldRequirement(domestic, 'creditorName', 'maxLength'), 'AMT-02', 'DIG-03']],
    ...everyProduct.map((product) => [`with-several-fixes-at-${product.word}`, `where x-accept-fix has several values (${product.word})`, product, inHeader('x-accept-fix', /,/),
      [fieldRequirement(product, 'creditorName', 'maxLength'), 'AMT-02', 'SIG-02', 'DIG-03']] as const),
    ['of-what-is-reported', 'in a transfer that has to be reported', crossBorder, isLarge, [fieldRequirement(crossBorder, date, 'format'), 'DIG-03']],
  ], (way, title, { creation }, isTaken, forgotten) => each(forgotten, (id) => [`${id}/overlooked-${way}`, `forgets the rule ${title}`, { overlook: both(at(creation), isTaken), rules: demandedBy }])),
);

/** What the bank takes, and refuses, of the body of a payment: values that are almost right, or right and not taken. */
// biome-ignore format: a table
export const paymentValueDeviations = table(
  ['NDC-62/refused', 'takes no card account as debtor account', { refuse: inBody(card) }],
  ['NDC-64/refused', 'takes no unstructured remittance information', { refuse: inBody(text) }],
  ['NDC-65/refused', 'takes no structured array', { refuse: inBody(array) }],
  ['NDC-66/refused', 'takes no single structured reference any more', { refuse: inBody(single) }],
  ['NDC-68/refused', 'takes no creditorAgent in a domestic payment', { refuse: inBody('creditorAgent') }],
  ['NDC-69/no-future-date', 'executes every payment at once, and refuses another date', { refuse: inBody(date) }],
  ['NDC-69/no-ultimate-debtor', 'refuses an ultimateDebtor', { refuse: inBody('ultimateDebtor') }],
  ['NCB-69/no-purpose', 'refuses a purposeCode', { refuse: inBody('purposeCode') }],
  each(['bban', 'iban'], (form) => [`NCB-66/no-${form}`, `takes no ${form.toUpperCase()} as creditor account`, { refuse: inBody(`creditorAccount.${form}`) }]),
  each(['bban', 'iban'], (form) => [`NCB-67/no-${form}`, `takes no ${form.toUpperCase()} as debtor account`, { refuse: inBody(`debtorAccount.${form}`) }]),
  ['NCB-68/refused', 'takes no creditorAddress at all', { refuse: inBody('creditorAddress') }],
  ['REG-04/refused', 'takes no transfer of NOK 100 000 or more', { refuse: isLarge }],
  ['REM-11/refused', 'takes no KID', (design) => ({ ...design, isValidKid: () => false }), strict],
  ['ERR-02/array-only', 'looks at KIDs in the array only', { overlook: inBody(single) }],
  ['ERR-02/single-only', 'looks at the KID of the single form only', { overlook: inBody(array) }],
  ['ERR-02/401-elsewhere', 'answers 401 to a wrong KID where nobody demands one',
    onRefusal(of('ERR-02'), (refusal, request) => (inBody('creditorAccount.bban', kidAccount)(request) ? refusal : { ...refusal, status: 401 }))],
  ['NDC-11/in-bytes', 'counts the bytes of a text instead of its characters', (design) => ({ ...design, lengthOf: (value) => Buffer.byteLength(value) }), strict],
  ['NDC-11/trimmed', 'does not count the spaces around a text', (design) => ({ ...design, lengthOf: (value) => design.lengthOf(value.trim()) })],
  each(dateFormats, (id) => table(
    [`${id}/any-day`, 'takes days that no calendar has', { overlook: inBody(date, /^\d{4}-\d{2}-\d{2}$/) }],
    [`${id}/leap-day`, 'takes the 29th of February in every year', { overlook: inBody(date, /^\d{4}-02-29$/) }],
  )),
  // Its own rule on the past would take most of them for one.
  ['NDC-55/norwegian-dates', 'takes dates in the Norwegian form',
    { overlook: inBody(date, /^\d{2}\.\d{2}\.\d{4}$/), rules: () => ({ requirement }) => ['NDC-55', 'EXD-02'].includes(requirement) }],
  ['TRN-04/in-bytes', 'limits creditorName by bytes, not by characters', { refuse: inBody('creditorName', (name) => Buffer.byteLength(name) > 14), at: creations }],
  ['NCB-24/as-domestic-names', 'lets a street have 140 characters', withField('crossBorderPayment', 'creditorAddress.street', (field) => ({ ...field, maxLength: 140 }))],
  ['NDC-15/iban-instead', 'takes an IBAN in place of the BBAN of a creditor', { overlook: inBody('creditorAccount.iban') }],
  ['NDC-15/nothing-instead', 'takes a creditor without any account number', { overlook: not(inBody('creditorAccount.iban')) }],
  ['NDC-69/some', 'takes no, or all, of three optional fields', { refuse: someOf('ultimateDebtor', 'purposeCode', date) }],
  ['NCB-69/some', 'takes no, or all, of three optional fields', { refuse: someOf(text, 'purposeCode', date) }],
  ['NCB-69/country-alone', 'refuses an address that is a country alone, where nothing else is told of the payment',
    { refuse: both(({ body }) => Object.keys(Object(memberAt(body, 'creditorAddress'))).length === 1, not(either(inBody('purposeCode'), inBody(date)))) }, once],
  ['REM-04/refused-second-in-full', 'takes no second reference of 35 characters', { refuse: inSecond('reference', /^.{35}$/s) }],
  ['NCB-69/in-one-message', 'has room for 350 characters in all texts together',
    { refuse: longerTogether(350, 'creditorName', 'creditorAddress.street', text, 'regulatoryReportingInformation') }],
  ['NDC-67/with-a-date', 'demands remittance information of a payment with a date', { refuse: both(inBody(date), not(hasRemittance)) }, once],
  ['NCB-65/with-an-address', 'demands creditorAgent where there is an address', { refuse: both(inBody('creditorAddress'), not(inBody('creditorAgent'))) }, once],
  ['NCB-48/not-on-small-ones', 'takes no reporting code 31 on a transfer that needs none', { refuse: both(inBody('regulatoryReportingCode', '31'), not(isLarge)) }, once],
  ['NCB-48/not-on-large-ones', 'takes no reporting code 31 on a transfer that needs one', { refuse: both(inBody('regulatoryReportingCode', '31'), isLarge) }, { also: ['REG-04'], ...once }],
  ['NDC-63/all-three', 'takes all three forms of remittance information at once', { overlook: inBody(single) }],
  ['NDC-63/one-pair-only', 'takes a single reference next to another form', [], { under: { remittancePairs: 'any-pair' } }],
  ['ERR-02/any-length', 'takes longer numbers than a KID can be', takingForKids(/^\d{26,}$/)],
  ['ERR-02/letters', 'takes a reference with letters for a KID', takingForKids(/[A-Z]/i)],
  ['ERR-02/any-hyphen', 'takes a hyphen for any check digit', takingForKids(/^\d+-$/)],
  ['ERR-02/missing-401', 'answers 401 where a KID is missing', withRefusalKind('kidMissing', { status: 401 })],
  ['ERR-02/message-instead', 'takes a message in place of a KID that is demanded', { overlook: inBody(text) }],
  each(searchedLists, (product, field, list) => [`${fieldRequirement(product, field, 'values')}/part-of-a-code`, `takes a part of a code for one, in ${field}`,
    { overlook: inBody(field, (code) => list.includes(code)) },
    // So many wrong ones are sent of these that each is sent once.
    field === 'purposeCode' ? {} : once]),
  ['REM-01/the-last-alone', 'looks at the last reference of an array alone', lookingAt(-1)],
  ['REM-01/the-first-alone', 'looks at the first reference of an array alone', lookingAt(0, 1)],
  ['REM-01/two-alone', 'looks at the first two references of an array alone', lookingAt(0, 2)],
  each([1, 2], (most) => [`NDC-65/${most}-at-most`, `takes no more than ${most} of the references of a payment`, { refuse: (request) => referencesIn(request).length > most }]),
  each([['REM-07', 'referenceType'], ['REM-10', 'referenceIssuer']], (id, member) => [`${id}/shorter-in-the-second`, `takes less of a ${member} in the second element of an array`, { refuse: inSecond(member, /^.{35,}$/s) }]),
  // It looks at something next to what it should look at.
  each(['NCB-18', 'NCB-36'], (id) => [`${id}/by-check-digits`, 'takes every IBAN whose check digits are right, however long it is',
    { overlook: ({ body }) => ['creditorAccount', 'debtorAccount'].every((account) => isRightAtAnyLength(textAt(body, account, 'iban'))) }]),
  each(['ISK', 'EUR'], (currency) => [`AMT-04/numbers-in-${currency}`, `takes JSON numbers as amounts in ${currency}`,
    { overlook: both(isNumber, inBody('instructedAmount.currency', currency)), rules: () => of(...amountIsText) }, once]),
  ['REM-01/type-instead', 'takes a structured reference that has a type in place of a reference', { overlook: either(inBody(`${single}.referenceType`), inElements(array, 'referenceType')) }],
  ['REM-01/nothing-single', 'takes a remittanceInformationStructured with nothing in it', { overlook: ({ body }) => isEmpty(memberAt(body, single)) }],
  ['REM-01/nothing-array', 'takes an element of remittanceInformationStructuredArray with nothing in it', { overlook: ({ body }) => [memberAt(body, array)].flat().some(isEmpty) }],
  // Payments for today, for tomorrow and for the past.
  ['EXD-01/not-today', 'takes no payment for today any more', [inTheMorning, { refuse: isDated(0) }], { alsoAt: atPayments }],
  ['EXD-01/not-tomorrow', 'takes no payment for tomorrow', [inTheMorning, { refuse: isDated(1) }], { alsoAt: atPayments }],
  ['EXD-02/yesterday', 'takes a payment for the last few days',
    { overlook: ({ body }, { clock }) => new Date(textAt(body, date) ?? '') > daysBefore(clock.now(), 7) }, { alsoAt: atPayments }],
  inSomeContext,
);
