import { describe, expect, it } from 'vitest';
import { Amounts, decimal, numberFrom } from './amounts.ts';

const take = (amounts: Amounts, count: number, currency = 'NOK'): readonly number[] =>
  Array.from({ length: count }, () => amounts.nextMinor(currency));

describe('amounts of a run', () => {
  // As many as there may be checks, and the preflight before them.
  const places = Array.from({ length: 1700 }, (_, place) => place - 1);

  it('are all different, whichever check they are for', () => {
    const taken = new Uint8Array(1_000_000);
    for (const place of places) {
      for (const minor of take(new Amounts(7, place), 512)) taken[minor] = (taken[minor] ?? 0) + 1;
    }
    expect(taken.some((times) => times > 1)).toBe(false);
  });

  it('are the same for the same seed and place, and others for another seed', () => {
    expect(take(new Amounts(7, 3), 5)).toEqual(take(new Amounts(7, 3), 5));
    expect(take(new Amounts(8, 3), 5)).not.toEqual(take(new Amounts(7, 3), 5));
  });

  it('are small, and never so small that a currency without digits would have none left', () => {
    const drawn = [1, 2, 3].flatMap((seed) => places.flatMap((place) => take(new Amounts(seed, place), 3)));
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...drawn)).toBeLessThan(1_000_000);
  });

  it('are never so small that a bank exempts them from SCA', () => {
    const of = (currency: string) =>
      places.flatMap((place) => take(new Amounts(1, place), 512, currency)).reduce((a, b) => Math.min(a, b));
    expect(of('NOK')).toBe(100_000);
    expect(of('EUR')).toBe(10_000);
  });

  it.each([
    ['EUR', 12.5],
    ['USD', 12.5],
    ['GBP', 15],
  ])('are no transfers that have to be reported: %s', (currency, rate) => {
    const drawn = [1, 2, 3].flatMap((seed) =>
      places.flatMap((place) => take(new Amounts(seed, place), 512, currency)),
    );
    const largest = drawn.reduce((a, b) => Math.max(a, b)) / 100;
    expect(largest * rate).toBeLessThan(100_000);
  });

  it('are all different in EUR as well', () => {
    const taken = places.slice(0, 1300).flatMap((place) => take(new Amounts(7, place), 512, 'EUR'));
    expect(new Set(taken).size).toBe(taken.length);
  });

  it('are no more than a test account holds where there is no smaller unit', () => {
    const drawn = [1, 2, 3].flatMap((seed) =>
      places.flatMap((place) => take(new Amounts(seed, place), 3, 'JPY')),
    );
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...drawn)).toBeLessThan(10_000);
  });

  it.each(['KWD', 'USD', 'JPY'])('are never so small that no bank would transfer them: %s', (currency) => {
    for (const place of places.slice(0, 200))
      expect(Number(new Amounts(1, place).next(currency))).toBeGreaterThanOrEqual(10);
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
