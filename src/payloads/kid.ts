import { kidMod10CheckDigit, kidMod11CheckDigit } from '../spec/check-digits.ts';

/**
 * A KID that passes mod 10 and mod 11 alike: which of the two a creditor uses is agreed between them and their bank,
 * so only such a number is right everywhere.
 */
export function kidFrom(number: number): string {
  const known = kids.get(number);
  if (known !== undefined) return known;
  for (let payload = 100_000 + (number % 800_000); ; payload += 1) {
    const digit = kidMod10CheckDigit(String(payload));
    if (digit !== kidMod11CheckDigit(String(payload))) continue;
    const kid = `${payload}${digit}`;
    if (kids.size >= mostKids) kids.clear();
    kids.set(number, kid);
    return kid;
  }
}

/** A number of so many digits that passes both, longer than a KID may be where that is wanted. */
export function kidOfLength(length: number): string {
  for (let number = 0; ; number += 1) {
    const payload = String(number).padStart(length - 1, '4711');
    const digit = kidMod10CheckDigit(payload);
    if (digit === kidMod11CheckDigit(payload)) return `${payload}${digit}`;
  }
}

/** One payload in ten has such a number, and the same few numbers are drawn again and again. */
const kids = new Map<number, string>();
const mostKids = 5_000;

/** Numbers that fail both. */
export const brokenKids: readonly string[] = ['33523568', '2345671', '12345678901'];
