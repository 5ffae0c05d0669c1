import { minorUnits } from '../../spec/currencies.ts';

/** Fraction digits of a currency; two where ISO 4217 defines none. */
const digitsOf = (currency: string): number => minorUnits.get(currency) ?? 2;

/** `12.5` NOK is 1250n; undefined for what is no plain decimal number of that currency. */
export function toMinorUnits(amount: string, currency: string): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (match === null) return undefined;
  const [, sign, whole = '0', fraction = ''] = match;
  const digits = digitsOf(currency);
  if (fraction.length > digits) return undefined;
  const minor = BigInt(whole + fraction.padEnd(digits, '0'));
  return sign === '-' ? -minor : minor;
}

/** 1250n NOK is `12.50`. */
export function toDecimal(minor: bigint, currency: string): string {
  const digits = digitsOf(currency);
  const sign = minor < 0n ? '-' : '';
  const text = (minor < 0n ? -minor : minor).toString().padStart(digits + 1, '0');
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

export const sumOf = (parts: readonly { readonly amount: bigint }[]): bigint =>
  parts.reduce((sum, { amount }) => sum + amount, 0n);
