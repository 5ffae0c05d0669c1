import { describe, expect, it } from 'vitest';
import { isKid, kidMod10CheckDigit, kidMod11CheckDigit } from '../spec/check-digits.ts';
import { brokenKids, kidFrom, referencesOf, referencesOfLength, withAmount, wrongKidOf } from './kid.ts';

describe('a KID', () => {
  it('passes mod 10 and mod 11 alike, whatever number it is made from', () => {
    for (const number of [0, 1, 4711, 699_999, 700_000, 799_999, 800_000, 5_000_000]) {
      const kid = kidFrom(number);
      const payload = kid.slice(0, -1);
      expect(kid).toMatch(/^\d{10}$/);
      expect([kidMod10CheckDigit(payload), kidMod11CheckDigit(payload)]).toEqual([
        kid.slice(-1),
        kid.slice(-1),
      ]);
    }
  });

  it('is another one for every number', () => {
    const numbers = Array.from({ length: 2_000 }, (_, index) => 1_234 * index);
    expect(new Set(numbers.map(kidFrom)).size).toBe(2_000);
  });

  it('has the length that a creditor has agreed on, and is another one for every payment', () => {
    for (const length of [2, 3, 7, 14, 25]) {
      const kids = referencesOfLength(length, { amount: '4711.50' }, 3).map(({ reference }) => reference);
      for (const kid of kids) {
        expect(kid).toHaveLength(length);
        const payload = kid.slice(0, -1);
        expect([kidMod10CheckDigit(payload), kidMod11CheckDigit(payload)]).toEqual([
          kid.slice(-1),
          kid.slice(-1),
        ]);
      }
      const others = referencesOfLength(length, { amount: '4711.51' }, 3).map(({ reference }) => reference);
      if (length >= 7) expect(new Set([...kids, ...others]).size).toBe(6);
    }
  });

  it('is wrong with another check digit, and another wrong one for every amount', () => {
    const wrong = ['100.00', '100.01', '4711.00'].map((amount) => wrongKidOf({ amount, currency: 'NOK' }));
    expect(wrong.map(isKid)).toEqual([false, false, false]);
    expect(new Set(wrong).size).toBe(3);
  });

  it.each(brokenKids)('%s is none', (kid) => {
    expect(isKid(kid)).toBe(false);
  });
});

describe('a payment of another amount', () => {
  const before = { amount: '12.50', currency: 'NOK' };
  const after = { amount: '12.51', currency: 'NOK' };
  const paying = (amount: object, references: readonly object[]) => ({
    instructedAmount: { ...amount },
    remittanceInformationStructuredArray: references.map((reference) => ({ ...reference })),
  });

  it('is for other invoices, whose KIDs are as long', () => {
    expect(withAmount(paying(before, referencesOf(before, 2)), '12.51')).toEqual(
      paying(after, referencesOf(after, 2)),
    );
    expect(withAmount(paying(before, referencesOfLength(14, before, 1)), '12.51')).toEqual(
      paying(after, referencesOfLength(14, after, 1)),
    );
    const [reference] = referencesOf({ amount: '700.00', currency: 'SEK' }, 1);
    expect(
      withAmount({ instructedAmount: before, remittanceInformationStructured: { ...reference } }, '12.51'),
    ).toEqual({ instructedAmount: after, remittanceInformationStructured: referencesOf(after, 1)[0] });
  });

  it('keeps what is no KID, and what stands next to one', () => {
    const others = [{ reference: 'Invoice 7', referenceType: 'KID' }, { reference: brokenKids[0] ?? '' }];
    expect(withAmount(paying(before, others), '12.51')).toEqual(paying(after, others));
    const [made] = referencesOf(before, 1);
    const [anew] = referencesOf(after, 1);
    expect(withAmount(paying(before, [{ ...made, referenceType: 'KID' }]), '12.51')).toEqual(
      paying(after, [{ ...anew, referenceType: 'KID' }]),
    );
  });
});
