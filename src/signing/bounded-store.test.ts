import { expect, test, vi } from 'vitest';
import { BoundedStore } from './bounded-store.ts';

const filled = (limit: number, ...ids: readonly string[]): BoundedStore<string> => {
  const store = new BoundedStore<string>(limit);
  for (const id of ids) store.set(id, id.toUpperCase());
  return store;
};

test('the oldest value goes when the limit is passed', () => {
  const store = filled(2, 'a', 'b', 'c');
  expect(store.values()).toEqual(['B', 'C']);
  expect(store.size).toBe(2);
});

test('a value that is used stays', () => {
  const store = filled(2, 'a', 'b');
  expect(store.get('a')).toBe('A');
  store.set('c', 'C');
  expect(store.get('a')).toBe('A');
  expect(store.get('b')).toBeUndefined();
});

test('a value that is set again is new', () => {
  const store = filled(2, 'a', 'b');
  store.set('a', 'changed');
  store.set('c', 'C');
  expect(store.values()).toEqual(['changed', 'C']);
});

test('values can be read one by one while others are used', () => {
  const store = filled(3, 'a', 'b', 'c');
  const seen: string[] = [];
  for (const value of store.values()) {
    seen.push(value);
    store.get(value.toLowerCase());
  }
  expect(seen).toEqual(['A', 'B', 'C']);
});

test('a value is made once, and a failure to make it is not kept', () => {
  const store = new BoundedStore<number>(2);
  const make = vi.fn(() => 1);
  make.mockImplementationOnce(() => {
    throw new Error('no');
  });
  expect(() => store.getOrMake('a', make)).toThrow('no');
  expect([store.getOrMake('a', make), store.getOrMake('a', make)]).toEqual([1, 1]);
  expect(make).toHaveBeenCalledTimes(2);
});

test('values give way to each other when they take too much room, and the last one stays', () => {
  const store = new BoundedStore<string>(10, { most: 6, takenBy: ({ length }) => length });
  store.set('a', 'aaa');
  store.set('b', 'bbb');
  expect(store.values()).toEqual(['aaa', 'bbb']);
  store.set('a', 'a');
  store.set('c', 'cc');
  expect(store.values()).toEqual(['bbb', 'a', 'cc']);
  store.delete('b');
  store.set('d', 'dddddddd');
  expect(store.values()).toEqual(['dddddddd']);
  store.clear();
  store.set('e', 'eee');
  store.set('f', 'fff');
  expect(store.values()).toEqual(['eee', 'fff']);
});
