import { expect, test } from 'vitest';
import { proofSetup } from './prove-bank.test.data.ts';
import { requestsAlone, requestsInTurn, requestsOfPreparation } from './request-costs.ts';

test('of two checks with one control the first sends it, and each alone tells what is shared', async () => {
  const { checks, keys } = await proofSetup();
  const both = checks.filter(({ check }) => check.id === 'SGS-02' || check.id === 'SGS-03');
  const there = await requestsInTurn(both, keys);
  const back = await requestsInTurn(both.toReversed(), keys);
  const alone = await requestsAlone(both, keys);
  const sum = (costs: Iterable<number>): number => [...costs].reduce((a, b) => a + b, 0);
  expect(sum(there.values())).toBe(sum(back.values()));
  for (const [id, inSecondPlace] of [
    ['SGS-02', back.get('SGS-02')],
    ['SGS-03', there.get('SGS-03')],
  ] as const) {
    expect(alone.get(id)?.own).toBe(inSecondPlace);
    expect(sum(alone.get(id)?.shared.values() ?? [])).toBeGreaterThan(0);
  }
});

test('a run with SCA asks the bank before its first check', async () => {
  const { keys } = await proofSetup();
  expect(await requestsOfPreparation(keys)).toBeGreaterThan(0);
});
