import { acceptFixes } from '../../spec/code-lists.ts';
import type { BankRequest } from '../design/route.ts';
import { toDecimal } from '../state/money.ts';
import type { PsuState } from '../state/psu-state.ts';

export type AcceptFix = (typeof acceptFixes)[number]['value'];

/**
 * Whether an early-adoption value has its effect (Versioning): it has become the default by the day that the bank
 * stands for, or the request asks for it.
 */
export function isFixed(
  fix: AcceptFix,
  request: BankRequest,
  state: Pick<PsuState, 'defaultsAsOf'>,
): boolean {
  const byDefault = acceptFixes.some((row) => row.value === fix && row.default <= state.defaultsAsOf);
  return byDefault || requestedFixes(request).includes(fix);
}

const requestedFixes = (request: BankRequest): readonly string[] =>
  (request.headers.get('x-accept-fix') ?? [])
    .flatMap((value) => value.split(','))
    .map((value) => value.trim());

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
