import { describe, expect, it, test } from 'vitest';
import { catchOrderOf, killScoresFrom, partOfOrder, withinBudget } from './proof-findings.ts';

const banks = [['A'], ['A', 'B'], ['A', 'B'], ['B', 'C'], ['C'], ['C'], []].map((noticedBy) => ({
  noticedBy,
}));
const alone = (own: number, shared: Readonly<Record<string, number>> = {}) => ({
  own,
  shared: new Map(Object.entries(shared)),
});

describe('the order of what checks catch per request', () => {
  it('counts each broken bank once, for the check that comes first', () => {
    const costs = new Map([
      ['A', alone(3)],
      ['B', alone(10)],
      ['C', alone(30)],
      ['D', alone(5)],
    ]);
    expect(catchOrderOf(banks, costs)).toEqual([
      { id: 'A', caught: 3 },
      { id: 'B', caught: 1 },
      { id: 'C', caught: 2 },
      { id: 'D', caught: 0 },
    ]);
  });

  it('lets a control be paid for once', () => {
    const costs = new Map([
      ['A', alone(2, { 'a control of A and C': 8 })],
      ['B', alone(5)],
      ['C', alone(2, { 'a control of A and C': 8 })],
    ]);
    expect(catchOrderOf(banks, costs).map(({ id }) => id)).toEqual(['B', 'C', 'A']);
    const dearer = new Map([...costs, ['B', alone(60)] as const]);
    expect(catchOrderOf(banks, dearer).map(({ id }) => id)).toEqual(['A', 'C', 'B']);
  });

  it('fills a budget from the front, and tells the share of the broken banks that it catches', () => {
    const checks = [
      { id: 'A', requests: 3, caught: 3, own: 3 },
      { id: 'B', requests: 10, caught: 1, own: 10 },
      { id: 'C', requests: 1, caught: 2, own: 1 },
    ].map((check) => ({ ...check, shared: {} }));
    const order = { banks: banks.length, preparation: 4, checks };
    expect(withinBudget(order, 16)).toEqual({ ids: new Set(['A']), share: 3 / 7 });
    expect(withinBudget(order, 17)).toEqual({ ids: new Set(['A', 'B']), share: 4 / 7 });
    expect(withinBudget(order, 1000).share).toBe(6 / 7);
    expect(withinBudget(order, 6).ids.size).toBe(0);
  });

  it('has the checks of a part send what others would have sent before them, once', () => {
    const checks = [
      { id: 'A', requests: 9, caught: 3, own: 2, shared: { control: 7 } },
      { id: 'B', requests: 2, caught: 2, own: 2, shared: { control: 7 } },
      { id: 'C', requests: 3, caught: 1, own: 3, shared: { control: 7, listing: 1 } },
    ];
    const order = { banks: 6, preparation: 4, checks };
    const sent = (...ids: string[]) =>
      partOfOrder(order, new Set(ids)).checks.map(({ requests }) => requests);
    expect(sent('A', 'B', 'C')).toEqual([9, 2, 3]);
    expect(sent('B', 'C')).toEqual([9, 4]);
    expect(sent('C')).toEqual([11]);
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
