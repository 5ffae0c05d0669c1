import { expect, test } from 'vitest';
import { selectionText, splitShard } from './selection.ts';

test('a selection is told by the flags that made it, and nothing when everything is judged', () => {
  expect(selectionText({ only: [] })).toBeUndefined();
  expect(selectionText({ only: ['DIG', 'AMT-01'] })).toBe('--only DIG,AMT-01');
  expect(selectionText({ only: ['DIG'], shard: { index: 2, count: 3 } })).toBe('--only DIG --shard 2/3');
});

test('the shard is taken out again, and the rest stays', () => {
  expect(splitShard('--only DIG --shard 2/3')).toEqual({ rest: '--only DIG', shard: { index: 2, count: 3 } });
  expect(splitShard('--shard 1/12')).toEqual({ rest: undefined, shard: { index: 1, count: 12 } });
  expect(splitShard('--only DIG')).toEqual({ rest: '--only DIG' });
  expect(splitShard(undefined)).toEqual({ rest: undefined });
});
