import { expect, it } from 'vitest';
import { isSameNumber } from './customer-number.ts';

it.each([
  ['01819010001', '018190 10001', true],
  ['912345678', '912 345 678', true],
  ['01819010001', '01819010192', false],
  ['A-1', 'A1', false],
  ['1-1', '11', false],
  [undefined, undefined, false],
])('the numbers %s and %s are those of one customer: %s', (one, other, same) => {
  expect(isSameNumber(one, other)).toBe(same);
});
