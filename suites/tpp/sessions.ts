import {
  type Fault,
  type Finding,
  findingOf,
  type Return,
  type SeenExchange,
  type Session,
} from '../../src/certification/index.ts';
import { limits } from '../../src/spec/limits.ts';

export const sessionIdOf = (exchange: SeenExchange): string | undefined => exchange.header('TPP-Session-ID');

export const passedReturns = ({ returns }: Session): readonly Return[] =>
  returns.filter(({ passed }) => passed);

/** So often nobody changes their mind: a PSU who logs in elsewhere and comes back, or who aborts a new session. */
const fewestLost = 3;

/**
 * A new session is allowed at any time, at the price of a new SCA, and the old one goes on where that is aborted
 * (Limits). What is found out is a TPP that does not come back in the sessions for which it had the PSU pass SCA, or
 * that asks about payments in sessions for which it never does.
 */
export function judgeSessions(session: Session): Finding | undefined {
  const access = new Set(
    session.scaLinks.filter(({ kind }) => kind === 'access').map(({ flowId }) => flowId),
  );
  const used: SeenExchange[] = [];
  const faults: Fault[] = [];
  for (const { exchange: back, flowId, parameters } of passedReturns(session)) {
    if (!access.has(flowId)) continue;
    const next = passedReturns(session).find(
      ({ exchange, parameters: other }) => exchange.number > back.number && other.psuId === parameters.psuId,
    );
    const later = session
      .after(back)
      .filter(
        (exchange) =>
          exchange.recorded.psuId === parameters.psuId &&
          sessionIdOf(exchange) !== undefined &&
          exchange.number < (next?.exchange.number ?? Number.POSITIVE_INFINITY) &&
          exchange.at.getTime() - back.at.getTime() <= limits.sessionSeconds * 1000,
      );
    const [first] = later;
    if (first === undefined) continue;
    if (later.some((exchange) => sessionIdOf(exchange) === parameters.sessionId)) used.push(first);
    else {
      faults.push({
        exchange: first,
        problem: `its TPP-Session-ID is ${sessionIdOf(first)}, SCA was passed in ${parameters.sessionId}`,
      });
    }
  }
  const looked = [...used, ...faults.map(({ exchange }) => exchange)];
  const neverKept = used.length === 0 || faults.length >= fewestLost;
  return findingOf(looked, [...(neverKept ? faults : []), ...followUpsElsewhere(session)]);
}

/** Requests about a payment, each in a session of its own in which the PSU was never sent to SCA. */
function followUpsElsewhere(session: Session): readonly Fault[] {
  const opened = new Set(
    session.scaLinks
      .filter(({ flowId }) => session.opened(flowId) !== undefined)
      .map(({ exchange }) => sessionIdOf(exchange)),
  );
  const strangers = session
    .of('readPaymentStatus', 'readPayment', 'deletePayment')
    .filter(({ answer, recorded }) => answer.asksForSca && recorded.psuId !== undefined)
    .filter((exchange) => sessionIdOf(exchange) !== undefined && !opened.has(sessionIdOf(exchange)));
  const ids = new Set(strangers.map(sessionIdOf));
  return ids.size < fewestLost
    ? []
    : strangers.map((exchange) => ({
        exchange,
        problem: `its TPP-Session-ID is ${sessionIdOf(exchange)}, for which no PSU was sent to SCA`,
      }));
}
