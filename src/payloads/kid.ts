import { isKid, kidMod10CheckDigit, kidMod11CheckDigit } from '../spec/check-digits.ts';
import { isObject, textAt } from '../spec/json.ts';
import { type Json, type JsonObject, setAt } from './json.ts';

/**
 * A KID that passes mod 10 and mod 11 alike: which of the two a creditor uses is agreed between them and their bank,
 * so only such a number is right everywhere. Each number below nine million has one of its own.
 */
export function kidFrom(number: number): string {
  const known = kids.get(number);
  if (known !== undefined) return known;
  for (let payload = (1_000_000 + (number % 9_000_000)) * 100; ; payload += 1) {
    const digit = kidMod10CheckDigit(String(payload));
    if (digit !== kidMod11CheckDigit(String(payload))) continue;
    const kid = `${payload}${digit}`;
    if (kids.size >= mostKids) kids.clear();
    kids.set(number, kid);
    return kid;
  }
}

/** Of each number that is made so. */
const usualLength = 10;

/**
 * References of a payment that no other of the run has, as long as its amount is its own: whoever pays an invoice pays
 * it once, and a strict bank says so.
 */
export function referencesOf(instructedAmount: unknown, count: number): readonly { reference: string }[] {
  const minor = minorOf(instructedAmount);
  return Array.from({ length: count }, (_, index) => ({ reference: kidFrom(4 * minor + index) }));
}

/** The same, of the length that a creditor has agreed on with its bank. */
export const referencesOfLength = (
  length: number,
  instructedAmount: unknown,
  count: number,
): readonly { reference: string }[] =>
  Array.from({ length: count }, (_, index) => ({
    reference: kidOfAgreedLength(length, 100 * (4 * minorOf(instructedAmount) + index)),
  }));

/**
 * The same payment of another amount, and for other invoices: a strict bank takes each of them once. What is no KID stands,
 * and so does whatever stands next to one.
 */
export function withAmount(body: JsonObject, amount: string): JsonObject {
  const changed = setAt(body, ['instructedAmount', 'amount'], amount);
  const anew = (structured: Json, index: number): Json => {
    const reference = textAt(structured, 'reference') ?? '';
    if (!isKid(reference) || !isObject(structured)) return structured;
    const made =
      reference.length === usualLength
        ? referencesOf(changed['instructedAmount'], index + 1)
        : referencesOfLength(reference.length, changed['instructedAmount'], index + 1);
    return { ...structured, ...made[index] };
  };
  const { remittanceInformationStructured: single, remittanceInformationStructuredArray: array } = changed;
  return {
    ...changed,
    ...(single === undefined ? {} : { remittanceInformationStructured: anew(single, 0) }),
    ...(Array.isArray(array) ? { remittanceInformationStructuredArray: array.map(anew) } : {}),
  };
}

/** About one number in ten passes both; where digits are few, they begin again at nothing. */
function kidOfAgreedLength(length: number, number: number): string {
  const own = Math.min(length - 1, mostOwnDigits);
  for (let left = number % 10 ** own; ; left = (left + 1) % 10 ** own) {
    const payload = String(left)
      .padStart(own, '0')
      .padStart(length - 1, '4711');
    const digit = kidMod10CheckDigit(payload);
    if (digit === kidMod11CheckDigit(payload)) return `${payload}${digit}`;
  }
}

/** Digits of a KID that are those of its payment alone. */
const mostOwnDigits = 12;

/** A KID of the usual length with another check digit, which fails mod 10 and mod 11 alike: a bank that takes it may take it once. */
export function wrongKidOf(instructedAmount: unknown): string {
  const [{ reference } = { reference: '0' }] = referencesOf(instructedAmount, 1);
  return `${reference.slice(0, -1)}${(Number(reference.slice(-1)) + 1) % 10}`;
}

const minorOf = (instructedAmount: unknown): number =>
  Number((textAt(instructedAmount, 'amount') ?? '0').replace(/\D/g, ''));

/** As many digits as one has. */
export const longestKid = 25;

/** A number of so many digits that passes both, longer than a KID may be where that is wanted. */
export function kidOfLength(length: number, instructedAmount?: unknown): string {
  for (let number = 100 * minorOf(instructedAmount); ; number += 1) {
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
