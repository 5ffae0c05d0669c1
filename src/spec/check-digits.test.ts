import { describe, expect, it } from 'vitest';
import {
  bbanCheckDigit,
  ibanCheckDigits,
  ibanOf,
  isBban,
  isBic,
  isIban,
  isKid,
  isNationalId,
  kidMod10CheckDigit,
  kidMod11CheckDigit,
  nationalIdCheckDigits,
  syntheticNationalId,
} from './check-digits.ts';

describe('Norwegian account numbers', () => {
  it.each(['95360573002', '86011117947'])('%s has the right check digit', (bban) => {
    expect(isBban(bban)).toBe(true);
    expect(bbanCheckDigit(bban.slice(0, 10))).toBe(bban.slice(10));
  });

  it.each(['95360573003', '9536057300', '953605730021', '9536.05.73002', ''])('%j is none', (text) => {
    expect(isBban(text)).toBe(false);
  });

  it('has none where the remainder is ten', () => {
    const withoutCheckDigit = Array.from({ length: 10 }, (_, last) => `953605730${last}`).filter(
      (tenDigits) => bbanCheckDigit(tenDigits) === undefined,
    );
    expect(withoutCheckDigit).toHaveLength(1);
  });

  it('refuses to compute from something else than ten digits', () => {
    expect(() => bbanCheckDigit('12345')).toThrow(RangeError);
  });
});

describe('IBANs', () => {
  it.each([
    ['95360573002', 'NO0995360573002'],
    ['86011117947', 'NO9386011117947'],
  ])('that of %s is %s', (bban, iban) => {
    expect(ibanOf(bban)).toBe(iban);
    expect(isIban(iban)).toBe(true);
  });

  it.each(['DE89370400440532013000', 'GB29NWBK60161331926819', 'MT84MALT011000012345MTLCAST001S'])(
    '%s is right',
    (iban) => {
      expect(isIban(iban)).toBe(true);
      expect(ibanCheckDigits(iban.slice(0, 2), iban.slice(4))).toBe(iban.slice(2, 4));
    },
  );

  it.each(['NO0895360573002', 'NO09 9536 0573 002', 'no0995360573002', 'NO09', ''])('%j is none', (text) => {
    expect(isIban(text)).toBe(false);
  });
});

describe('national identity numbers', () => {
  it.each(['01819010001', '01819010192'])('%s has both check digits right', (number) => {
    expect(isNationalId(number)).toBe(true);
    expect(nationalIdCheckDigits(number.slice(0, 9))).toBe(number.slice(9));
  });

  it.each(['01819010002', '01819010011', '0181901000', ''])('%j is none', (text) => {
    expect(isNationalId(text)).toBe(false);
  });

  it('are made up so that nobody real has them', () => {
    const numbers = Array.from({ length: 500 }, (_, index) => syntheticNationalId(index * 7919));
    expect(numbers.filter((number) => !isNationalId(number))).toEqual([]);
    expect(numbers.filter((number) => Number(number.slice(2, 4)) <= 80)).toEqual([]);
    expect(new Set(numbers).size).toBeGreaterThan(490);
    expect(syntheticNationalId(4711)).toBe(syntheticNationalId(4711));
  });
});

describe('KID', () => {
  it.each(['2345676', '12345678903'])('%s passes both', (kid) => {
    const payload = kid.slice(0, -1);
    expect([kidMod10CheckDigit(payload), kidMod11CheckDigit(payload)]).toEqual([
      kid.slice(-1),
      kid.slice(-1),
    ]);
    expect(isKid(kid)).toBe(true);
  });

  it('33523568 fails both', () => {
    expect(isKid('33523568')).toBe(false);
  });

  it('writes ten as a hyphen', () => {
    const payload = Array.from({ length: 100 }, (_, index) => String(100 + index)).find(
      (digits) => kidMod11CheckDigit(digits) === '-',
    );
    expect(isKid(`${payload}-`)).toBe(true);
  });

  it.each(['1', '-', '', '12a4', '1'.repeat(26)])('%j is none', (text) => {
    expect(isKid(text)).toBe(false);
  });
});

describe('BIC', () => {
  it.each(['DNBANOKK', 'DNBANOKKXXX'])('%s is one', (text) => {
    expect(isBic(text)).toBe(true);
  });

  it.each(['DNBANOK', 'dnbanokk', 'DNBANOKKXX', '12BANOKK'])('%s is none', (text) => {
    expect(isBic(text)).toBe(false);
  });
});
