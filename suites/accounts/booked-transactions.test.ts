import { describe, expect, it } from 'vitest';
import { changedSince } from './booked-transactions.ts';
import { answering } from './transaction-lists.test.data.ts';

const bread = {
  transactionId: 'a',
  bookingDate: '2026-11-16',
  transactionAmount: { amount: '-12.50', currency: 'NOK' },
};
const rent = {
  transactionId: 'b',
  bookingDate: '2026-11-01',
  transactionAmount: { amount: '-9000.00', currency: 'NOK' },
};
const listing = (...booked: readonly object[]) => answering({ transactions: { booked } });

describe('a booked transaction', () => {
  it('is final where nothing but the way of writing differs', () => {
    const written = { ...bread, transactionAmount: { amount: -12.5, currency: 'NOK' }, text: 'bread' };
    expect(changedSince(listing(bread, rent), listing(rent, written))).toBeUndefined();
  });

  it.each([
    ['amount', { transactionAmount: { amount: '-13.00', currency: 'NOK' } }, '-12.5 NOK', '-13 NOK'],
    ['currency', { transactionAmount: { amount: '-12.50', currency: 'SEK' } }, '-12.5 NOK', '-12.5 SEK'],
    ['day', { bookingDate: '2026-11-17' }, '2026-11-16', '2026-11-17'],
  ])('is not where its %s is another one', (_, changes, before, after) => {
    expect(changedSince(listing(bread, rent), listing({ ...bread, ...changes }, rent))).toEqual({
      id: 'a',
      before,
      after,
    });
  });

  it('may be dated anew together with all others', () => {
    const moved = [bread, rent].map((each) => ({
      ...each,
      bookingDate: `${each.bookingDate.slice(0, 8)}17`,
    }));
    expect(changedSince(listing(bread, rent), listing(...moved))).toBeUndefined();
  });

  it('is told from others by its own id alone', () => {
    const another = { ...rent, transactionId: 'a' };
    expect(changedSince(listing(bread, another), listing(another))).toBeUndefined();
    expect(changedSince(listing(bread), listing({ ...rent, transactionId: undefined }))).toBeUndefined();
  });
});
