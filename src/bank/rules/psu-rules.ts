import { isRedirectUri } from '../../spec/formats.ts';
import {
  type BankRequest,
  type BankState,
  type Finding,
  type PsuStanding,
  type Rule,
  rule,
} from '../design/route.ts';
import { identifyPsu, lacksCorporateId } from '../sca/identify-psu.ts';
import { accessFor, type ScaWish, scaNeeded } from '../sca/request-sca.ts';
import type { PsuState } from '../state/psu-state.ts';
import { missing } from './header-rules.ts';

/** What SCA is asked for when a rule finds that it is needed. */
type PurposeOf = (request: BankRequest) => 'consent' | 'identification';

/** A page can only be left towards an address; checked before SCA is asked for. */
export const redirectUriIsAnAddress = rule(
  'SCA-03',
  'TPP-Redirect-URI is an absolute address',
  'headerForm',
  (request) => {
    const redirectUri = request.header('tpp-redirect-uri');
    return redirectUri === undefined || isRedirectUri(redirectUri)
      ? undefined
      : {
          path: 'TPP-Redirect-URI',
          text: 'TPP-Redirect-URI is no absolute address: send https://… of the TPP.',
        };
  },
  { ownChoice: true },
);

export const corporateIdIsPresent = rule(
  'COR-01',
  'a corporate request has PSU-Corporate-ID',
  'corporate',
  (request, state) =>
    lacksCorporateId(request, state)
      ? {
          path: 'PSU-Corporate-ID',
          text: 'PSU-ID or PSU-Corporate-ID is missing, and the PSU acts in corporate context.',
        }
      : undefined,
);

/** An agreement that there is not, and one of others: a bank may look at either alone. */
const agreementExists = rule(
  'COR-03',
  'PSU-Corporate-ID is an agreement that there is',
  'agreement',
  (request, state) =>
    lacksAgreement(request, state) && agreementNamedBy(request, state) === undefined
      ? { path: 'PSU-Corporate-ID', text: 'PSU-Corporate-ID is no agreement of this bank.' }
      : undefined,
);

const agreementIsOfPsu = rule(
  'COR-04',
  'PSU-Corporate-ID is an agreement of the PSU',
  'agreement',
  (request, state) =>
    lacksAgreement(request, state) && agreementNamedBy(request, state) !== undefined
      ? {
          path: 'PSU-Corporate-ID',
          text: 'The PSU has no such agreement; GET /v1/agreements lists those of the PSU.',
        }
      : undefined,
);

function lacksAgreement(request: BankRequest, state: PsuState): boolean {
  const psu = identifyPsu(request, state);
  return psu?.context === 'CORPORATE' && psu.agreement === undefined;
}

const agreementNamedBy = (request: BankRequest, { customers }: PsuState) =>
  customers.agreement(request.header('psu-corporate-id')?.toLowerCase() ?? '');

export const agreementRules: readonly Rule[] = [agreementExists, agreementIsOfPsu];

/** Whether the PSU is known and has passed SCA, for requests that create a payment or a basket. */
export const initiationRules: readonly Rule[] = [
  redirectUriIsAnAddress,
  corporateIdIsPresent,
  ...agreementRules,
  scaWhere('unknown-psu', 'ERR-03', 'the PSU is known', 'The PSU is not known: SCA is needed.', [
    'SCA-15',
    'SCA-17',
  ]),
  scaWhere(
    'no-session',
    'SES-02',
    'SCA was passed within this TPP-Session-ID',
    'SCA has not been passed within this TPP-Session-ID.',
    ['ERR-03', 'SES-03', 'SCA-16'],
  ),
  scaWhere('session-expired', 'SES-01', 'the session is at most an hour old', 'The session has expired.', [
    'ERR-03',
  ]),
];

function scaWhere(
  standing: PsuStanding['standing'],
  requirement: string,
  name: string,
  text: string,
  also: readonly string[],
): Rule {
  return rule(
    requirement,
    name,
    standing === 'session-expired' ? 'scaExpired' : 'sca',
    (request, state) =>
      state.psus.standingOf(request, state).standing === standing
        ? {
            text,
            path: 'PSU-ID',
            links: { scaRedirect: state.psus.startSca(request, state, { kind: 'access' }) },
          }
        : undefined,
    { also },
  );
}

