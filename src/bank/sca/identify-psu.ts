import type { BankRequest } from '../route.ts';
import type { Agreement } from '../sandbox/customers.ts';
import type { PsuState } from './psu-state.ts';
import type { PsuContext } from './sessions.ts';
import { tppIdOf } from './tpp.ts';

/** The PSU that a request names, and the context that it acts in. */
export interface IdentifiedPsu {
  readonly tppId: string;
  readonly customerNumber: string;
  readonly context: PsuContext;
  /** The agreement that PSU-Corporate-ID names, if the PSU takes part in it. */
  readonly agreementId: string | undefined;
  readonly agreement: Agreement | undefined;
}

/**
 * Who acts: by PSU-ID, or by X-PSU-IDENTITY as the alternative to it. Undefined when the request names nobody whom
 * the bank knows; the rules in `psu-rules.ts` turn that into refusals.
 */
export function identifyPsu(request: BankRequest, state: PsuState): IdentifiedPsu | undefined {
  const tppId = tppIdOf(request);
  const customerNumber = customerNumberIn(request, state, tppId);
  if (customerNumber === undefined) return undefined;
  const corporateId = request.header('psu-corporate-id')?.toLowerCase();
  const agreement = state.customers.agreementsOf(customerNumber).find(({ id }) => id === corporateId);
  return {
    tppId,
    customerNumber,
    context: corporateId === undefined ? 'PRIVATE' : 'CORPORATE',
    agreementId: agreement?.id,
    agreement,
  };
}

function customerNumberIn(request: BankRequest, state: PsuState, tppId: string): string | undefined {
  const psuId = request.header('psu-id');
  if (psuId !== undefined) return state.psuIds.customerNumberOf(tppId, psuId);
  const identity = request.header('x-psu-identity');
  return identity === undefined ? undefined : state.customers.byNumber(identity)?.customerNumber;
}

/**
 * Whether the PSU acts for a corporation without saying for which (Errors): its session is a corporate one, or the
 * request says so, but PSU-Corporate-ID is missing.
 */
export function lacksCorporateId(request: BankRequest, state: PsuState): boolean {
  if (request.header('psu-corporate-id') !== undefined) return false;
  const psu = identifyPsu(request, state);
  if (psu === undefined) return false;
  if (request.header('psu-context') === 'CORPORATE') return true;
  const session = state.sessions.current(psu.tppId, psu.customerNumber);
  const named = request.header('tpp-session-id');
  return session?.context === 'CORPORATE' && (named === undefined || named === session.sessionId);
}
