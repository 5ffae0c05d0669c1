import type { Account, CardAccount } from '../sandbox/accounts.ts';
import type { ActingPsu } from '../sandbox/customers.ts';
import type { ScaFlow } from './flows.ts';
import type { PsuState } from './psu-state.ts';

/** Who was identified in a flow, with the agreement that was chosen. */
export function actingPsu({ identified, chosenAgreementId }: ScaFlow): ActingPsu | undefined {
  return identified && { customerNumber: identified.customerNumber, agreementId: chosenAgreementId };
}

/** Everything that the PSU can grant access to. */
export function reachOf(psu: ActingPsu | undefined, state: PsuState): readonly (Account | CardAccount)[] {
  if (psu === undefined) return [];
  return [...state.customers.reachableAccounts(psu), ...state.customers.reachableCardAccounts(psu)];
}
