import type { BankRequest } from '../route.ts';
import type { Account, CardAccount } from '../sandbox/accounts.ts';
import { identifyPsu } from '../sca/identify-psu.ts';
import type { PsuState } from '../sca/psu-state.ts';
import type { Consent } from './consents.ts';

/** The consent under which a request reads. */
export function consentOf(request: BankRequest, state: PsuState): Consent | undefined {
  const psu = identifyPsu(request, state);
  return psu && state.consents.find(psu.tppId, psu);
}

/** Consented accounts that the PSU still has: an account can be closed, and an engagement can end. */
export function consentedAccounts(request: BankRequest, state: PsuState): readonly Account[] {
  const psu = identifyPsu(request, state);
  const consent = consentOf(request, state);
  if (psu === undefined || consent === undefined) return [];
  return state.customers.reachableAccounts(psu).filter(({ id }) => consent.accountIds.has(id));
}

export function consentedCardAccounts(request: BankRequest, state: PsuState): readonly CardAccount[] {
  const psu = identifyPsu(request, state);
  const consent = consentOf(request, state);
  if (psu === undefined || consent === undefined) return [];
  return state.customers.reachableCardAccounts(psu).filter(({ id }) => consent.accountIds.has(id));
}

/** The consented account that the path names. */
export const consentedAccount = (request: BankRequest, state: PsuState): Account | undefined =>
  consentedAccounts(request, state).find(({ id }) => id === request.params.accountId);

export const consentedCardAccount = (request: BankRequest, state: PsuState): CardAccount | undefined =>
  consentedCardAccounts(request, state).find(({ id }) => id === request.params.accountId);
