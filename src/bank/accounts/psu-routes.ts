import { type BankRequest, type Route, readable } from '../design/route.ts';
import {
  agreementRules,
  corporateIdIsPresent,
  psuIsKnown,
  redirectUriIsAnAddress,
  sessionHolds,
  wishOf,
} from '../rules/psu-rules.ts';
import { identifyPsu } from '../sca/identify-psu.ts';
import { accessFor, requestSca } from '../sca/request-sca.ts';
import type { PsuState } from '../state/psu-state.ts';

const toIdentify = () => 'identification' as const;

/** The PSU itself: who it is, its corporate agreements, and the consents that only lead to SCA. */
export const psuRoutes = (): readonly Route[] => [
  {
    operation: 'startUserFlow',
    method: 'GET',
    path: '/v1/user',
    rules: [
      redirectUriIsAnAddress,
      psuIsKnown(toIdentify, 'ACC-06'),
      corporateIdIsPresent,
      ...agreementRules,
      sessionHolds(toIdentify, 'everybody'),
    ],
    handle: (request, state) => ({ status: 200, body: userBody(request, state) }),
  },
  {
    operation: 'listAgreements',
    method: 'GET',
    path: '/v1/agreements',
    // Without PSU-Corporate-ID, because this is where a TPP that has a PSU-ID finds it.
    rules: [redirectUriIsAnAddress, psuIsKnown(accessFor, 'ACC-05'), sessionHolds(accessFor)],
    handle: (request, state) => ({ status: 200, body: { agreements: agreementBodies(request, state) } }),
  },
  consentRoute('createConsent', '/v1/consents'),
  consentRoute('createBankOfferedConsent', '/v1/bank-offered-consents'),
];

/** Consent is bank-offered (PSU identification and SCA): the body is ignored, and the PSU chooses during SCA. */
function consentRoute(operation: 'createConsent' | 'createBankOfferedConsent', path: string): Route {
  return {
    operation,
    method: 'POST',
    path,
    rules: [redirectUriIsAnAddress],
    handle: (request, state) => ({
      status: 201,
      headers: { 'ASPSP-SCA-Approach': 'REDIRECT' },
      body: {
        _links: {
          scaRedirect: requestSca(request, state, { purpose: 'consent', ...wishOf(request, state) }),
        },
      },
    }),
  };
}

function userBody(request: BankRequest, state: PsuState): object {
  const psu = identifyPsu(request, state);
  return {
    name: state.customers.byNumber(psu?.customerNumber ?? '')?.customerName,
    context: psu?.context,
    ...(psu?.agreement && { agreement: { id: psu.agreement.id, name: psu.agreement.name } }),
    _links: {
      self: readable(`${state.baseUrl()}/v1/user`),
      agreements: readable(`${state.baseUrl()}/v1/agreements`),
    },
  };
}

/** `id` is what PSU-Corporate-ID carries. */
const agreementBodies = (request: BankRequest, state: PsuState): readonly object[] =>
  state.customers
    .agreementsOf(identifyPsu(request, state)?.customerNumber ?? '')
    .map(({ id, name, owner }) => ({
      id,
      name,
      ownerName: state.customers.byNumber(owner)?.customerName,
      _links: { accounts: readable(`${state.baseUrl()}/v1/accounts`) },
    }));
