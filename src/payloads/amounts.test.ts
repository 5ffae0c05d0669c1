import { describe, expect, it } from 'vitest';
import { Amounts, decimal, numberFrom } from './amounts.ts';

const take = (amounts: Amounts, count: number): readonly number[] =>
  Array.from({ length: count }, () => amounts.nextMinor());

describe('amounts of a run', () => {
  // As many as there may be checks, and the preflight before them.
  const places = Array.from({ length: 1700 }, (_, place) => place - 1);

  it.each([1, 7, 2 ** 31 - 1])('are all different, whichever check they are for (seed %i)', (seed) => {
    const all = places.flatMap((place) => take(new Amounts(seed, place), 512));
    expect(new Set(all).size).toBe(all.length);
  });

  it('are the same for the same seed and place, and others for another seed', () => {
    expect(take(new Amounts(7, 3), 5)).toEqual(take(new Amounts(7, 3), 5));
    expect(take(new Amounts(8, 3), 5)).not.toEqual(take(new Amounts(7, 3), 5));
  });

  it('are small, and never so small that a currency without digits would have none left', () => {
    for (const seed of [1, 2, 3]) {
      for (const minor of places.flatMap((place) => take(new Amounts(seed, place), 3))) {
        expect(minor).toBeGreaterThanOrEqual(100);
        expect(minor).toBeLessThan(1_000_000);
      }
    }
  });

  it.each([
    ['NOK', /^\d+\.\d{2}$/],
    ['JPY', /^\d+$/],
    ['KWD', /^\d+\.\d{3}$/],
  ])('have the minor units of %s', (currency, form) => {
    expect(new Amounts(1, 1).next(currency)).toMatch(form);
  });
});

describe('a decimal number', () => {
  it.each([
    [12345, 2, '123.45'],
    [5, 2, '0.05'],
    [0, 2, '0.00'],
    [100, 3, '0.100'],
    [100, 0, '100'],
  ])('decimal(%i, %i) is %s', (minor, digits, text) => {
    expect(decimal(minor, digits)).toBe(text);
  });
});

describe('a number from a text', () => {
  it('is the same everywhere', () => {
    expect(numberFrom('7/DIG-03')).toBe(numberFrom('7/DIG-03'));
    // The first four bytes of its SHA-256, so that a seed means the same on every machine.
    expect(numberFrom('abc')).toBe(0xba7816bf);
  });
});
