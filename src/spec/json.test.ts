import { expect, it } from 'vitest';
import { withoutNulls } from './json.ts';

it('members that are null are left out wherever they stand, elements of lists are not', () => {
  const sent = { a: null, b: { c: null, d: 1 }, e: [{ f: null, g: 'x' }, null], h: false };
  expect(withoutNulls(sent)).toEqual({ b: { d: 1 }, e: [{ g: 'x' }, null], h: false });
});

it('what is nested without end is not followed to its end', () => {
  let deep: unknown = { a: null };
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(() => withoutNulls(deep)).not.toThrow();
});
