import type { CheckContext } from '../../src/checks/context.ts';
import { Inconclusive } from '../../src/checks/outcomes.ts';
import { limits } from '../../src/spec/limits.ts';
import type { Variation } from '../../src/tpp/call.ts';

/** What the bank's clock says, or our own where the target file says that the bank goes by that. */
export const timeAtBank = ({ client, readings }: CheckContext): Date =>
  readings.clockReference === 'bank-clock' ? client.clock.now() : new Date();

/**
 * A header tells only the second, and of several machines behind one address each may have its own clock: what stands
 * before the bank and writes Date may be some seconds off from what judges the requests.
 */
const leastMargin = 6;

/**
 * Seconds to stay away from the limit: the bank's clock is known only so well, and the request takes its time. A
 * drifting test machine must never look like a fault of the bank.
 */
function marginSeconds({ client, exchanges }: CheckContext): number {
  const slowest = Math.max(0, ...exchanges.map(({ durationMs }) => durationMs));
  return leastMargin + Math.ceil((client.clock.uncertaintyMs + 2 * slowest) / 1000);
}

export const limit = limits.clockDeviationSeconds;

/** The bank need not send a Date header, and then says nothing of its clock. */
export const isUnknown = ({ client, readings }: CheckContext): boolean =>
  readings.clockReference === 'bank-clock' && !client.clock.measured;

/** Seconds that are surely too many: of a clock that is not known, an accepted control shows that it is near ours. */
export const tooMany = (context: CheckContext): number =>
  (isUnknown(context) ? 2 * limit : limit) + marginSeconds(context);

/** Seconds that are surely not too many. */
export function justEnough(context: CheckContext): number {
  if (isUnknown(context)) {
    throw new Inconclusive(
      `The bank sends no Date that could be its clock, from which the ${limit} seconds count. ` +
        'Where its clock is that of this machine, set interpretations.clockReference to own-clock.',
    );
  }
  return limit - marginSeconds(context);
}

/** A Date so many seconds from the bank's clock, negative for the past. */
export const dated =
  (seconds: (context: CheckContext) => number) =>
  (context: CheckContext): Variation => ({
    beforeSigning: ({ headers }) => {
      const offset = seconds(context) * 1000;
      // Cutting off the milliseconds would move every date into the past.
      const rounded = Math.round((timeAtBank(context).getTime() + offset) / 1000) * 1000;
      headers.set('Date', new Date(rounded).toUTCString());
    },
  });
