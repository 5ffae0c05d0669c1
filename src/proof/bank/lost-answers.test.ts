import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import type { BankDesign } from '../../bank/design/design.ts';
import { allOf, withAnswering } from '../../bank/design/design-changes.ts';
import type { BankOperation } from '../../bank/design/route.ts';
import { dialects } from '../../bank/dialects/index.ts';
import { isCreation } from '../../spec/products.ts';
import { judgeBank } from './judge-bank.ts';
import { proofSetup } from './prove-bank.test.data.ts';

/** Carries these operations out and loses every so manieth answer that says so: sent again, they may be refused for it. */
function losing(oneIn: number, isMeant: (operation: BankOperation) => boolean) {
  let done = 0;
  return withAnswering(({ finish }) => ({
    finish: async (answer, request) => {
      const finished = await finish(answer, request);
      if (request?.operation === undefined || !isMeant(request.operation) || finished.status >= 300)
        return finished;
      done += 1;
      return done % oneIn === 0 ? { ...finished, transfer: 'reset' as const } : finished;
    },
  }));
}

async function verdictsOn(design: BankDesign, ids: readonly string[]): Promise<Record<string, string>> {
  const { checks, keys } = await proofSetup();
  const some = checks.filter(({ check }) => ids.includes(check.id));
  const { results } = await judgeBank(design, some, keys);
  return Object.fromEntries(results.map(({ id, verdict }) => [id, verdict]));
}

test('a bank whose answers to deletions are all lost on the way is neither failed nor excused for it', async () => {
  const design = losing(1, (operation) => operation === 'deletePayment')(compliantDesign);
  expect(await verdictsOn(design, ['STA-10', 'OWN-01-deletion'])).toEqual({
    'STA-10': 'pass',
    'OWN-01-deletion': 'inconclusive',
  });
});

test('a bank that refuses duplicates is judged all the same where answers to payments are lost', async () => {
  const { apply } = dialects.find(({ id }) => id === 'strict/duplicates') ?? {};
  if (apply === undefined) throw new Error('There is no such dialect.');
  const design = allOf(apply, losing(5, isCreation))(compliantDesign);
  const ids = ['BSK-14', 'RDR-04-payment', 'VER-03-details', 'OWN-02-deletion', 'PST-14'];
  expect(await verdictsOn(design, ids)).toEqual(Object.fromEntries(ids.map((id) => [id, 'pass'])));
});
