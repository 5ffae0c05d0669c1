import fc from 'fast-check';
import type { Demand } from '../spec/field.ts';
import { Amounts } from './amounts.ts';
import { crossBorderPayments } from './cross-border-payments.ts';
import { domesticPayments } from './domestic-payments.ts';
import type { JsonObject } from './json.ts';
import type { PaymentFacts } from './payment-facts.ts';

/** A customer with an account and a card, on an ordinary Monday. */
export const facts: PaymentFacts = {
  debtor: { bban: '95360573002', iban: 'NO0995360573002', currency: 'NOK' },
  card: { identification: '4111-card-1', currency: 'NOK' },
  creditor: { bban: '86011117947', currency: 'NOK' },
  now: new Date('2026-03-02T10:00:00Z'),
};

const amounts = new Amounts(1, 0);

/** Bodies of payments that a TPP sends. */
export const paymentBodies = ['domesticPayment', 'crossBorderPayment'] as const;
export type PaymentBody = (typeof paymentBodies)[number];

/** Valid payments over the whole domain. */
export const drawnPayments = (name: PaymentBody, numRuns: number): readonly JsonObject[] =>
  fc.sample(
    name === 'domesticPayment'
      ? domesticPayments(facts, amounts, { codes: 'whole' })
      : crossBorderPayments(facts, amounts, { codes: 'whole' }),
    { seed: 1, numRuns },
  );

/** A valid payment that has what the demand is about. */
export function paymentWith(name: PaymentBody, { path: [first, second] }: Demand): JsonObject {
  const arbitrary =
    name === 'domesticPayment'
      ? domesticPayments(facts, amounts, {
          optional: 'all',
          remittance:
            first === 'remittanceInformationStructured'
              ? 'single'
              : first === 'remittanceInformationStructuredArray'
                ? 'array'
                : 'unstructured',
          debtor: second === 'other' ? 'card' : 'account',
        })
      : crossBorderPayments(facts, amounts, {
          optional: 'all',
          creditor: first === 'creditorAccount' && second === 'bban' ? 'bban' : 'iban',
          debtor: first === 'debtorAccount' && second === 'iban' ? 'iban' : 'bban',
        });
  return fc.sample(arbitrary, { seed: 1, numRuns: 1 })[0] ?? {};
}
