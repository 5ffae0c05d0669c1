import type { AccountTransaction, CardTransaction } from './accounts.ts';
import { daysBefore, isoDate } from './iso-date.ts';
import { nameUuid } from './name-uuid.ts';

const purchases = [
  { counterparty: 'Matbutikken på hjørnet', text: 'Varekjøp', amount: -432_50n },
  { counterparty: 'Byens Trikk AS', text: 'Månedskort', amount: -819_00n },
  { counterparty: 'Kraftlaget SA', text: 'Strøm', amount: -1_204_33n },
  { counterparty: 'Kaffebaren', text: 'Kaffe', amount: -52_00n },
  { counterparty: 'Arbeidsgiver AS', text: 'Lønn', amount: 2_650_00n },
] as const;
const otherAccount = '86011117947';

/** A transaction for every day of the history, and two that are pending: one of them dated in the future. */
export function initialTransactions(
  bban: string,
  history: number,
  today: Date,
): readonly AccountTransaction[] {
  const entry = (daysAgo: number, bookingStatus: AccountTransaction['bookingStatus']): AccountTransaction => {
    const date = isoDate(daysBefore(today, daysAgo));
    const purchase = purchases[(daysAgo + purchases.length) % purchases.length] ?? purchases[0];
    return {
      transactionId: nameUuid('transaction', bban, bookingStatus, String(history - daysAgo)),
      bookingStatus,
      bookingDate: date,
      valueDate: date,
      ...purchase,
      counterpartyAccount: otherAccount,
    };
  };
  const booked = Array.from({ length: history }, (_, index) => entry(history - index, 'booked'));
  return [...booked, entry(0, 'pending'), entry(-3, 'pending')];
}

/** Card purchases at home and abroad; the newest is pending. */
export function initialCardTransactions(card: string, today: Date): readonly CardTransaction[] {
  return Array.from({ length: 12 }, (_, index): CardTransaction => {
    const daysAgo = (11 - index) * 4;
    const abroad = index % 3 === 0;
    return {
      transactionId: nameUuid('card transaction', card, String(index)),
      bookingStatus: daysAgo === 0 ? 'pending' : 'booked',
      transactionDate: isoDate(daysBefore(today, daysAgo + 1)),
      bookingDate: isoDate(daysBefore(today, daysAgo)),
      amount: abroad ? -236_00n : -189_00n,
      original: abroad ? { amount: -20_00n, currency: 'EUR' } : { amount: -189_00n, currency: 'NOK' },
      merchant: abroad ? 'Café Beispiel' : 'Bokhandelen',
      city: abroad ? 'Berlin' : 'Oslo',
    };
  });
}
