import type { TppCertificate } from '../signing/certificate.ts';
import type { BankState } from './design/route.ts';
import { tppIdOf } from './sca/identify-psu.ts';

/** A PSU who has passed SCA for a TPP, and has granted access to all accounts. */
export interface SeededSession {
  readonly tpp: TppCertificate;
  readonly customerNumber: string;
  /** TPP-Session-ID. */
  readonly sessionId: string;
  /** The agreement under which a corporate PSU acts: its PSU-Corporate-ID. */
  readonly agreementId?: string;
  /** How long ago SCA was passed; just now without it. */
  readonly secondsAgo?: number;
}

export function seedSession(state: BankState, session: SeededSession): void {
  const { customerNumber, sessionId, agreementId, secondsAgo = 0 } = session;
  const tppId = tppIdOf({ certificate: session.tpp });
  const psu = { customerNumber, agreementId };
  const context = agreementId === undefined ? 'PRIVATE' : 'CORPORATE';
  const passedAt = new Date(state.clock.now().getTime() - secondsAgo * 1000);
  state.sessions.pass(tppId, customerNumber, { sessionId, context, agreementId, passedAt });
  const accounts = [...state.customers.reachableAccounts(psu), ...state.customers.reachableCardAccounts(psu)];
  state.consents.grant(
    tppId,
    psu,
    accounts.map(({ id }) => id),
  );
}
