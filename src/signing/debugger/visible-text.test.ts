import { expect, it } from 'vitest';
import { visibleText } from './visible-text.ts';

it('shows what nobody sees, and leaves the rest as it is', () => {
  expect(visibleText(' a  b c \r\n')).toBe('·a··b c ‹CR›↵');
  expect(visibleText('date: x\t\u00a0\u200b\u202e\u0007\u001b[31m blå')).toBe(
    'date: x⇥\\u{a0}\\u{200b}\\u{202e}\\x07\\x1b[31m blå',
  );
  expect(visibleText('value ')).toBe('value·');
});
