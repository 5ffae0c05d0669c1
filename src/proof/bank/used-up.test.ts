import { expect, test } from 'vitest';
import { compliantDesign } from '../../bank/compliant-design.ts';
import type { BankDesign } from '../../bank/design/design.ts';
import { withRules } from '../../bank/design/design-changes.ts';
import { isCreation } from '../../spec/products.ts';
import { judgeBank } from './judge-bank.ts';
import { proofSetup } from './prove-bank.test.data.ts';

/** From some payment on all are refused, and no code says why: funds that are set aside, or the payments of a day. */
function payingSoOften(most: number): BankDesign {
  let count = 0;
  return withRules((operation, rules) =>
    isCreation(operation)
      ? [
          ...rules,
          {
            requirement: 'ERR-06',
            ownChoice: true,
            hasEffects: true,
            name: 'a limit of this bank',
            refuses: () => {
              count += 1;
              return count > most ? { status: 400, code: 'FORMAT_ERROR', text: 'No more.' } : undefined;
            },
          },
        ]
      : rules,
  )(compliantDesign);
}

const asked = ['STA-10', 'NDC-69', 'NDC-67', 'NCB-67-iban', 'PAY-01', 'PAY-03', 'TRN-14', 'VER-01'];

test('a bank whose funds or limits are used up in the middle of a run is not blamed for it', async () => {
  const { checks, keys } = await proofSetup();
  const some = checks.filter(({ check }) => asked.includes(check.id));
  const { results } = await judgeBank(payingSoOften(12), some, keys);
  const verdicts = new Set(results.map(({ verdict }) => verdict));
  expect(verdicts).not.toContain('fail');
  const [open] = results.filter(({ id }) => id === 'STA-10');
  expect(open).toMatchObject({ verdict: 'inconclusive' });
  expect(open?.reason).toMatch(/used up, give it more funds/);
});

test('a bank that never takes a payment is blamed', async () => {
  const { checks, keys } = await proofSetup();
  const some = checks.filter(({ check }) => check.id === 'NDC-67');
  const { results } = await judgeBank(payingSoOften(0), some, keys);
  expect(results.map(({ verdict }) => verdict)).toEqual(['fail']);
});
