import type { PaymentFacts } from './payment-facts.ts';

/** A customer with an account and a card, on an ordinary Monday. */
export const facts: PaymentFacts = {
  debtor: { bban: '95360573002', iban: 'NO0995360573002', currency: 'NOK' },
  card: { identification: '4111-card-1', currency: 'NOK' },
  creditor: { bban: '86011117947', currency: 'NOK' },
  now: new Date('2026-03-02T10:00:00Z'),
};
