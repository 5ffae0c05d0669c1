import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import type { BankDesign } from '../../bank/design/design.ts';
import { deviationById } from '../../bank/deviations/index.ts';
import { dialectById } from '../../bank/dialects/index.ts';
import type { RunContext } from '../../checks/context.ts';
import { runChecks } from '../../checks/engine.ts';
import { createBankRunContext } from './bank-under-test.ts';
import { citing, proofSetup } from './prove-bank.test.data.ts';

const through = (design: BankDesign, dialect: string): BankDesign =>
  dialectById.get(dialect)?.apply(design) ?? design;

const listsOwnIds = through(compliantDesign, 'listed-agreements/own-ids');

/** What COR-04 says of a bank whose target file names no agreement of others. */
async function judged(design: BankDesign) {
  const { checks, keys } = await proofSetup();
  const { runContext } = await createBankRunContext(keys, design);
  const { target } = runContext;
  const { corporateId: _, ...other } = target.psu.other ?? {};
  const without: RunContext = { ...runContext, target: { ...target, psu: { ...target.psu, other } } };
  return runChecks(citing(checks, 'COR-04'), without);
}

test('an agreement of others is that of another company, which passes SCA, where the listing tells none', async () => {
  const results = await judged(listsOwnIds);
  expect(results.map(({ verdict }) => verdict)).toEqual(results.map(() => 'pass'));
  expect(results.length).toBeGreaterThan(0);
});

test('a bank that takes it is found out all the same', async () => {
  const deviation = deviationById.get('COR-04/unchecked');
  const results = await judged(deviation?.apply(listsOwnIds) ?? listsOwnIds);
  expect(results.map(({ verdict }) => verdict)).toContain('fail');
});

test('where no other company is known, the target file is asked for an agreement', async () => {
  const [result] = await judged(through(listsOwnIds, 'customers/one'));
  expect(result).toMatchObject({
    verdict: 'not-applicable',
    reason: expect.stringContaining('add psu.other.corporateId'),
  });
});
