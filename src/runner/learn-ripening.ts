import type { RunContext } from '../checks/context.ts';
import { wentThrough } from '../checks/expectation.ts';
import type { Call, Psu } from '../tpp/call.ts';
import type { TppClient } from '../tpp/client.ts';
import { NoAnswerError } from '../tpp/exchange.ts';
import { msUntil } from '../tpp/patience.ts';
import { paymentCalls } from './preflight.ts';
import type { PassedSca } from './sca-before-run.ts';

/**
 * How long after SCA the bank knows its session. The remark for the user, if that is not at once. Asked in the session that
 * was begun last: an older one may have become known meanwhile.
 */
export async function learnSessions(
  client: TppClient,
  passed?: Pick<PassedSca, 'corporate'>,
): Promise<readonly string[]> {
  const call: Call = { operation: 'listAccounts', psu: { ...client.psu, ...latestOf(passed) } };
  const ms = await client.ripening.learnOldSession(() =>
    msUntil(
      { client },
      () => client.call(call, {}, 'preflight, after SCA'),
      ({ asksForSca }) => !asksForSca,
    ),
  );
  if (ms === 0) return [];
  return [`The bank knows a session ${inSeconds(ms)} after SCA, and not at once: the run waits for that.`];
}

function latestOf(passed: Pick<PassedSca, 'corporate'> | undefined): Partial<Psu> {
  if (passed?.corporate === undefined) return {};
  const { id, corporateId, sessionId } = passed.corporate;
  return { id, corporateId, sessionId };
}

/** The same of a payment and the basket that it is put into. */
export const learnPayments = (runContext: RunContext): Promise<readonly string[]> =>
  paymentsOf(runContext).catch(unlessSilent);

async function paymentsOf({ client, target, seed }: RunContext): Promise<readonly string[]> {
  const [payment] = paymentCalls(target, seed + 2);
  if (payment === undefined || !target.profiles.includes('signing-baskets')) return [];
  const id = (await client.call(payment.call, {}, 'preflight, for a basket')).text('paymentId');
  if (id === undefined) return [];
  const call: Call = { operation: 'createSigningBasket', body: { paymentIds: [id] } };
  const ms = await msUntil(
    { client },
    () => client.call(call, {}, 'preflight, a basket'),
    (answer) => wentThrough(answer, target.readings),
  );
  if (!ms) return [];
  client.ripening.paymentsTake(ms);
  return [
    `The bank knows a payment ${inSeconds(ms)} after its creation, and not at once: the run waits for that.`,
  ];
}

/** A bank that does not answer is told of elsewhere. */
const unlessSilent = (error: unknown): readonly string[] => {
  if (error instanceof NoAnswerError) return [];
  throw error;
};

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
