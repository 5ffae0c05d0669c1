import { regulatoryReportingCodes } from '../spec/code-lists.ts';
import { unlistedCountries } from '../spec/countries.ts';
import { unlistedCurrencies } from '../spec/currencies.ts';
import type { Field } from '../spec/field.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Real codes of the same standards that the specification leaves out: the likeliest to slip into a bank's list. Codes are
 * written as they are listed, so one in lower case is another value.
 */
const byName: Readonly<Record<string, readonly string[]>> = {
  currency: [
    ...unlistedCurrencies,
    ...words('DEM FRF XAU XXX XTS USN CHE COU MXV ZWL EEK LTL EUX nok NOKK 578'),
  ],
  country: [...unlistedCountries, ...words('EU AN SU YU CS EL XX AA TP BU DD no NOR 578')],
  purposeCode: words(
    'GDDS BONU CHAR DIVI GOVT HEDG MSVC PAYR RENT SECU SCVE TRAD WHLD ADVA ZZZZ sala SALARY',
  ),
  schemeNameProprietary: words('debitCardAccount creditCard creditCardAccounts CREDITCARDACCOUNT bban'),
  regulatoryReportingCode: [
    ...Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0')).filter(
      (code) => !regulatoryReportingCodes.has(code),
    ),
    '141',
    '014',
  ],
};

/** Values that an enumerated field does not list; where it may be left out, an empty one may pass for that. */
export const unlistedValues = ({ name, ids }: Field): readonly string[] => [
  ...(byName[name] ?? ['UNLISTED']),
  ...(ids.required === undefined ? [] : ['']),
];
