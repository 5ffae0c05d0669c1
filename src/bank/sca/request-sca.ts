import { randomUUID } from 'node:crypto';
import type { BankRequest, Link, Refusal } from '../design/route.ts';
import type { ScaStart } from '../state/flows.ts';
import type { PsuState } from '../state/psu-state.ts';
import { tppIdOf, tppNameOf, tppOrganisationOf } from './identify-psu.ts';

/** Path of the SCA pages under the bank's prefix. The token is the only thing that opens them. */
export const pageRoutePath = '/v1/sca/:flowId';

export const pagePath = (flowId: string): string => pageRoutePath.replace(':flowId', flowId);

/** What is known of the flow besides the headers of the request. */
export type ScaWish = Pick<ScaStart, 'purpose' | 'customerNumber' | 'context' | 'agreementId'>;

/** Starts an SCA flow for a request and gives the link `scaRedirect` to it. */
export function requestSca(request: BankRequest, state: PsuState, wish: ScaWish): Link {
  const flow = state.flows.start({
    tppId: tppIdOf(request),
    tppName: tppNameOf(request),
    tppOrganisation: tppOrganisationOf(request),
    // Reading does not require the header. The redirect then tells the TPP which session it got.
    sessionId: request.header('tpp-session-id') ?? randomUUID(),
    redirectUri: request.header('tpp-redirect-uri'),
    redirectPreferred: request.header('tpp-redirect-preferred')?.toLowerCase() !== 'false',
    ...wish,
  });
  return { href: state.baseUrl() + pagePath(flow.id), verbs: ['GET'] };
}

/** What the refusal of a request that needs SCA carries (Errors): a link scaRedirect. */
export const scaNeeded = (
  request: BankRequest,
  state: PsuState,
  wish: ScaWish,
): Pick<Refusal, 'links' | 'headers'> => ({
  links: { scaRedirect: requestSca(request, state, wish) },
  headers: { 'ASPSP-SCA-Approach': 'REDIRECT' },
});

/** What a TPP asks access for: only an AISP may be granted accounts, a PISP wants to know who the PSU is. */
export const accessFor = ({ certificate }: BankRequest): 'consent' | 'identification' =>
  certificate?.roles.includes('PSP_AI') ? 'consent' : 'identification';
