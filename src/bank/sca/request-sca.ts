import { randomUUID } from 'node:crypto';
import type {
  BankRequest,
  BankState,
  Link,
  PsuDesk,
  PsuStanding,
  Refusal,
  ScaPurpose,
} from '../design/route.ts';
import type { ApprovalTarget, ScaStart } from '../state/flows.ts';
import type { PsuState } from '../state/psu-state.ts';
import type { PsuContext } from '../state/sessions.ts';
import { identifyPsu, tppIdOf, tppNameOf, tppOrganisationOf } from './identify-psu.ts';

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

/** Tells the SCA pages what a payment or basket is about and what its approval does. */
type ApprovalTargets = (
  purpose: Exclude<ScaPurpose, { readonly kind: 'access' }>,
  state: BankState,
) => ApprovalTarget;

/** The desk that payments and baskets turn to; `targets` is their side of it. */
export function createPsuDesk(targets: ApprovalTargets): PsuDesk {
  return {
    standingOf,
    startSca: (request, state, purpose) => {
      const psu = identifyPsu(request, state);
      const context = request.header('psu-context');
      return requestSca(request, state, {
        purpose: purpose.kind === 'access' ? accessFor(request) : targets(purpose, state),
        customerNumber: psu?.customerNumber,
        agreementId: psu?.agreementId,
        context:
          context === 'PRIVATE' || context === 'CORPORATE'
            ? context
            : contextOf(request, purpose, psu?.context),
      });
    },
  };
}

/**
 * An approval takes place in the context of its request. For access the PSU chooses, and so does one who is named by
 * X-PSU-IDENTITY alone: a representative of a company could not pass a page that is for private persons.
 */
function contextOf(
  request: BankRequest,
  { kind }: ScaPurpose,
  ofRequest: PsuContext | undefined,
): PsuContext | undefined {
  const isOpen = kind === 'access' || (request.header('psu-id') === undefined && ofRequest === 'PRIVATE');
  return isOpen ? undefined : ofRequest;
}

function standingOf(request: BankRequest, state: PsuState): PsuStanding {
  const psu = identifyPsu(request, state);
  const customer = psu && state.customers.byNumber(psu.customerNumber);
  if (psu === undefined || customer === undefined) return { standing: 'unknown-psu' };
  if (request.header('psu-id') === undefined) {
    return { standing: 'identified', customerId: customer.customerId };
  }
  const session = state.sessions.latest(psu.tppId, psu.customerNumber);
  if (session === undefined || session.sessionId !== request.header('tpp-session-id')) {
    return { standing: 'no-session' };
  }
  if (!state.sessions.holds(session)) return { standing: 'session-expired' };
  return { standing: 'authenticated', customerId: customer.customerId };
}
