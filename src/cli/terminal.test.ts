import { expect, it } from 'vitest';
import { wrap } from './terminal.ts';

it('breaks between words, and indents all lines but the first', () => {
  expect(wrap('one two three four', 11, '  ')).toBe('one two\n  three\n  four');
});

it('leaves a word that is too long whole', () => {
  expect(wrap('a https://bank.example/v1/payments b', 10)).toBe('a\nhttps://bank.example/v1/payments\nb');
});
