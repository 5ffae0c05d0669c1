import { resetPsuState } from '../sca/create-psu-state.ts';
import type { BankState } from '../state.ts';

/**
 * Back to the initial data set (Sandbox customer, last paragraph). Payments and baskets go as well, since they belong
 * to accounts that are as they were.
 */
export function initialiseSandbox(state: BankState): void {
  resetPsuState(state);
  state.payments.clear();
  state.baskets.clear();
}
