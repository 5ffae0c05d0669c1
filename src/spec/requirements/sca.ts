import { ofPayments } from '../profiles.ts';
import type { Requirement } from '../requirement.ts';
import { statements } from './statements.ts';

const service = statements('bank', ['accounts'], 'What the service does');
const sca = statements('bank', ['sca-redirect'], 'Authentication', 'PSU identification and SCA');
const success = statements('bank', ['sca-redirect'], 'Authentication', 'Redirect after successful SCA');
const failure = statements('bank', ['sca-redirect'], 'Authentication', 'Redirect after failed SCA');
const limit = statements('bank', ['sca-redirect'], 'Limits');
const state = statements('bank', ['sca-redirect'], 'States and transitions');
const header = statements('bank', ofPayments, 'Endpoints', 'Common request headers');

/** A payment or basket that needs SCA may also be created, with a scaRedirect link in its answer. */
const accountInformation = [
  'listAccounts',
  'readBalances',
  'readTransactions',
  'listAgreements',
  'startUserFlow',
] as const;

export const scaRequirements: readonly Requirement[] = [
  service(
    'SCA-01',
    'Asking for accounts without prior consent is answered 401 with a link named scaRedirect.',
    { status: 401, caseOf: 'ERR-03', remedies: ['linkMissing'] },
  ),
  sca('SCA-02', 'The scaRedirect link leads to a page where the PSU can authenticate.', {
    remedies: ['linkBehindLogin'],
  }),
  sca('SCA-03', 'After SCA the PSU is redirected to the address in TPP-Redirect-URI.', {
    remedies: ['redirectOfLogin'],
  }),
  sca('SCA-04', 'PSU-ID does not change: the same PSU gets the same one from every SCA.', {
    remedies: ['psuIdPerSession'],
  }),
  sca('SCA-05', 'PSU-ID is unique for a TPP and bank combination: another TPP gets another one.', {
    remedies: ['psuIdPerSession'],
  }),
  sca('SCA-06', 'After SCA the call that asked for it goes through with the PSU-ID.', {
    remedies: ['psuIdPerSession', 'consentUnderOtherKey'],
  }),
  sca('SCA-07', 'Exemptions may be applied, and SCA may be required on any transaction.', {
    level: 'advisory',
    unobservable: 'a permission in both directions',
  }),
  sca('SCA-08', 'SCA is valid for one TPP and PSU across TPP roles.', { remedies: ['psuIdPerSession'] }),
  sca('SCA-09', 'Deselecting an account in the SCA checklist revokes its consent.', {
    remedies: ['consentOnlyGrows'],
  }),
  sca('SCA-19', 'Accounts that are granted already are pre-selected in the SCA checklist.', {
    remedies: ['consentNotShown'],
  }),
  sca('SCA-10', 'The PSU may revoke consent at any time, and the bank need not tell the TPP.', {
    level: 'advisory',
    unobservable: 'happens outside the interface',
  }),
  sca(
    'SCA-11',
    'A bank may remove payment permission for an account that still appears in account information.',
    {
      level: 'advisory',
      unobservable: 'a permission',
    },
  ),
  header('SCA-12', 'X-PSU-IDENTITY is accepted as an alternative to PSU-ID.', {
    reading: 'psuIdentification',
    remedies: ['alternativeLate'],
  }),
  header(
    'SCA-13',
    'TPP-Redirect-Preferred false triggers biometric authentication in a mobile app where available.',
    {
      profiles: ['sca-redirect'],
      level: 'advisory',
      unobservable: 'happens in an app on the PSU’s telephone',
    },
  ),
  header('SCA-14', 'A payment with PSU-Context is accepted for single-SCA initiation.', {
    remedies: ['alternativeLate'],
  }),
  sca('SCA-15', 'PSU-ID and session of one TPP are refused when another TPP uses them.', {
    reading: 'otherIdentities',
    remedies: ['identityUnbound'],
  }),
  sca('SCA-16', 'A PSU-ID is refused in the session of another PSU.', {
    reading: 'otherIdentities',
    remedies: ['identityUnbound'],
  }),
  sca('SCA-17', 'A well-formed PSU-ID that nobody has is refused.', {
    reading: 'otherIdentities',
    remedies: ['identityUnbound'],
  }),
  header('SCA-18', 'Single-SCA initiation without PSU-Context is refused.', {
    reading: 'singleScaContext',
    remedies: ['alternativeLate'],
  }),
  sca('COR-01', 'A corporate request without PSU-Corporate-ID is answered 400.', {
    profiles: ['corporate-psus'],
    status: 400,
    remedies: ['corporateFromAccount'],
  }),
  sca('COR-02', 'A corporate request with PSU-ID and PSU-Corporate-ID is accepted.', {
    profiles: ['corporate-psus'],
    remedies: ['corporateFromAccount'],
  }),
  sca('COR-03', 'A PSU-Corporate-ID that nobody has is refused.', {
    profiles: ['corporate-psus'],
    reading: 'otherIdentities',
    remedies: ['corporateFromAccount', 'identityUnbound'],
  }),
  sca('COR-04', 'The PSU-Corporate-ID of an agreement that the PSU has no part in is refused.', {
    profiles: ['corporate-psus'],
    reading: 'otherIdentities',
    remedies: ['corporateFromAccount', 'identityUnbound'],
  }),
  header('COR-05', 'A corporate payment with PSU-Context CORPORATE is accepted.', {
    profiles: ['corporate-psus'],
    remedies: ['corporateFromAccount'],
  }),
  header('COR-06', 'Single-SCA initiation with PSU-Context CORPORATE ends in corporate context.', {
    // A corporate request without PSU-Corporate-ID may be answered 400 as well, whoever is named by X-PSU-IDENTITY.
    level: 'should',
    profiles: ['corporate-psus'],
    remedies: ['corporateFromAccount', 'redirectOfLogin'],
  }),
  sca(
    'COR-07',
    'Reading the status of a corporate payment, or deleting it, without PSU-Corporate-ID is refused, with status 400.',
    {
      profiles: ['corporate-psus'],
      level: 'advisory',
      reading: 'unshownRequests',
      remedies: ['corporateFromAccount'],
    },
  ),
  header('HDO-01', 'X-Request-ID is required at operations that are only referred to as well.', {
    profiles: ['accounts', 'payment-lifecycle'],
    level: 'advisory',
    reading: 'unshownRequests',
    remedies: ['fieldNotMissed', 'headerLostOnTheWay'],
  }),
  success('RDR-01', 'The redirect carries psu-id, a UUID.', { remedies: ['redirectOfLogin'] }),
  success(
    'RDR-02',
    'The redirect carries tpp-session-id, the TPP-Session-ID of the request that started SCA.',
    { remedies: ['redirectOfLogin'] },
  ),
  success('RDR-03', 'The redirect carries context, PRIVATE or CORPORATE.', { remedies: ['redirectOfLogin'] }),
  success('RDR-04', 'The redirect carries psu-corporate-id, a UUID, for a corporate agreement.', {
    profiles: ['corporate-psus'],
    remedies: ['redirectOfLogin'],
  }),
  success('RDR-05', 'The context of the redirect is the one that the PSU chose.', {
    caseOf: 'RDR-03',
    remedies: ['redirectOfLogin'],
  }),
  failure('RDF-01', 'The redirect after a failure carries system, the system that produced the error.', {
    level: 'should',
    remedies: ['redirectOfLogin'],
  }),
  failure('RDF-02', 'The redirect after a failure carries status, an HTTP status code.', {
    reading: 'failedSca',
    remedies: ['redirectOfLogin'],
  }),
  failure('RDF-03', 'The redirect after a failure carries code, an error code.', {
    reading: 'failedSca',
    remedies: ['redirectOfLogin'],
  }),
  failure('RDF-04', 'The redirect after a failure carries message, URL-encoded.', {
    reading: 'failedSca',
    remedies: ['redirectOfLogin'],
  }),
  failure('RDF-05', 'The redirect after a failure carries no psu-id.', {
    level: 'advisory',
    remedies: ['redirectOfLogin'],
  }),
  state('SES-01', 'An SCA within a TPP-Session-ID is valid up to one hour; expiry requires a new SCA.', {
    demandedOf: accountInformation,
    reading: 'longTimes',
    remedies: ['sessionUnending'],
  }),
  limit('SES-02', 'A new TPP-Session-ID requires a new SCA.', {
    demandedOf: accountInformation,
    remedies: ['linkMissing'],
  }),
  limit('SES-03', 'When SCA in a new session is completed, the old session is invalidated.', {
    reading: 'endedSession',
    demandedOf: accountInformation,
    remedies: ['sessionEndedEarly'],
  }),
  limit('SES-04', 'When SCA in a new session is aborted, the old session remains valid.', {
    remedies: ['sessionEndedEarly'],
  }),
  limit('SES-05', 'The SCA exemption of the hour does not apply to services that need dynamic linking.', {
    reading: 'approvalWithoutLink',
    remedies: ['stateInSeveralSystems'],
  }),
  limit('SES-06', 'SCA is renewed after 180 days.', { unobservable: 'it takes 180 days' }),
];
