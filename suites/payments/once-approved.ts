import type { CheckContext, RunContext } from '../../src/checks/context.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { patiently } from '../../src/tpp/patience.ts';

/** The runs in which a status was waited for in vain: nobody waits for another. */
const inVain = new WeakSet<RunContext>();

/**
 * The status of a payment that the PSU has just approved. The approval may reach whatever knows of payments a moment
 * after the PSU is back at the TPP: transitions are not shown (States and transitions).
 */
export async function onceApproved(
  { run }: Pick<CheckContext, 'run'>,
  read: () => Promise<Answer>,
): Promise<Answer> {
  if (inVain.has(run)) return read();
  const answer = await patiently(run, read, ({ isSuccess }) => isSuccess);
  if (!answer.isSuccess) inVain.add(run);
  return answer;
}

/** The status of a payment that was just created: it may be read from a copy that hears of new ones a moment later. */
export const onceCreated = (
  { run }: Pick<CheckContext, 'run'>,
  read: () => Promise<Answer>,
): Promise<Answer> => patiently(run, read, ({ isSuccess, asksForSca }) => isSuccess || asksForSca);
