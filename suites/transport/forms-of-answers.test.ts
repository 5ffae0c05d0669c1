import { expect, test } from 'vitest';
import { isFullDate, isOtherDate } from './forms-of-answers.ts';

test.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', true],
  ['Mon, 06 Nov 1994 08:49:37 GMT', false],
  ['1994-11-06T08:49:37Z', false],
])('%s is a full date: %s', (date, isOne) => {
  expect(isFullDate(date)).toBe(isOne);
});

test.each([
  ['1994-11-06T08:49:37+00:00', true],
  ['Sun Nov  6 08:49:37 1994', true],
  ['Mon, 26 Jul 1997 05:00:00 GMT', false],
  ['-1', false],
  ['86399', false],
  ['', false],
])('%s is a date in another form: %s', (value, isOne) => {
  expect(isOtherDate(value)).toBe(isOne);
});
