import { describe, expect, it } from 'vitest';
import { isNationalId } from '../../spec/check-digits.ts';
import { isBban, isIban } from './check-digits.ts';
import { availableFunds, bookedBalance } from './customers.ts';
import { initialDataSet } from './initial-data-set.ts';

const today = new Date('2026-03-03T10:00:00Z');
const { customers, accounts, cardAccounts, agreements } = initialDataSet(today);

describe('the initial data set', () => {
  it('gives private customers two accounts and a card account, and corporate ones two accounts', () => {
    for (const { customerNumber, customerType } of customers) {
      const owned = (record: { customerNumber: string }) => record.customerNumber === customerNumber;
      expect(accounts.filter(owned)).toHaveLength(2);
      expect(cardAccounts.filter(owned)).toHaveLength(customerType === 'PRIVATE' ? 1 : 0);
      expect(agreements.filter(({ owner }) => owner === customerNumber)).toHaveLength(
        customerType === 'PRIVATE' ? 0 : 1,
      );
    }
    expect(new Set(customers.map(({ customerType }) => customerType))).toEqual(
      new Set(['PRIVATE', 'CORPORATE']),
    );
  });

  it('has synthetic numbers with right check digits', () => {
    for (const { customerNumber } of customers) {
      expect(isNationalId(customerNumber), customerNumber).toBe(true);
      expect(Number(customerNumber.slice(2, 4))).toBeGreaterThan(80);
    }
    for (const { bban, iban } of accounts) {
      expect(isBban(bban), bban).toBe(true);
      expect(isIban(iban), iban).toBe(true);
    }
    for (const { identification } of cardAccounts) expect(isBban(identification)).toBe(true);
    const numbers = [
      ...accounts.map(({ bban }) => bban),
      ...customers.map(({ customerNumber }) => customerNumber),
    ];
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('gives the first private customer an account with plenty of funds and one with little', () => {
    const [plenty, little] = accounts;
    expect(plenty).toMatchObject({
      customerNumber: '01819010001',
      bban: '95360573002',
      iban: 'NO0995360573002',
      currency: 'NOK',
    });
    expect(plenty && bookedBalance(plenty)).toBe(2_500_000_000n);
    expect(little?.customerNumber).toBe('01819010001');
    expect(little && availableFunds(little)).toBeLessThan(100_00n);
  });

  it('has accounts in EUR, engagements with accounts that exist, and more than two pages of transactions', () => {
    expect(accounts.some(({ currency }) => currency === 'EUR')).toBe(true);
    const ids = new Set(accounts.map(({ id }) => id));
    for (const { accountId } of agreements.flatMap(({ engagements }) => engagements)) {
      expect(ids.has(accountId)).toBe(true);
    }
    expect(
      accounts[0]?.transactions.filter(({ bookingStatus }) => bookingStatus === 'booked').length,
    ).toBeGreaterThan(400);
  });

  it('is the same on another day, apart from dates', () => {
    const later = initialDataSet(new Date('2026-09-09T10:00:00Z'));
    expect(later.accounts.map(({ id }) => id)).toEqual(accounts.map(({ id }) => id));
    expect(later.agreements).toEqual(agreements);
  });
});
