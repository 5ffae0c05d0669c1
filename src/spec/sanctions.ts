import { countries } from './countries.ts';

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * Countries that measures of the United Nations or the European Union name, and Cuba: whoever lives there may be
 * refused for that reason, which is no fault of form (reading `sanctions`).
 */
export const sanctionedCountries: ReadonlySet<string> = new Set(
  words('AF BI BY CD CF CU GN GW HT IQ IR KP LB LY ML MM NE NI RU SD SO SS SY VE YE ZW'),
);

/** Their currencies, as far as they are listed. */
export const sanctionedCurrencies: ReadonlySet<string> = new Set(
  words('AFN BIF BYR CDF CUC CUP GNF HTG IQD IRR KPW LBP LYD MMK NIO RUB SDG SOS SYP VEF YER ZWD'),
);

export const unsanctionedCountries: readonly string[] = countries.filter(
  (country) => !sanctionedCountries.has(country),
);
