import { expect, test } from 'vitest';
import { KnownTexts } from './known-texts.ts';

function placesIn(text: string, ...known: readonly string[]): readonly string[] {
  const texts = new KnownTexts<number>();
  for (const [index, each] of known.entries()) texts.add(each, index);
  const places: string[] = [];
  texts.findIn(text, (found, meaning, at) => {
    places.push(`${found} (${meaning}) at ${at}`);
    return at + found.length;
  });
  return places;
}

test('each of many is found wherever it stands', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => `secret-${index}.`);
  expect(placesIn('a secret-4999.secret-17. and secret-4999.', ...many)).toEqual([
    'secret-4999. (4999) at 2',
    'secret-17. (17) at 14',
    'secret-4999. (4999) at 29',
  ]);
});

test('one that begins as another does is found, and so is one inside another', () => {
  expect(placesIn('abcdef', 'abc', 'abcdef', 'cde')).toEqual([
    'abc (0) at 0',
    'abcdef (1) at 0',
    'cde (2) at 2',
  ]);
});

test('the same one does not overlap itself', () => {
  expect(placesIn('aaaaaaaaa', 'aaaa')).toEqual(['aaaa (0) at 0', 'aaaa (0) at 4']);
});

test('nothing is found in a text that is shorter, and nothing where nothing is known', () => {
  expect(placesIn('ab', 'abc')).toEqual([]);
  expect(placesIn('abc')).toEqual([]);
});
