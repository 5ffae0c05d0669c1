import fc from 'fast-check';
import type { Demand } from '../spec/field.ts';
import { byProduct, everyProduct, type Product } from '../spec/products.ts';
import { Amounts } from './amounts.ts';
import { crossBorderPayments } from './cross-border-payments.ts';
import { domesticPayments } from './domestic-payments.ts';
import type { JsonObject } from './json.ts';
import type { PaymentFacts, PaymentOptions } from './payment-parts.ts';
import { paymentsOf } from './payments.ts';

/** A customer with an account and a card, on an ordinary Monday. */
export const facts: PaymentFacts = {
  debtor: { bban: '95360573002', iban: 'NO0995360573002', currency: 'NOK' },
  card: { identification: '4111-card-1', currency: 'NOK' },
  creditor: { bban: '86011117947', currency: 'NOK' },
  now: new Date('2026-03-02T10:00:00Z'),
};

const amounts = new Amounts(1, 0);

/** Bodies of payments that a TPP sends. */
export type PaymentBody = Product['body'];
export const paymentBodies: readonly PaymentBody[] = everyProduct.map(({ body }) => body);

const sample = (arbitrary: fc.Arbitrary<JsonObject>, numRuns = 1): readonly JsonObject[] =>
  fc.sample(arbitrary, { seed: 1, numRuns });

const drawnFor = byProduct(
  'body',
  (product) => (options: PaymentOptions) => paymentsOf(product, facts, amounts, options),
);

/** Valid payments over the whole domain. */
export const drawnPayments = (name: PaymentBody, numRuns: number): readonly JsonObject[] =>
  sample(drawnFor[name]({ codes: 'whole' }), numRuns);

/** A valid payment that has what the demand is about. */
export function paymentWith(name: PaymentBody, { path: [first, second] }: Demand): JsonObject {
  const [payment = {}] = sample(narrowed[name]?.(first, second) ?? drawnFor[name]({ optional: 'all' }));
  return payment;
}

const narrowed: Readonly<
  Partial<Record<PaymentBody, (first?: string, second?: string) => fc.Arbitrary<JsonObject>>>
> = {
  domesticPayment: (first, second) =>
    domesticPayments(facts, amounts, {
      optional: 'all',
      remittance:
        first === 'remittanceInformationStructured'
          ? 'single'
          : first === 'remittanceInformationStructuredArray'
            ? 'array'
            : 'unstructured',
      debtor: second === 'other' ? 'card' : 'account',
    }),
  crossBorderPayment: (first, second) =>
    crossBorderPayments(facts, amounts, {
      optional: 'all',
      creditor: first === 'creditorAccount' && second === 'bban' ? 'bban' : 'iban',
      debtor: first === 'debtorAccount' && second === 'iban' ? 'iban' : 'bban',
    }),
};
