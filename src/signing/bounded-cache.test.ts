import { expect, it, vi } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

it('makes a value once', () => {
  const cache = new BoundedCache<number>(2);
  const make = vi.fn(() => 1);
  expect([cache.getOrMake('a', make), cache.getOrMake('a', make)]).toEqual([1, 1]);
  expect(make).toHaveBeenCalledTimes(1);
});

it('forgets the value that was not used for longest', () => {
  const cache = new BoundedCache<string>(2);
  for (const key of ['a', 'b', 'a', 'c']) cache.getOrMake(key, () => key);
  expect(cache.size).toBe(2);
  expect(cache.getOrMake('a', () => 'made again')).toBe('a');
  expect(cache.getOrMake('b', () => 'made again')).toBe('made again');
});

it('does not remember a failure', () => {
  const cache = new BoundedCache<number>(2);
  expect(() =>
    cache.getOrMake('a', () => {
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(cache.getOrMake('a', () => 2)).toBe(2);
});
