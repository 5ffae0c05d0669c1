import { type BankRequest, type Route, type Rule, readable } from '../design/route.ts';
import { identifyPsu } from '../sca/identify-psu.ts';
import {
  agreementIsOfPsu,
  corporateIdIsPresent,
  psuIsKnown,
  redirectUriIsAnAddress,
  sessionHolds,
  wishOf,
} from '../sca/psu-rules.ts';
import { accessFor, requestSca } from '../sca/request-sca.ts';
import type { PsuState } from '../state/psu-state.ts';

/** The PSU itself: who it is, its corporate agreements, and the consents that only lead to SCA. */
export const psuRoutes = (): readonly Route[] => [
  {
    operation: 'startUserFlow',
    method: 'GET',
    path: '/v1/user',
    rules: [
      redirectUriIsAnAddress,
      psuIsKnown('identification', 'ACC-06'),
      corporateIdIsPresent,
      agreementIsOfPsu,
      sessionHolds('identification', 'everybody'),
    ],
    handle: (request, state) => ({ status: 200, body: userBody(request, state) }),
  },
  {
    operation: 'listAgreements',
    method: 'GET',
    path: '/v1/agreements',
    // Without PSU-Corporate-ID, because this is where a TPP that has a PSU-ID finds it.
    rules: [
      redirectUriIsAnAddress,
      forAccess((purpose) => psuIsKnown(purpose, 'ACC-05')),
      forAccess(sessionHolds),
    ],
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

/** A rule whose SCA is for what the role of the TPP allows. */
function forAccess(ruleFor: (purpose: 'consent' | 'identification') => Rule): Rule {
  return {
    ...ruleFor('consent'),
    refuses: (request, state) => ruleFor(accessFor(request)).refuses(request, state),
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
