import { expect, test } from 'vitest';
import { KnownNumbers } from './known-forms.ts';

const numbers = new KnownNumbers();
for (let number = 0; number < 1_000; number += 1) numbers.add(String(10_000_000_000 + number));

test.each([
  ['close together', 'is 10000000999.', '10000000999'],
  ['in groups', 'is 100000 00998.', '100000 00998'],
  ['with what nobody sees', 'is 1000\u200b00\u200b00997', '1000\u200b00\u200b00997'],
  ['digit by digit', '1. 0. 0. 0. 0. 0. 0. 0. 9. 9. 6', '1. 0. 0. 0. 0. 0. 0. 0. 9. 9. 6'],
  ['behind another number', '42 10000000995', '10000000995'],
])('a number of many is found %s', (_, text, written) => {
  const [place] = numbers.placesIn(text);
  expect(text.slice(place?.start, place?.end)).toBe(written);
});

test.each([
  ['a part of a longer number', '110000000999'],
  ['one among words', '100000 and 00999'],
  ['digits far from each other', '100000    00999'],
])('%s is no such number', (_, text) => {
  expect(numbers.placesIn(text)).toEqual([]);
});
