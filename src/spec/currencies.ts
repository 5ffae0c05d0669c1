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

/**
 * How many units are about a US dollar, and never more at the rates of the last years: enough to tell what is certainly worth
 * more than a sum, since no rate is given.
 */
const unitsPerDollar = [
  [1, 'BHD BMD BSD CHF CUC EUR FKP GBP GGP GIP IMP JEP JOD KWD KYD OMR PAB SHP SPL USD XDR'],
  [3, 'ANG AUD AWG AZN BAM BBD BGN BND BZD CAD FJD GEL NZD SGD TOP TVD WST XCD'],
  [
    10,
    'AED BOB BRL BWP CNY DKK GHS GTQ HKD HRK ILS LYD MAD MOP MYR PEN PGK PLN QAR RON SAR SBD SVC TMT TND TTD',
  ],
  [30, 'CUP CZK ERN HNL LSL MDL MUR MVR MXN NAD NOK SCR SEK SZL TJS ZAR ZMW'],
  [100, 'AFN ALL BTN CVE DOP EGP GMD INR KGS MKD MZN NIO PHP RUB SRD THB TRY TWD UAH UYU'],
  [300, 'BDT DJF ETB GYD HTG ISK JMD JPY KES LKR LRD NPR PKR RSD VUV XPF YER'],
  [1_000, 'AMD AOA CLP CRC HUF KMF KPW KZT MRO SOS XAF XOF ZWD'],
  [3_000, 'ARS BIF CDF IQD KRW MWK MMK NGN RWF SDG TZS YER'],
  [10_000, 'COP GNF KHR MGA MNT PYG UGX'],
  [30_000, 'BYR IDR LAK SLL STD SYP UZS VND'],
  [300_000, 'IRR LBP VEF'],
] as const;

const dollarsByCurrency: ReadonlyMap<string, number> = new Map(
  unitsPerDollar.flatMap(([units, codes]) => words(codes).map((code) => [code, units] as const)),
);

/** An amount that is worth so many dollars at least, in whole units of a currency. */
export const unitsWorth = (dollars: number, currency: string): number =>
  dollars * (dollarsByCurrency.get(currency) ?? 1);

/** What a bank is most likely to get wrong or to meet: without two fraction digits, or paid most from Norway. */
export const tellingCurrencies: ReadonlySet<string> = new Set([
  ...withoutFraction,
  ...withThreeDigits,
  ...words('NOK EUR USD SEK DKK GBP CHF PLN CNY'),
]);
