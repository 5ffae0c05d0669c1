import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import { deviationById } from '../../bank/deviations/index.ts';
import { dialectById } from '../../bank/dialects/index.ts';
import { judgeBank } from './judge-bank.ts';
import { citing, proofSetup } from './prove-bank.test.data.ts';

const companiesOnly = dialectById.get('customers/companies-only');
const design = companiesOnly?.apply(compliantDesign) ?? compliantDesign;

test('checks on the context of the redirect pass for companies, and leave private customers out who are not there', async () => {
  const { checks, keys } = await proofSetup();
  const { results, outcome } = await judgeBank(design, citing(checks, 'RDR-05'), keys);
  const of = (id: string) => results.find((result) => result.id === id);
  expect(of('RDR-05-corporate')?.verdict).toBe('pass');
  expect(of('RDR-05')).toMatchObject({ verdict: 'not-applicable', notOffered: true });
  expect(of('RDR-05')?.reason).toMatch(/serves companies only, as psu\.context .* declares/);
  expect(outcome.gaps).toEqual([]);
});

test.each([
  'RDR-05/always-private',
  'RDR-04/missing',
  'COR-01/unchecked',
  'COR-04/unchecked',
  'SGS-09/as-empty',
  'SCA-14/refused',
  'HDN-19/demanded',
])('%s is found at a bank that serves companies only', async (id) => {
  const { checks, keys } = await proofSetup();
  const deviation = deviationById.get(id);
  if (deviation === undefined) throw new Error(`There is no deviation ${id}.`);
  const { results } = await judgeBank(deviation.apply(design), citing(checks, deviation.requirement), keys);
  const failed = results.filter(({ verdict }) => verdict === 'fail');
  expect(failed.flatMap(({ requirements }) => requirements)).toContain(deviation.requirement);
});

test('a bank with private customers, too, is not conformant as one that serves companies only', async () => {
  const { checks, keys } = await proofSetup();
  const judged = (of: typeof compliantDesign) =>
    judgeBank(of, citing(checks, 'RDR-05'), keys, { psuContext: 'CORPORATE' });
  const { outcome, results } = await judged(compliantDesign);
  expect(results.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
  expect(outcome.verdict).toBe('incomplete');
  expect(outcome.problems).toEqual([expect.stringMatching(/^The sandbox lists private customers/)]);
  const always = deviationById.get('RDR-05/always-corporate')?.apply(compliantDesign) ?? compliantDesign;
  expect((await judged(always)).outcome.verdict).toBe('non-conformant');
});
