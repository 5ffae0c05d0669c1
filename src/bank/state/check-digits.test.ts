import { describe, expect, it } from 'vitest';
import { bbanCheckDigit, ibanOf, isBban, isIban } from './check-digits.ts';

describe('check digits', () => {
  it('knows account numbers and their IBANs', () => {
    expect(isBban('95360573002')).toBe(true);
    expect(isBban('95360573003')).toBe(false);
    expect(isBban('9536.05.73002')).toBe(false);
    expect(ibanOf('95360573002')).toBe('NO0995360573002');
    expect(ibanOf('86011117947')).toBe('NO9386011117947');
  });

  it('has no check digit where it would be 10', () => {
    expect(bbanCheckDigit('9536057338')).toBeUndefined();
  });

  it.each(['NO9386011117947', 'DE89370400440532013000'])('accepts %s', (iban) => {
    expect(isIban(iban)).toBe(true);
  });

  it.each(['NO9386011117948', 'no9386011117947', 'NO93 8601 1117 947', ''])(
    'refuses "%s" as IBAN',
    (text) => {
      expect(isIban(text)).toBe(false);
    },
  );
});
