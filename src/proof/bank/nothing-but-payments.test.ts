import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import { dialectById } from '../../bank/dialects/index.ts';
import { judgeBank } from './judge-bank.ts';
import { proofSetup } from './prove-bank.test.data.ts';

const paymentsAlone = dialectById.get('offers/nothing-but-payments');

test('what needs another customer is judged where the target file says that none is listed', async () => {
  const { checks, keys } = await proofSetup();
  const asked = ['SCA-04', 'RDR-05'];
  const some = checks.filter(({ check }) => asked.includes(check.id));
  const design = paymentsAlone?.apply(compliantDesign) ?? compliantDesign;
  const notOffered = paymentsAlone?.declared?.notOffered ?? [];
  const { results } = await judgeBank(design, some, keys, { notOffered });
  expect(results.map(({ id, verdict, reason }) => [id, verdict, reason]).toSorted()).toEqual(
    asked.toSorted().map((id) => [id, 'pass', undefined]),
  );
});
