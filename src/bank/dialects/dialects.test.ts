import { expect, it } from 'vitest';
import { byUniqueId } from '../../spec/by-unique-id.ts';
import { freedoms } from '../../spec/freedoms.ts';
import { dialectById } from './index.ts';

it('what a compliant bank may do besides is told once each, and done by banks that there are', () => {
  expect(byUniqueId('freedom', freedoms, ({ says }) => says).size).toBe(freedoms.length);
  expect(freedoms.flatMap(({ dialects }) => dialects).filter((id) => !dialectById.has(id))).toEqual([]);
});
