import { acceptFixes } from '../../spec/code-lists.ts';
import type { BankRequest } from '../route.ts';
import type { PsuState } from '../sca/psu-state.ts';

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
