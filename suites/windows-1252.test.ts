import { expect, test } from 'vitest';
import { letterIn1252 } from './windows-1252.ts';

test('the bytes of Norwegian letters in UTF-8 are letters of windows-1252', () => {
  const letters = [...Buffer.from('ÆØÅæøå')].map(letterIn1252).join('');
  expect(letters).toBe('Ã†Ã˜Ã…Ã¦Ã¸Ã¥');
});

test('its first and last letter beyond ISO 8859-1 stand where they belong', () => {
  expect([0x7f, 0x80, 0x9f, 0xa0].map(letterIn1252)).toEqual(['\u007f', '€', 'Ÿ', '\u00a0']);
});
