import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import { dialectById } from '../../bank/dialects/index.ts';
import { runChecks } from '../../checks/engine.ts';
import { createBankRunContext } from './bank-under-test.ts';
import { citing, proofSetup } from './prove-bank.test.data.ts';

/** What is said of a bank with a sandbox for each TPP, whose target file does not say so. */
async function judged(requirement: string) {
  const { checks, keys } = await proofSetup();
  const design = dialectById.get('customers/of-one-tpp')?.apply(compliantDesign) ?? compliantDesign;
  const { runContext } = await createBankRunContext(keys, design);
  return runChecks(citing(checks, requirement), runContext);
}

test('where no other TPP knows the PSU, what needs two of them says what to declare', async () => {
  const results = await judged('SCA-08');
  expect(results.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'SCA-08 not-applicable',
    'SCA-08-psu pass',
  ]);
  expect(results[0]?.reason).toContain('Where each TPP has customers of its own');
}, 60_000);

test('what needs one alone is judged in its own session', async () => {
  const results = await judged('STA-10');
  expect(results.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(['STA-10 pass']);
}, 60_000);
