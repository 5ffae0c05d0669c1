import { regulatoryReportingCodes } from './code-lists.ts';
import { unlistedCountries } from './countries.ts';
import { unlistedCurrencies } from './currencies.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Real codes of the same standards that the specification leaves out: the likeliest to slip into a bank's list. Codes are
 * written as they are listed, so one in lower case is another value.
 */
export const unlistedValues = {
  currencies: [
    ...unlistedCurrencies,
    ...words('DEM FRF XAU XXX XTS USN CHE COU MXV ZWL EEK LTL EUX nok NOKK 578'),
  ],
  countries: [...unlistedCountries, ...words('EU AN SU YU CS EL XX AA TP BU DD no NOR 578')],
  purposeCodes: words(
    'GDDS BONU CHAR DIVI GOVT HEDG MSVC PAYR RENT SECU SCVE TRAD WHLD ADVA ZZZZ sala SALARY',
  ),
  accountSchemes: words('debitCardAccount creditCard creditCardAccounts CREDITCARDACCOUNT bban'),
  regulatoryReportingCodes: [
    ...Array.from({ length: 100 }, (_, code) => String(code).padStart(2, '0')).filter(
      (code) => !regulatoryReportingCodes.has(code),
    ),
    '141',
    '014',
  ],
} as const satisfies Record<string, readonly string[]>;
