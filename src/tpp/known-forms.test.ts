import { expect, test } from 'vitest';
import { KnownNumbers } from './known-forms.ts';
import { Redactor } from './redaction.ts';

const numbers = new KnownNumbers();
for (let number = 0; number < 1_000; number += 1) numbers.add(String(10_000_000_000 + number));

test.each([
  ['close together', 'is 10000000999.', '10000000999'],
  ['in groups', 'is 100000 00998.', '100000 00998'],
  ['with what nobody sees', 'is 1000\u200b00\u200b00997', '1000\u200b00\u200b00997'],
  ['digit by digit', '1. 0. 0. 0. 0. 0. 0. 0. 9. 9. 6', '1. 0. 0. 0. 0. 0. 0. 0. 9. 9. 6'],
  ['on two lines of a page', '100000<br />\n00994', '100000<br />\n00994'],
  ['in two elements', '<b>100000</b><b class="x">00993', '100000</b><b class="x">00993'],
  ['with a sign by its name', '100000&shy;00992', '100000&shy;00992'],
  ['with an escape', '"100000\\n00991"', '100000\\n00991'],
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

test.each([
  ['as it was given', '912 345 678'],
  ['close together', '912345678'],
  ['in other groups', '91-23-45-678'],
  ['in hexadecimal', Buffer.from('912345678').toString('hex')],
])('a number that was given in groups is hidden %s', (_, written) => {
  const redactor = new Redactor({ psu: { nationalId: '912 345 678' }, customHeaders: {} });
  const shown = redactor.text(`customer ${written} is not known`);
  expect(shown).toContain('national-id#');
  expect(shown).not.toContain(written);
});
