import type { BankRequest } from '../route.ts';
import { toDecimal } from '../sandbox/money.ts';
import type { PsuState } from '../sca/psu-state.ts';
import { isFixed } from './accept-fix.ts';

export interface AmountBody {
  /** A number only in the time before `amount-as-string` became the default (Versioning). */
  readonly amount: string | number;
  readonly currency: string;
}

/** Writes amounts the way the request is to have them. */
export function amountWriter(
  request: BankRequest,
  state: PsuState,
): (minor: bigint, currency: string) => AmountBody {
  const asString = isFixed('amount-as-string', request, state);
  return (minor, currency) => {
    const amount = toDecimal(minor, currency);
    return { amount: asString ? amount : Number(amount), currency };
  };
}
