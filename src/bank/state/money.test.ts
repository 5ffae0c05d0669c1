import { describe, expect, it } from 'vitest';
import { toDecimal, toMinorUnits } from './money.ts';

describe('money', () => {
  it.each([
    ['12.5', 'NOK', 1250n],
    ['-0.05', 'NOK', -5n],
    ['7', 'JPY', 7n],
    ['1.234', 'KWD', 1234n],
    ['9007199254740993.01', 'NOK', 900719925474099301n],
  ])('reads %s %s', (text, currency, minor) => {
    expect(toMinorUnits(text, currency)).toBe(minor);
  });

  it.each([
    ['1.234', 'NOK'],
    ['1.5', 'JPY'],
    ['1e3', 'NOK'],
    ['', 'NOK'],
    ['1,00', 'NOK'],
  ])('does not read "%s" %s', (text, currency) => {
    expect(toMinorUnits(text, currency)).toBeUndefined();
  });

  it('writes exactly the minor units of the currency', () => {
    expect(toDecimal(1250n, 'NOK')).toBe('12.50');
    expect(toDecimal(-5n, 'NOK')).toBe('-0.05');
    expect(toDecimal(7n, 'JPY')).toBe('7');
    expect(toDecimal(1n, 'KWD')).toBe('0.001');
  });
});
