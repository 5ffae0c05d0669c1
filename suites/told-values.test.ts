import { describe, expect, it } from 'vitest';
import { amountsOf, datesOf, isIsoDate, membersCalled, wordsOf } from './told-values.ts';

const told = {
  balances: [{ balanceAmount: { amount: 12.5, currency: 'NOK' }, referenceDate: '2026-11-17' }],
  transaction: { balanceAmount: { amount: '1.00' }, bookingDate: 1_763_337_600, valueDate: '', amount: 3 },
};

describe('values that a bank tells', () => {
  it('are found however deep they stand, and in lists', () => {
    expect(amountsOf(new Set(['balanceAmount']), told)).toEqual([12.5, '1.00']);
    expect(datesOf(new Set(['referenceDate', 'bookingDate', 'valueDate']), told)).toEqual([
      '2026-11-17',
      '1763337600',
    ]);
    expect(membersCalled(new Set(['amount']), told)).toEqual([12.5, '1.00', 3]);
  });

  it.each([
    ['2026-11-17', true],
    ['2026-11-17T08:00:00+01:00', true],
    ['17.11.2026', false],
    ['1763337600', false],
    ['2026-11-17T08:00:00', false],
    ['2026-02-30', false],
    ['2026-11-31T08:00:00+01:00', false],
  ])('are a date or a date-time with an offset: %s', (text, isDate) => {
    expect(isIsoDate(text)).toBe(isDate);
  });

  it('are read whether or not JSON escapes their letters', () => {
    const bytes = Buffer.from('[{"id":"A\\u002d1"}]');
    expect(wordsOf({ bytes, json: JSON.parse(bytes.toString()) })).toBe('[{"id":"a-1"}]');
    expect(wordsOf({ bytes: Buffer.from('Avtale A-1'), json: undefined })).toBe('avtale a-1');
  });
});
