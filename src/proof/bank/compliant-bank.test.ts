import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import { runChecks } from '../../checks/engine.ts';
import { costlyChecks } from '../proof-plan.ts';
import { createBankKeys, createBankRunContext, sampleOfTwists } from './bank-under-test.ts';
import { citing, proofSetup } from './prove-bank.test.data.ts';

/** So whatever a deviation is noticed by, it has changed an answer on the wire. */
test('no check fails the reference bank as it is', async () => {
  const { checks, keys } = await proofSetup();
  const { runContext } = await createBankRunContext(keys, compliantDesign, {
    mostTwists: sampleOfTwists,
    verdictsOnly: true,
  });
  const results = await runChecks(
    checks.filter(({ check }) => !costlyChecks.includes(check.id)),
    runContext,
  );
  const wrong = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable');
  expect(wrong.map(({ id, verdict, reason }) => `${id} ${verdict}: ${reason}`)).toEqual([]);
}, 120_000);

test('a part of the issuer’s name is not sent as a wrong one where the name has one part only', async () => {
  const { checks } = await proofSetup();
  const keys = await createBankKeys({ subject: { CN: 'Test CA of one part' } });
  const { runContext } = await createBankRunContext(keys, compliantDesign);
  const results = await runChecks(citing(checks, 'SGH-02'), runContext);
  expect(results.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(results.map(({ id }) => `${id} pass`));
});
