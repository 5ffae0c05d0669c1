import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import { withRules } from '../../bank/design/design-changes.ts';
import { dialectById } from '../../bank/dialects/index.ts';
import type { CheckResult } from '../../checks/verdict.ts';
import { isCreation } from '../../spec/products.ts';
import { judgeBank } from './judge-bank.ts';
import { proofSetup } from './prove-bank.test.data.ts';

const payingKnownOnes = dialectById.get('creditors/known')?.apply(compliantDesign) ?? compliantDesign;

/** A bank that pays nobody for any other reason. */
const payingNobody = withRules((operation, rules) =>
  isCreation(operation)
    ? [
        ...rules,
        {
          requirement: 'NDC-69',
          name: 'pays nobody',
          refuses: () => ({ status: 400, code: 'FORMAT_ERROR', text: 'No.' }),
        },
      ]
    : rules,
)(compliantDesign);

const asked = [
  'NDC-20-accepted',
  'NDC-69',
  'NDC-11',
  'NCB-18-accepted',
  'NCB-64',
  'NCB-66-bban',
  'NCB-66-iban',
  'STA-10',
];

async function judged(
  design: typeof compliantDesign,
  parts: Parameters<typeof judgeBank>[3],
): Promise<Readonly<Record<string, CheckResult>>> {
  const { checks, keys } = await proofSetup();
  const some = checks.filter(({ check }) => asked.includes(check.id));
  const { results } = await judgeBank(design, some, keys, parts);
  return Object.fromEntries(results.map((result) => [result.id, result]));
}

const verdictsOf = (results: Readonly<Record<string, CheckResult>>) =>
  Object.fromEntries(Object.entries(results).map(([id, { verdict }]) => [id, verdict]));

test('a bank that pays only accounts that it knows is not blamed for refusing those that nobody has named', async () => {
  const results = await judged(payingKnownOnes, { creditors: {} });
  expect(verdictsOf(results)).toEqual(Object.fromEntries(asked.map((id) => [id, 'not-applicable'])));
  for (const result of Object.values(results))
    expect(result.reason).toMatch(/name one as accounts\.creditor/);
});

test('it is judged by the accounts that its target file names, in their currencies and forms', async () => {
  const creditors = dialectById.get('creditors/known')?.declared?.creditors ?? {};
  expect(verdictsOf(await judged(payingKnownOnes, { creditors }))).toEqual({
    'NDC-69': 'pass',
    'NDC-11': 'pass',
    'NDC-20-accepted': 'pass',
    // None of them has an IBAN of unusual length.
    'NCB-18-accepted': 'not-applicable',
    'NCB-64': 'pass',
    'NCB-66-bban': 'pass',
    'NCB-66-iban': 'pass',
    'STA-10': 'pass',
  });
});

test('a bank that refuses accounts which were named is blamed', async () => {
  const results = await judged(payingNobody, {});
  expect(results['NDC-69']?.verdict).toBe('fail');
  expect(results['NCB-66-iban']?.verdict).toBe('fail');
});
