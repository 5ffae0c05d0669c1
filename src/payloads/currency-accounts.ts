import { bbanCheckDigit, ibanCheckDigits } from '../spec/check-digits.ts';
import { currencies } from '../spec/currencies.ts';
import { agentOf } from './payment-facts.ts';

/** An account that is held in one currency, with the BIC of its bank. */
export interface CurrencyAccount {
  readonly number: string;
  readonly agent: string;
}

/** A bank may remember the currency of an account, so each currency has one of its own, always the same. */
export function norwegianAccountIn(currency: string): CurrencyAccount {
  const place = String(currencies.indexOf(currency)).padStart(3, '0');
  for (let number = 0; ; number += 1) {
    const digits = `86012${place}${String(number).padStart(2, '0')}`;
    const check = bbanCheckDigit(digits);
    if (check === undefined) continue;
    const bban = `${digits}${check}`;
    return { number: bban, agent: agentOf({ bban, currency }) ?? '' };
  }
}

/** Of the bank and near the number of the example in the IBAN registry, DE89 3704 0044 0532 0130 00. */
export function germanAccountIn(currency: string): CurrencyAccount {
  const base = String(532_014 + currencies.indexOf(currency));
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
