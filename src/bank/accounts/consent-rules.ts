import { type BankRequest, type Rule, rule } from '../design/route.ts';
import {
  agreementRules,
  corporateIdIsPresent,
  isAttended,
  psuIsKnown,
  redirectUriIsAnAddress,
  requestIdIsPresent,
  sessionHolds,
  wishOf,
} from '../rules/psu-rules.ts';
import { identifyPsu } from '../sca/identify-psu.ts';
import { scaNeeded } from '../sca/request-sca.ts';
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

const askAgain = (request: BankRequest, state: PsuState) =>
  scaNeeded(request, state, { purpose: 'consent', ...wishOf(request, state) });

const consentIsGiven = rule(
  'SCA-01',
  'the PSU has consented',
  'consentUnknown',
  (request, state) => {
    const consent = consentOf(request, state);
    return consent === undefined || consent.accountIds.size === 0
      ? { text: 'The PSU has granted access to no account.', ...askAgain(request, state) }
      : undefined;
  },
  { also: ['ERR-03', 'ACC-01', 'SCA-09'] },
);

const consentIsRenewed = rule(
  'SES-06',
  'the PSU passed SCA within the last 180 days',
  'consentExpired',
  (request, state) => {
    const consent = consentOf(request, state);
    return consent !== undefined && state.consents.isRenewalDue(consent)
      ? { text: 'The last SCA is more than 180 days old.', ...askAgain(request, state) }
      : undefined;
  },
  { also: ['ACC-13'] },
);

const forConsent = () => 'consent' as const;

/** In which order a request for account information is judged: who, for whom, since when, with which consent. */
export const consentRules: readonly Rule[] = [
  requestIdIsPresent,
  redirectUriIsAnAddress,
  psuIsKnown(forConsent),
  corporateIdIsPresent,
  ...agreementRules,
  sessionHolds(forConsent),
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
): Rule =>
  rule(
    'ACC-01',
    'the account is one that the PSU granted',
    'accountUnknown',
    (request, state) => {
      if (find(request, state) !== undefined) return undefined;
      return withinReach(request, state)
        ? {
            kind: 'consentInvalid',
            text: 'The PSU has not granted access to this account.',
            ...askAgain(request, state),
          }
        : { path: 'accountId', text: 'There is no such account.' };
    },
    { also: ['SCA-09', 'ACC-19', 'ACC-20'] },
  );

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
export const fewUnattendedCalls = (kind: 'balances' | 'transactions'): Rule =>
  rule(
    kind === 'balances' ? 'ACC-10' : 'ACC-11',
    `${kind} are read at most 4 times in 24 hours without the PSU`,
    'unattendedCalls',
    (request, state) => {
      const psu = identifyPsu(request, state);
      const accountId = request.params.accountId;
      if (isAttended(request) || psu === undefined || accountId === undefined) return undefined;
      // Later pages belong to the call that read the first.
      if (Number(request.query.get('offset') ?? 0) > 0) return undefined;
      // A transaction's details are a resource of their own: reading them does not use up the calls for the listing.
      const resource = [accountId, request.params.transactionId ?? ''].join('/');
      if (state.unattendedCalls.admit(psu.tppId, resource, kind)) return undefined;
      return {
        text: `Without the PSU present, ${kind} can be read 4 times in 24 hours.`,
        headers: { 'Retry-After': String(state.unattendedCalls.secondsUntilFree(psu.tppId, resource, kind)) },
      };
    },
    { hasEffects: true },
  );
