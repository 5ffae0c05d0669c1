import { describe, expect, it, test } from 'vitest';
import { catchOrderOf, killScoresFrom, withinBudget } from './proof-findings.ts';

const banks = [['A'], ['A', 'B'], ['A', 'B'], ['B', 'C'], ['C'], ['C'], []].map((noticedBy) => ({
  noticedBy,
}));
const order = catchOrderOf(
  banks,
  new Map([
    ['A', 3],
    ['B', 10],
    ['C', 30],
    ['D', 5],
  ]),
);

describe('the order of what checks catch per request', () => {
  it('counts each broken bank once, for the check that comes first', () => {
    expect(order.checks).toEqual([
      { id: 'A', requests: 3, caught: 3 },
      { id: 'B', requests: 10, caught: 1 },
      { id: 'C', requests: 30, caught: 2 },
      { id: 'D', requests: 5, caught: 0 },
    ]);
  });

  it('fills a budget, and tells the share of the broken banks that it catches', () => {
    expect(withinBudget(order, 10)).toEqual({ ids: new Set(['A', 'D']), share: 3 / 7 });
    expect(withinBudget(order, 1000).share).toBe(6 / 7);
    expect(withinBudget(order, 1).ids.size).toBe(0);
  });
});

test('the score of a requirement counts its own ways, noticed or not', () => {
  const way = (requirement: string, isNoticed: boolean) => ({ requirement, isNoticed });
  const scores = killScoresFrom([way('AMT-01', true), way('DIG-03', false), way('AMT-01', false)]);
  expect([...scores]).toEqual([
    ['AMT-01', { killed: 1, total: 2 }],
    ['DIG-03', { killed: 0, total: 1 }],
  ]);
});
