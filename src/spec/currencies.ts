import { words } from './countries.ts';

/**
 * The currencies of the specification (Shared value types) with their ISO 4217 minor units.
 * `Intl.NumberFormat` is no source for them: it follows cash usage and differs for IQD, HUF and others.
 */
const withoutFraction = words(`
  BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF BYR
`);

const withTwoDigits = words(`
  AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN
  BWP BZD CAD CDF CHF CNY COP CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD
  FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS
  KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRO MUR MVR MWK
  MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR
  SBD SCR SDG SEK SGD SHP SLL SOS SRD STD SVC SYP SZL THB TJS TMT TOP TRY TTD TWD
  TZS UAH USD UYU UZS VEF WST XCD YER ZAR ZMW ZWD
`);

const withThreeDigits = words(`
  BHD IQD JOD KWD LYD OMR TND
`);

/** XDR has no minor unit in ISO 4217; the others are no ISO 4217 codes at all. Their digits are never judged. */
const withoutDefinedDigits = words(`
  XDR GGP IMP JEP SPL TVD
`);

/**
 * Codes that ISO 4217 has withdrawn, and MGA, whose minor unit is a fifth: a bank may have dropped them,
 * so what is found with them is advisory.
 */
export const doubtfulCurrencies: ReadonlySet<string> = new Set(
  words('ANG BGN BYR CUC HRK MRO SLL STD VEF ZWD MGA'),
);

/** Fraction digits by currency; `undefined` where ISO 4217 defines none. */
export const minorUnits: ReadonlyMap<string, number | undefined> = new Map([
  ...withoutFraction.map((code) => [code, 0] as const),
  ...withTwoDigits.map((code) => [code, 2] as const),
  ...withThreeDigits.map((code) => [code, 3] as const),
  ...withoutDefinedDigits.map((code) => [code, undefined] as const),
]);

export const currencies: readonly string[] = [...minorUnits.keys()].sort();

/** Currencies whose digits can be judged without doubt. */
export const judgedCurrencies: readonly string[] = currencies.filter(
  (code) => minorUnits.get(code) !== undefined && !doubtfulCurrencies.has(code),
);

/** Real currencies that the specification does not list: the fairest examples of an unknown one. */
export const unlistedCurrencies: readonly string[] = words('BYN MRU SLE SSP STN VED VES ZWG');

/** What a bank is most likely to get wrong or to meet: without two fraction digits, or paid most from Norway. */
export const tellingCurrencies: ReadonlySet<string> = new Set([
  ...withoutFraction,
  ...withThreeDigits,
  ...words('NOK EUR USD SEK DKK GBP CHF PLN CNY'),
]);
