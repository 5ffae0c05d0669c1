import { minorUnits } from '../../spec/currencies.ts';

/** NOK for a hundred of the currency. The sandbox simulates: a rate that is roughly right is right enough. */
const nokForHundred: Readonly<Record<string, bigint>> = {
  NOK: 100n,
  EUR: 1150n,
  USD: 1050n,
  GBP: 1350n,
  SEK: 100n,
  DKK: 155n,
};
const rateOf = (currency: string): bigint => nokForHundred[currency] ?? 100n;
const unitsIn = (currency: string): bigint => 10n ** BigInt(minorUnits.get(currency) ?? 2);

/** An amount in minor units of one currency, in minor units of another. */
export function exchanged(minor: bigint, from: string, to: string): bigint {
  if (from === to) return minor;
  return (minor * rateOf(from) * unitsIn(to)) / (rateOf(to) * unitsIn(from));
}
