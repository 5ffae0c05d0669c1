import { createHash } from 'node:crypto';
import { bbanCheckDigit, ibanCheckDigits } from '../spec/check-digits.ts';
import { currencies, minorUnits, unitsWorth } from '../spec/currencies.ts';
import type { Readings } from '../spec/interpretations.ts';
import type { Product } from '../spec/products.ts';
import { agentOf } from './payment-parts.ts';

/** How many amounts one check may use before it would reach into those of the next. */
const span = 512;
/** So many øre further on, other digits stand behind the point, and in front of it. */
const someAmounts = 37;
const range = 900_000;
/** Below NOK 100 000 at every rate of these years: from there on a transfer abroad has to be reported. */
const euroRange = 700_000;
/** In currencies of which some are dear, and where there is no smaller unit: more would be more than a test account holds. */
const foreignRange = 90_000;
const wholeUnits = 9_000;

const rangesOfTheirOwn: ReadonlyMap<string, number> = new Map([
  ['NOK', range],
  ['EUR', euroRange],
]);

const rangeOf = (currency: string): number =>
  rangesOfTheirOwn.get(currency) ?? (minorUnits.get(currency) === 0 ? wholeUnits : foreignRange);

/** Above what banks exempt from SCA for being small (EUR 30 or 50), which leaves nothing to approve or to put into a basket. */
const leastKroner = 100_000;
/** Above what banks do not transfer for being too little: ten units at least, in any currency. */
const leastForeign = 10_000;
const leastWhole = 1_000;

const leastOf = (currency: string): number =>
  currency === 'NOK' ? leastKroner : minorUnits.get(currency) === 0 ? leastWhole : leastForeign;

/** NOK 100 000 and more at every rate of these years. */
const surelyMeantInDollars = 30_000;

/**
 * What each payment of a product is more than, in minor units: a bank need not take less than the product is meant for. In
 * other currencies it is sent only where the bank takes none that is smaller: it is more than a test account has for many.
 */
export function leastOfProduct(
  { meantFromOere }: Product,
  currency: string,
  smallTransfers: Readings['smallTransfers'] | undefined,
): number {
  if (currency === 'NOK') return meantFromOere;
  return meantFromOere > 0 && smallTransfers === 'not-taken'
    ? unitsWorth(surelyMeantInDollars, currency) * 10 ** (minorUnits.get(currency) ?? 2)
    : 0;
}

/** A small number that follows from a text, the same on every machine. */
export const numberFrom = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0);

/**
 * Amounts that no other payment of the run has, small enough for any test account. A strict bank refuses logical
 * duplicates, so two payments that are meant to go through never share an amount.
 */
export class Amounts {
  #next: number;

  /**
   * `place` is the position of the check among all checks: each has a range of its own. The preflight stands before
   * the first check, at -1.
   */
  constructor(seed: number, place: number) {
    this.#next = range + numberFrom(String(seed)) + place * span;
  }

  /** The next amount, in minor units. */
  nextMinor(currency: string): number {
    const amount = leastOf(currency) + (this.#next % rangeOf(currency));
    this.#next += 1;
    return amount;
  }

  /** Goes on a little further: who refuses one amount may refuse the next ones for the digits that they share. */
  skipSome(): void {
    this.#next += someAmounts;
  }

  next(currency: string): string {
    return decimal(this.nextMinor(currency), minorUnits.get(currency) ?? 2);
  }
}

/** `decimal(12345, 2)` is `123.45`. */
export function decimal(minor: number, digits: number): string {
  const text = String(minor).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** An account that is held in one currency, with the BIC of its bank. */
export interface CurrencyAccount {
  readonly number: string;
  readonly agent: string;
}

/** A bank may remember the currency of an account, so each currency has one of its own, always the same. */
export const norwegianAccountIn = (currency: string): CurrencyAccount =>
  norwegianAccount('86012', currencies.indexOf(currency), currency);

/** Accounts that nothing else of a run pays to, another one with each number. */
export const furtherNorwegianAccount = (number: number, currency: string): CurrencyAccount =>
  norwegianAccount('86014', number % 1000, currency);

function norwegianAccount(series: string, place: number, currency: string): CurrencyAccount {
  for (let number = 0; ; number += 1) {
    const digits = `${series}${String(place).padStart(3, '0')}${String(number).padStart(2, '0')}`;
    const check = bbanCheckDigit(digits);
    if (check === undefined) continue;
    const bban = `${digits}${check}`;
    return { number: bban, agent: agentOf({ bban, currency }) ?? '' };
  }
}

/** Of the bank and near the number of the example in the IBAN registry, DE89 3704 0044 0532 0130 00. */
export const germanAccountIn = (currency: string): CurrencyAccount =>
  germanAccount(532_014 + currencies.indexOf(currency));

export const furtherGermanAccount = (number: number): CurrencyAccount =>
  germanAccount(533_000 + (number % 1000));

function germanAccount(place: number): CurrencyAccount {
  const base = String(place);
  const bban = `37040044${`0${base}${checkDigit13(base)}00`}`;
  return { number: `DE${ibanCheckDigits('DE', bban)}${bban}`, agent: 'COBADEFFXXX' };
}

/** Method 13 of the Bundesbank's list, which this bank uses: weights 1 and 2 in turn, cross sums, modulus 10. */
function checkDigit13(base: string): string {
  const sum = Array.from(base, Number).reduce((total, digit, index) => {
    const product = index % 2 === 0 ? digit : digit * 2;
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}
