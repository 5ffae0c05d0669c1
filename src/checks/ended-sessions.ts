import { missingCapability } from '../target/capabilities.ts';
import type { Target } from '../target/target.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Call, Psu } from '../tpp/call.ts';
import { type Exchange, headerValue } from '../tpp/exchange.ts';
import type { ScaPerson } from '../tpp/sca/sca-walker.ts';
import type { Observations } from './observations.ts';
import { saysNothing } from './outcomes.ts';

/** The sessions that all checks of a run share. */
export interface OwnSessions {
  readonly psus: readonly Psu[];
  readonly observations: Observations;
  readonly call: (call: Call, purpose: string) => Promise<Answer>;
}

/** In whose session something was sent; undefined where a check has passed SCA by itself. */
export function ownPsuIn({ psus }: Pick<OwnSessions, 'psus'>, { request }: Exchange): Psu | undefined {
  const [session, id] = ['TPP-Session-ID', 'PSU-ID'].map((name) => headerValue(request.headers, name));
  const here = psus.filter(({ sessionId }) => sessionId === session);
  return here.find((psu) => psu.id === id) ?? here[0];
}

/**
 * Whether such a session is over: accounts were shown in it, and now SCA is asked for. No check of the run ends it, but
 * whoever else passes SCA as the same customer does (Limits).
 */
export async function hasEnded(sessions: OwnSessions, psu: Psu): Promise<boolean> {
  const wasOpen = sessions.observations.kept.some(
    ({ exchange, answer }) =>
      exchange.operation === 'listAccounts' && answer.isSuccess && ownPsuIn(sessions, exchange) === psu,
  );
  if (!wasOpen) return false;
  try {
    const now = await sessions.call({ operation: 'listAccounts', psu }, 'does the session still hold');
    return now.asksForSca;
  } catch (error) {
    if (!saysNothing(error)) throw error;
    return false;
  }
}

/** Who passes SCA in the session of the run; undefined where nobody does unattended. */
export function personOf(target: Target, { corporateId, redirectUri }: Psu): ScaPerson | undefined {
  const { psu } = target;
  const nationalId = corporateId === undefined ? psu.nationalId : psu.corporate?.nationalId;
  if (nationalId === undefined || missingCapability(target, 'sca-unattended') !== undefined) return undefined;
  return { nationalId, context: corporateId === undefined ? psu.context : 'CORPORATE', redirectUri };
}

export const endedByOthers =
  'The session of the run was over in the middle of it, although no check ended it, so that nothing can be said. Whoever passes SCA as the same customer in another session ends this one (Limits): such as another run at the same time. Run again alone, or with other customers.';
