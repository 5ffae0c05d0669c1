import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import type { BankDesign } from '../../bank/design/design.ts';
import { allOf, withAnswering, withRefusalAnswers } from '../../bank/design/design-changes.ts';
import { judgeBank } from './judge-bank.ts';
import { proofSetup } from './prove-bank.test.data.ts';

/** Creates a customer, loses the first answer to that, and refuses the same customer with this status. */
function losing(status: number): BankDesign {
  let created = 0;
  return allOf(
    withRefusalAnswers((answer) => (answer.status === 409 ? { ...answer, status } : answer)),
    withAnswering(({ finish }) => ({
      finish: async (answer, request) => {
        const finished = await finish(answer, request);
        if (request?.operation !== 'createSandboxCustomer') return finished;
        created += 1;
        return created === 1 ? { ...finished, transfer: 'reset' as const } : finished;
      },
    })),
  )(compliantDesign);
}

test.each([400, 403, 409, 422])(
  'a customer whose creation was lost on the way, and is refused with %i the second time, is looked for',
  async (status) => {
    const { checks, keys } = await proofSetup();
    const some = checks.filter(({ check }) => check.id === 'SBX-43');
    const { results } = await judgeBank(losing(status), some, keys);
    expect(results.map(({ verdict, reason }) => [verdict, reason])).toEqual([['pass', undefined]]);
  },
);
