import { expect, test } from 'vitest';
import { learnCatchOrder } from './learn-catch-order.ts';

const banks = [['watching'], ['asking'], ['asking'], ['sharing'], []].map((noticedBy) => ({ noticedBy }));
const none = new Map<string, number>();
const sentAlone = new Map([
  ['watching', 1],
  ['asking', 4],
  ['sharing', 3],
]);
const alone = new Map([
  ['watching', { own: 1, shared: none }],
  ['asking', { own: 4, shared: none }],
  ['sharing', { own: 1, shared: new Map([['a control', 2]]) }],
]);

test('whoever sends much of its own where few have asked before comes later, and each tells what it sends there', async () => {
  const orders: (readonly string[])[] = [];
  // Nobody has asked anything yet: whoever comes first has to.
  const sentInTurn = async (ids: readonly string[]) => {
    orders.push(ids);
    return new Map(ids.map((id, index) => [id, (sentAlone.get(id) ?? 0) + (index === 0 ? 40 : 0)]));
  };
  const order = await learnCatchOrder(banks, { alone, preparation: 9 }, new Set(['watching']), sentInTurn);
  expect(orders).toEqual([
    ['watching', 'asking', 'sharing'],
    ['asking', 'sharing', 'watching'],
  ]);
  expect(order).toEqual({
    banks: 5,
    preparation: 9,
    checks: [
      { id: 'asking', requests: 44, caught: 2, own: 4, shared: {} },
      { id: 'sharing', requests: 3, caught: 1, own: 1, shared: { 1: 2 } },
      { id: 'watching', requests: 1, caught: 1, own: 1, shared: {} },
    ],
  });
});
