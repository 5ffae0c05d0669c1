import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import { withAnswering } from '../../bank/design/design-changes.ts';
import { judgeBank } from './judge-bank.ts';
import { proofSetup } from './prove-bank.test.data.ts';

/** As behind a proxy that cannot hand on an answer without content: the deletion is carried out, and refused when sent again. */
const losingDeletions = withAnswering(({ finish }) => ({
  finish: async (answer, request) => {
    const finished = await finish(answer, request);
    const isLost = request?.operation === 'deletePayment' && finished.status < 300;
    return isLost ? { ...finished, transfer: 'reset' as const } : finished;
  },
}))(compliantDesign);

test('a bank whose answers to deletions are all lost on the way is neither failed nor excused for it', async () => {
  const { checks, keys } = await proofSetup();
  const some = checks.filter(({ check }) => ['STA-10', 'OWN-01-deletion'].includes(check.id));
  const { results } = await judgeBank(losingDeletions, some, keys);
  expect(Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]))).toEqual({
    'STA-10': 'pass',
    'OWN-01-deletion': 'inconclusive',
  });
});
