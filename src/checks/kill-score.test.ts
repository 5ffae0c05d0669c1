import { expect, test } from 'vitest';
import { killScoresFrom } from './kill-score.ts';

test('the score of a requirement counts its own ways, noticed or not', () => {
  const way = (requirement: string, isNoticed: boolean) => ({ requirement, isNoticed });
  const scores = killScoresFrom([way('AMT-01', true), way('DIG-03', false), way('AMT-01', false)]);
  expect([...scores]).toEqual([
    ['AMT-01', { killed: 1, total: 2 }],
    ['DIG-03', { killed: 0, total: 1 }],
  ]);
});
