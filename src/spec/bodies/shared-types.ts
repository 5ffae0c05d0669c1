import {
  linkVerbs,
  messageCategories,
  messageCodes,
  purposeCodes,
  regulatoryReportingCodes,
} from '../code-lists.ts';
import { countries, unlistedCountries, words } from '../countries.ts';
import { currencies, unlistedCurrencies } from '../currencies.ts';
import {
  array,
  type Extras,
  type FacetIds,
  type Field,
  map,
  object,
  type SharedRow,
  string,
} from '../field.ts';
import type { ProfileId } from '../profiles.ts';

/**
 * Real codes of the same standards that the specification leaves out: the likeliest to slip into a bank's list. Codes are
 * written as they are listed, so one in lower case, or with a space behind it, is another value; and so is a part of one,
 * which a bank takes that looks for it in the text of the whole list.
 */
export const unlistedValues = {
  currencies: [
    ...unlistedCurrencies,
    ...words('DEM FRF XAU XXX XTS USN CHE COU ZWL EEK LTL CNH OK nok NOKK 578'),
    'NOK ',
  ],
  countries: [...unlistedCountries, ...words('EU AN SU YU CS EL XX XI TP BU N no NOR 578'), 'NO '],
  purposeCodes: [
    ...words('GDDS BONU CHAR DIVI GOVT HEDG MSVC PAYR RENT SECU SCVE TRAD AL ZZZZ sala SALARY'),
    'SALA ',
    'SALA\n',
  ],
  accountSchemes: [
    ...words('debitCardAccount creditCard creditCardAccounts CREDITCARDACCOUNT'),
    'creditCardAccount ',
  ],
  regulatoryReportingCodes: [
    ...Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0')).filter(
      (code) => !regulatoryReportingCodes.has(code),
    ),
    '141',
    '014',
    '14 ',
    '4',
    '14,26',
    '14.0',
  ],
} as const satisfies Record<string, readonly string[]>;

/** Resources and their fields, Shared value types. */
export const amount = (ids: FacetIds): Field => string('amount', ids, { format: 'amount' });

/** That in which something is paid: a bank need not deal in each. */
export const dealtCurrency = (ids: FacetIds): Field => ({ ...currency(ids), listReading: 'currencies' });

export const currency = (ids: FacetIds): Field =>
  string('currency', ids, { values: currencies, unlisted: unlistedValues.currencies });

export const country = (ids: FacetIds): Field =>
  string('country', ids, { values: countries, unlisted: unlistedValues.countries });

export const bban = (ids: FacetIds, extras: Extras = {}): Field =>
  string('bban', ids, { maxLength: 30, characters: 'digits', ...extras });

export const iban = (ids: FacetIds, extras: Extras = {}): Field =>
  string('iban', ids, { maxLength: 34, characters: 'iban', ...extras });

export const purposeCode = (ids: FacetIds): Field =>
  string('purposeCode', ids, { values: purposeCodes, unlisted: unlistedValues.purposeCodes });

/** A table that the specification shows once and several bodies use. Its requirements speak of its own subject. */
function sharedTable(
  table: SharedRow['table'],
  section: readonly string[],
  profiles: readonly ProfileId[],
  rows: readonly Field[],
): { readonly element: { readonly shared: SharedRow }; readonly fields: readonly Field[] } {
  const shared = (subject: string): { readonly shared: SharedRow } => ({
    shared: { table, subject, section, profiles },
  });
  return {
    element: shared(`a ${table}`),
    fields: rows.map((row) => ({
      ...row,
      ...shared(`${row.name} of a ${table}`),
      ...(row.items === undefined
        ? {}
        : { items: { ...row.items, ...shared(`${row.name}[] of a ${table}`) } }),
    })),
  };
}

const link = sharedTable(
  'link',
  ['Resources and their fields', 'Shared value types', 'Link'],
  ['core'],
  [
    string('href', { required: 'LNK-01', type: 'LNK-02' }),
    array(
      'verbs',
      { required: 'LNK-03', type: 'LNK-04' },
      string('*', { type: 'LNK-05', values: 'LNK-06' }, { values: linkVerbs }),
    ),
  ],
);

/** `_links`: a map of name to Link. `typeId` is the requirement that the member is such a map. */
export const linksField = (typeId: string): Field =>
  map('_links', { type: typeId }, object('*', { type: 'LNK-07' }, link.fields, link.element));

const message = sharedTable(
  'message',
  ['Resources and their fields', 'Payment creation response (NDCT and NCBCT)', 'Message object'],
  ['core'],
  [
    string(
      'category',
      { required: 'MSG-01', type: 'MSG-02', values: 'MSG-03' },
      { values: messageCategories },
    ),
    string('code', { required: 'MSG-04', type: 'MSG-05', values: 'MSG-06' }, { values: messageCodes }),
    string('path', { type: 'MSG-07' }),
    string('text', { type: 'MSG-08', maxLength: 'MSG-09' }, { maxLength: 512 }),
  ],
);

export const messagesField = (typeId: string): Field =>
  array('tppMessages', { type: typeId }, object('*', { type: 'MSG-10' }, message.fields, message.element));

/** The same rows serve the single and the array form. */
export const remittanceReferenceFields: readonly Field[] = sharedTable(
  'remittance reference',
  ['Resources and their fields', 'Remittance reference (structured)'],
  ['domestic-payments'],
  [
    string(
      'reference',
      { required: 'REM-01', type: 'REM-02', nonEmpty: 'REM-03', maxLength: 'REM-04' },
      { maxLength: 35 },
    ),
    string('referenceType', { type: 'REM-05', nonEmpty: 'REM-06', maxLength: 'REM-07' }, { maxLength: 35 }),
    string('referenceIssuer', { type: 'REM-08', nonEmpty: 'REM-09', maxLength: 'REM-10' }, { maxLength: 35 }),
  ],
).fields;

/** Links and messages as the examples of responses show them. */
export const exampleLinks = { scaRedirect: { href: 'https://bank.example/sca', verbs: ['GET'] } };
export const exampleMessages = [{ category: 'ERROR', code: 'REFERENCE_MIX_INVALID', path: 'a', text: 'b' }];
