import { describe, expect, it } from 'vitest';
import { catchOrderOf, withinBudget } from './catch-order.ts';

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
