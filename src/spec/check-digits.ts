/**
 * Check digits of the numbers that payments carry. The specification never judges them, but real banks do, so
 * everything that is sent has correct ones.
 */

const bbanWeights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
const firstIdentityWeights = [3, 7, 6, 1, 8, 9, 4, 5, 2];
const secondIdentityWeights = bbanWeights;

/** The eleventh digit of a Norwegian account number; `undefined` where the ten before it have none (mod 11 is 10). */
export function bbanCheckDigit(firstTenDigits: string): string | undefined {
  return digitOrNone(mod11(digitsOf(firstTenDigits, 10), bbanWeights));
}

/** Whether the text is a Norwegian account number: eleven digits, the last one right. */
export function isBban(text: string): boolean {
  return /^\d{11}$/.test(text) && bbanCheckDigit(text.slice(0, 10)) === text.slice(10);
}

/** The Norwegian IBAN of an account number of eleven digits. */
export function ibanOf(bban: string): string {
  digitsOf(bban, 11);
  return `NO${ibanCheckDigits('NO', bban)}${bban}`;
}

/** ISO 13616: 98 minus the remainder of the number rearranged, by 97. */
export function ibanCheckDigits(country: string, bban: string): string {
  return String(98 - mod97(`${bban}${country}00`)).padStart(2, '0');
}

/** Whether the text is an IBAN in electronic form, of any country, with the right check digits. */
export function isIban(text: string): boolean {
  return /^[A-Z]{2}\d{2}[A-Z0-9]{1,30}$/.test(text) && mod97(`${text.slice(4)}${text.slice(0, 4)}`) === 1;
}

/** The last two of the eleven digits of a national identity number; `undefined` where the nine before have none. */
export function nationalIdCheckDigits(firstNineDigits: string): string | undefined {
  const digits = digitsOf(firstNineDigits, 9);
  const first = mod11(digits, firstIdentityWeights);
  if (first === 10) return undefined;
  const second = mod11([...digits, first], secondIdentityWeights);
  return second === 10 ? undefined : `${first}${second}`;
}

/** Whether both check digits are right. Dates are not looked at: synthetic numbers add 40 or 80 to the month. */
export function isNationalId(text: string): boolean {
  return /^\d{11}$/.test(text) && nationalIdCheckDigits(text.slice(0, 9)) === text.slice(9);
}

/** A number that nobody real has: synthetic ones add 80 to the month. The same for the same number given. */
export function syntheticNationalId(number: number): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  for (let next = Math.abs(Math.trunc(number)); ; next += 1) {
    const day = 1 + (next % 28);
    const month = 81 + (Math.floor(next / 28) % 12);
    const year = Math.floor(next / 336) % 100;
    const individual = Math.floor(next / 33_600) % 1000;
    const digits = `${two(day)}${month}${two(year)}${String(individual).padStart(3, '0')}`;
    const check = nationalIdCheckDigits(digits);
    if (check !== undefined) return digits + check;
  }
}

/** The mod-10 (Luhn) check digit of a KID. */
export function kidMod10CheckDigit(payload: string): string {
  demandDigits(payload);
  let sum = 0;
  for (let index = payload.length - 1, doubles = true; index >= 0; index -= 1, doubles = !doubles) {
    const digit = digitAt(payload, index);
    sum += doubles ? crossSum(digit * 2) : digit;
  }
  return String((10 - (sum % 10)) % 10);
}

/** The mod-11 check digit of a KID, with weights 2 to 7 from the right; a hyphen stands for 10. */
export function kidMod11CheckDigit(payload: string): string {
  demandDigits(payload);
  let sum = 0;
  for (let index = payload.length - 1, weight = 2; index >= 0; index -= 1, weight += weight === 7 ? -5 : 1) {
    sum += digitAt(payload, index) * weight;
  }
  const remainder = (11 - (sum % 11)) % 11;
  return remainder === 10 ? '-' : String(remainder);
}

/** Whether the text is a KID: 2 to 25 characters, the last a check digit of either kind. */
export function isKid(text: string): boolean {
  if (!/^\d{1,24}[\d-]$/.test(text)) return false;
  const payload = text.slice(0, -1);
  const last = text.slice(-1);
  return last === kidMod10CheckDigit(payload) || last === kidMod11CheckDigit(payload);
}

const bicPattern = /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

export function isBic(text: string): boolean {
  return bicPattern.test(text);
}

function digitsOf(text: string, length?: number): readonly number[] {
  demandDigits(text, length);
  return Array.from(text, Number);
}

/** Without a list of digits: thousands of KIDs are tried for one payment with many references. */
const digitAt = (text: string, index: number): number => text.charCodeAt(index) - 48;

function demandDigits(text: string, length?: number): void {
  if (!/^\d+$/.test(text) || (length !== undefined && text.length !== length)) {
    throw new RangeError(`Expected ${length ?? 'only'} digits, got ${text.length} characters.`);
  }
}

/** 11 minus the weighted sum by 11, so 0 to 10; what 10 means differs from number to number. */
function mod11(digits: readonly number[], weights: readonly number[]): number {
  const sum = digits.reduce((total, digit, index) => total + digit * (weights[index] ?? 0), 0);
  return (11 - (sum % 11)) % 11;
}

function digitOrNone(remainder: number): string | undefined {
  return remainder === 10 ? undefined : String(remainder);
}

/** Letters count from A = 10 to Z = 35; taken piece by piece, because the number is too long for one. */
function mod97(text: string): number {
  const digits = text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return Array.from(digits).reduce((remainder, digit) => (remainder * 10 + Number(digit)) % 97, 0);
}

function crossSum(number: number): number {
  return number > 9 ? number - 9 : number;
}
