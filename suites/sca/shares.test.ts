import { describe, expect, it } from 'vitest';
import { shareOf } from './shares.ts';

const customers = ['5', '3', '1', '4', '2'].map((nationalId) => ({ nationalId }));
const numbers = (index: number, count: number, of = customers) =>
  shareOf(of, { index, count }).map(({ nationalId }) => nationalId);

describe('the customers of a shard', () => {
  it('are all of them in a run that is no shard', () => {
    expect(shareOf(customers, undefined)).toEqual(customers);
  });

  it('are those of no other shard, in whatever order the bank lists them', () => {
    expect([1, 2, 3].map((index) => numbers(index, 3))).toEqual([['1', '4'], ['2', '5'], ['3']]);
    expect(numbers(1, 3, customers.toReversed())).toEqual(['1', '4']);
  });

  it('are one where there are fewer customers than shards, and none where there are none', () => {
    expect([1, 2, 3, 4, 5, 6, 7].map((index) => numbers(index, 7))).toEqual(
      ['1', '2', '3', '4', '5', '1', '2'].map((number) => [number]),
    );
    expect(numbers(2, 3, [])).toEqual([]);
  });
});
