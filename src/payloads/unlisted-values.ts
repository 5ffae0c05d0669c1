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
  currency: [...unlistedCurrencies, ...words('DEM FRF XAU XXX XTS USN CHE COU MXV ZWL EEK LTL EUX nok')],
  country: [...unlistedCountries, ...words('EU AN SU YU CS EL XX AA TP BU DD no')],
  purposeCode: words('GDDS BONU CHAR DIVI GOVT HEDG MSVC PAYR RENT SECU SCVE TRAD WHLD ADVA ZZZZ sala'),
  schemeNameProprietary: words('debitCardAccount creditCard CREDITCARDACCOUNT bban'),
  regulatoryReportingCode: Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0')).filter(
    (code) => !regulatoryReportingCodes.has(code),
  ),
};

/** Values that an enumerated field does not list. */
export const unlistedValues = ({ name }: Field): readonly string[] => byName[name] ?? ['UNLISTED'];
