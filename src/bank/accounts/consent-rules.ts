import type { MessageCode } from '../../spec/code-lists.ts';
import type { BankRequest, Refusal, Rule } from '../design/route.ts';
import { identifyPsu } from '../sca/identify-psu.ts';
import {
  agreementIsOfPsu,
  corporateIdIsPresent,
  isAttended,
  psuIsKnown,
  redirectUriIsAnAddress,
  sessionHolds,
  wishOf,
} from '../sca/psu-rules.ts';
import { scaRequired } from '../sca/request-sca.ts';
import type { Consent } from '../state/consents.ts';
import type { Account, CardAccount } from '../state/customers.ts';
import type { PsuState } from '../state/psu-state.ts';

/** The consent under which a request reads. */
function consentOf(request: BankRequest, state: PsuState): Consent | undefined {
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

const askAgain = (request: BankRequest, state: PsuState, code: MessageCode, text: string): Refusal =>
  scaRequired(request, state, { purpose: 'consent', ...wishOf(request, state) }, { code, text });

const consentIsGiven: Rule = {
  requirement: 'SCA-01',
  also: ['ERR-03', 'ACC-01', 'SCA-09'],
  name: 'the PSU has consented',
  refuses: (request, state) => {
    const consent = consentOf(request, state);
    return consent === undefined || consent.accountIds.size === 0
      ? askAgain(request, state, 'CONSENT_UNKNOWN', 'The PSU has granted access to no account.')
      : undefined;
  },
};

const consentIsRenewed: Rule = {
  requirement: 'SES-06',
  also: ['ACC-13'],
  name: 'the PSU passed SCA within the last 180 days',
  refuses: (request, state) => {
    const consent = consentOf(request, state);
    return consent !== undefined && state.consents.isRenewalDue(consent)
      ? askAgain(request, state, 'CONSENT_EXPIRED', 'The last SCA is more than 180 days old.')
      : undefined;
  },
};

/** In which order a request for account information is judged: who, for whom, since when, with which consent. */
export const consentRules: readonly Rule[] = [
  redirectUriIsAnAddress,
  psuIsKnown('consent'),
  corporateIdIsPresent,
  agreementIsOfPsu,
  sessionHolds('consent'),
  consentIsGiven,
  consentIsRenewed,
];

/**
 * The account in the path is one that the PSU granted. One that the PSU could grant is worth another SCA; of any
 * other account not even its existence is told.
 */
const granted = (
  find: (request: BankRequest, state: PsuState) => unknown,
  withinReach: (request: BankRequest, state: PsuState) => boolean,
): Rule => ({
  requirement: 'ACC-01',
  also: ['SCA-09'],
  name: 'the account is one that the PSU granted',
  refuses: (request, state) => {
    if (find(request, state) !== undefined) return undefined;
    if (withinReach(request, state)) {
      return askAgain(request, state, 'CONSENT_INVALID', 'The PSU has not granted access to this account.');
    }
    return { status: 404, code: 'RESOURCE_UNKNOWN', path: 'accountId', text: 'There is no such account.' };
  },
});

export const accountIsGranted = granted(consentedAccount, (request, state) => {
  const psu = identifyPsu(request, state);
  return (
    psu !== undefined &&
    state.customers.reachableAccounts(psu).some(({ id }) => id === request.params.accountId)
  );
});

export const cardAccountIsGranted = granted(consentedCardAccount, (request, state) => {
  const psu = identifyPsu(request, state);
  return (
    psu !== undefined &&
    state.customers.reachableCardAccounts(psu).some(({ id }) => id === request.params.accountId)
  );
});

/** The last rule of its routes, because it counts. */
export const fewUnattendedCalls = (kind: 'balances' | 'transactions'): Rule => ({
  requirement: kind === 'balances' ? 'ACC-10' : 'ACC-11',
  name: `${kind} are read at most 4 times in 24 hours without the PSU`,
  refuses: (request, state) => {
    const psu = identifyPsu(request, state);
    const accountId = request.params.accountId;
    if (isAttended(request) || psu === undefined || accountId === undefined) return undefined;
    // A transaction's details are a resource of their own: reading them does not use up the calls for the listing.
    const resource = [accountId, request.params.transactionId ?? ''].join('/');
    if (state.unattendedCalls.admit(psu.tppId, resource, kind)) return undefined;
    return {
      status: 429,
      code: 'ACCESS_EXCEEDED',
      text: `Without the PSU present, ${kind} can be read 4 times in 24 hours.`,
      headers: { 'Retry-After': String(state.unattendedCalls.secondsUntilFree(psu.tppId, resource, kind)) },
    };
  },
});