/** For reading. X-PSU-IDENTITY, the alternative to PSU-ID, is listed for payment creation only (Common request headers). */
export const psuIsKnown = (purposeOf: PurposeOf, requirement = 'SCA-01'): Rule =>
  rule(
    requirement,
    'the PSU is known to the TPP by its PSU-ID',
    'sca',
    (request, state) =>
      request.header('psu-id') === undefined || identifyPsu(request, state) === undefined
        ? unknownPsu(request, state, purposeOf)
        : undefined,
    { also: ['ERR-03', 'SCA-15', 'SCA-17'] },
  );

const unknownPsu = (request: BankRequest, state: BankState, purposeOf: PurposeOf): Finding => ({
  ...(request.header('psu-id') === undefined
    ? { kind: 'consentUnknown', text: 'PSU-ID is missing: send the PSU to the link scaRedirect to get one.' }
    : { text: 'The PSU-ID was not given to this TPP.' }),
  path: 'PSU-ID',
  ...scaNeeded(request, state, { purpose: purposeOf(request) }),
});

/** PSU-IP-Address is sent when the PSU is present and omitted otherwise (PSU identification and SCA). */
export const isAttended = (request: BankRequest): boolean => request.header('psu-ip-address') !== undefined;

/**
 * The session holds (Limits). Only a PSU who is present has one. Reading does not require TPP-Session-ID; without it
 * the session of the PSU's latest SCA counts.
 */
export const sessionHolds = (purposeOf: PurposeOf, whom: 'attended' | 'everybody' = 'attended'): Rule =>
  rule(
    'SES-01',
    'the PSU passed SCA in this TPP-Session-ID within the last hour',
    'sessionUnknown',
    (request, state) => {
      const psu = identifyPsu(request, state);
      if (psu === undefined || (whom === 'attended' && !isAttended(request))) return undefined;
      const session = state.sessions.latest(psu.tppId, psu.customerNumber);
      const named = request.header('tpp-session-id') ?? session?.sessionId;
      const isTheOne = session !== undefined && named === session.sessionId;
      if (isTheOne && state.sessions.holds(session)) return undefined;
      return {
        ...(isTheOne
          ? { kind: 'scaExpired', text: 'The SCA of this session is more than one hour old.' }
          : { text: 'The PSU has not passed SCA in this session, or a newer session has ended it.' }),
        path: 'TPP-Session-ID',
        ...scaNeeded(request, state, { purpose: purposeOf(request), ...wishOf(request, state) }),
      };
    },
    { also: ['SES-02', 'SES-03', 'SCA-06', 'SCA-16'] },
  );

const isPresent = (name: string, requirement: string): Rule =>
  rule(requirement, `${name} is present`, 'headerMissing', (request) => missing(request, name));

/** Required by the header table without a word on where, and yet requests for accounts are not shown. */
export const requestIdIsPresent: Rule = { ...isPresent('X-Request-ID', 'HDO-01'), ownChoice: true };

/**
 * Reading and deleting payments and baskets. The header table requires X-Request-ID everywhere, and PSU-ID on payment and
 * basket operations; since the shape of these requests is not shown, holding them to it is the bank's choice. It does not
 * ask for TPP-Session-ID: a TPP that takes those operations for the creations alone must be able to read on.
 */
export const followUpRules: readonly Rule[] = [
  requestIdIsPresent,
  redirectUriIsAnAddress,
  psuIsKnown(accessFor),
  { ...corporateIdIsPresent, requirement: 'COR-07' },
  ...agreementRules,
  sessionHolds(accessFor),
].map((demanded) => ({ ...demanded, ownChoice: true }));

/** Carries on with the PSU and the agreement that the request names, so that the flow cannot end with others. */
export function wishOf(request: BankRequest, state: PsuState): Omit<ScaWish, 'purpose'> {
  const psu = identifyPsu(request, state);
  if (psu === undefined) return {};
  return {
    customerNumber: psu.customerNumber,
    agreementId: psu.agreementId,
    ...(psu.agreementId === undefined ? {} : { context: 'CORPORATE' as const }),
  };
}

/**
 * Starting an authorisation and reading it, of which nothing is shown either. The PSU is named as at creation, and is sent
 * to SCA in whatever session that is.
 */
export const authorisationRules: readonly Rule[] = [
  requestIdIsPresent,
  ...initiationRules.filter(({ requirement }) => !requirement.startsWith('SES-')),
].map((demanded) => ({ ...demanded, ownChoice: true }));
