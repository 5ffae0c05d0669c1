import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import type { RunContext } from '../../checks/context.ts';
import { runChecks } from '../../checks/engine.ts';
import { createBankRunContext } from './bank-under-test.ts';
import { proofSetup } from './prove-bank.test.data.ts';

test('where SCA could not be passed before the run, the order of payments and sessions is left open', async () => {
  const { checks, keys } = await proofSetup();
  const { runContext } = await createBankRunContext(keys, compliantDesign);
  const { second: _, further: __, ...identities } = runContext.target.identities;
  const { id: ___, ...psu } = runContext.client.psu;
  const withoutPsu = 'SCA could not be passed before the run.';
  const target = { ...runContext.target, identities };
  const client = runContext.client.with({ psu });
  const run: RunContext = { ...runContext, target, client, withoutPsu };
  const [result] = await runChecks(
    checks.filter(({ check }) => check.id === 'STA-10'),
    run,
  );
  expect(result).toMatchObject({ verdict: 'inconclusive', reason: withoutPsu });
});
