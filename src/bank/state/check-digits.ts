/**
 * Written a second time on purpose (`src/spec/check-digits.ts` has the first): a bank that checks digits would not notice
 * wrong ones in what is sent, did it reckon as whoever sends it.
 */

const bbanWeights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];

/** The mod-11 check digit of a Norwegian account number; undefined where it would be 10. */
export function bbanCheckDigit(firstTen: string): string | undefined {
  const sum = bbanWeights.reduce((total, weight, index) => total + weight * Number(firstTen[index]), 0);
  const digit = (11 - (sum % 11)) % 11;
  return digit === 10 ? undefined : String(digit);
}

export const isBban = (text: string): boolean =>
  /^\d{11}$/.test(text) && bbanCheckDigit(text.slice(0, 10)) === text.slice(10);

/** The Norwegian IBAN of an account number (ISO 13616, mod 97). */
export function ibanOf(bban: string): string {
  const letters = '232400'; // N, O, and 00 for the check digits
  const check = 98n - (BigInt(bban + letters) % 97n);
  return `NO${String(check).padStart(2, '0')}${bban}`;
}

/** Whether the check digits of an IBAN of any country are right. */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/.test(text)) return false;
  const digits = (text.slice(4) + text.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
    String(letter.charCodeAt(0) - 55),
  );
  return BigInt(digits) % 97n === 1n;
}
