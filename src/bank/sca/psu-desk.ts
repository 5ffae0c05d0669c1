import type { BankRequest, BankState, PsuDesk, PsuStanding, ScaPurpose } from '../design/route.ts';
import type { ApprovalTarget } from '../state/flows.ts';
import type { PsuState } from '../state/psu-state.ts';
import type { PsuContext } from '../state/sessions.ts';
import { identifyPsu } from './identify-psu.ts';
import { accessFor, requestSca } from './request-sca.ts';

/** Tells the SCA pages what a payment or basket is about and what its approval does. */
export type ApprovalTargets = (
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
  return { standing: 'authenticated', customerId: customer.customerId, context: psu.context };
}
