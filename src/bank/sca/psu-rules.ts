import type { BankRequest, Refusal, Rule } from '../design/route.ts';
import type { PsuState } from '../state/psu-state.ts';
import { identifyPsu, lacksCorporateId } from './identify-psu.ts';
import { isRedirectUri } from './redirect-uri.ts';
import { type ScaWish, scaRequired } from './request-sca.ts';

/** What SCA is asked for when a rule finds that it is needed. */
type Purpose = ScaWish['purpose'];

/** A page can only be left towards an address; checked before SCA is asked for. */
export const redirectUriIsAnAddress: Rule = {
  requirement: 'SCA-03',
  name: 'TPP-Redirect-URI is an absolute address',
  ownChoice: true,
  refuses: (request) => {
    const redirectUri = request.header('tpp-redirect-uri');
    return redirectUri === undefined || isRedirectUri(redirectUri)
      ? undefined
      : {
          status: 400,
          code: 'FORMAT_ERROR',
          path: 'TPP-Redirect-URI',
          text: 'The header is no absolute address.',
        };
  },
};

export const psuIsKnown = (purpose: Purpose, requirement = 'SCA-01'): Rule => ({
  requirement,
  also: ['ERR-03'],
  name: 'the PSU is known to the TPP by its PSU-ID',
  // X-PSU-IDENTITY, the alternative to PSU-ID, is listed for payment creation only (Common request headers).
  refuses: (request, state) =>
    request.header('psu-id') === undefined || identifyPsu(request, state) === undefined
      ? scaRequired(request, state, { purpose }, unknownPsu(request))
      : undefined,
});

const unknownPsu = (request: BankRequest): Pick<Refusal, 'code' | 'path' | 'text'> =>
  request.header('psu-id') === undefined
    ? {
        code: 'CONSENT_UNKNOWN',
        path: 'PSU-ID',
        text: 'Send the PSU to the link scaRedirect to get a PSU-ID.',
      }
    : { code: 'PSU_CREDENTIALS_INVALID', path: 'PSU-ID', text: 'The PSU-ID was not given to this TPP.' };

export const corporateIdIsPresent: Rule = {
  requirement: 'COR-01',
  name: 'a corporate request has PSU-Corporate-ID',
  refuses: (request, state) =>
    lacksCorporateId(request, state)
      ? {
          status: 400,
          code: 'HTTP_HEADER_REQUIRED',
          path: 'PSU-Corporate-ID',
          text: 'The PSU acts in corporate context, where PSU-ID and PSU-Corporate-ID are both required.',
        }
      : undefined,
};

export const agreementIsOfPsu: Rule = {
  requirement: 'COR-02',
  name: 'PSU-Corporate-ID is an agreement of the PSU',
  ownChoice: true,
  refuses: (request, state) => {
    const psu = identifyPsu(request, state);
    return psu?.context === 'CORPORATE' && psu.agreement === undefined
      ? {
          status: 403,
          code: 'FORBIDDEN',
          path: 'PSU-Corporate-ID',
          text: 'The PSU has no such agreement; GET /v1/agreements lists those of the PSU.',
        }
      : undefined;
  },
};

/** PSU-IP-Address is sent when the PSU is present and omitted otherwise (PSU identification and SCA). */
export const isAttended = (request: BankRequest): boolean => request.header('psu-ip-address') !== undefined;

/**
 * The session holds (Limits). Only a PSU who is present has one. Reading does not require TPP-Session-ID; without it
 * the session of the PSU's latest SCA counts.
 */
export const sessionHolds = (purpose: Purpose, whom: 'attended' | 'everybody' = 'attended'): Rule => ({
  requirement: 'SES-01',
  also: ['SES-02', 'SES-03', 'SCA-06'],
  name: 'the PSU passed SCA in this TPP-Session-ID within the last hour',
  refuses: (request, state) => {
    const psu = identifyPsu(request, state);
    if (psu === undefined || (whom === 'attended' && !isAttended(request))) return undefined;
    const session = state.sessions.latest(psu.tppId, psu.customerNumber);
    const named = request.header('tpp-session-id') ?? session?.sessionId;
    if (session !== undefined && named === session.sessionId && state.sessions.holds(session))
      return undefined;
    const expired = session !== undefined && named === session.sessionId;
    return scaRequired(
      request,
      state,
      { purpose, ...wishOf(request, state) },
      {
        code: expired ? 'SCA_EXPIRED' : 'SCA_NOT_FOUND',
        path: 'TPP-Session-ID',
        text: expired
          ? 'The SCA of this session is more than one hour old.'
          : 'The PSU has not passed SCA in this session, or a newer session has ended it.',
      },
    );
  },
});

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
