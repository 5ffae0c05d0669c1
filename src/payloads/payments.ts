import type fc from 'fast-check';
import type { Product, ProductName } from '../spec/products.ts';
import type { Amounts } from './amounts.ts';
import { crossBorderPayments } from './cross-border-payments.ts';
import { domesticPayments } from './domestic-payments.ts';
import type { JsonObject } from './json.ts';
import type { PaymentFacts, PaymentOptions } from './payment-parts.ts';

type Payments<Options> = (
  facts: PaymentFacts,
  amounts: Amounts,
  options?: Options,
) => fc.Arbitrary<JsonObject>;

const payments = {
  domestic: domesticPayments,
  crossBorder: crossBorderPayments,
} as const satisfies Readonly<Record<ProductName, Payments<PaymentOptions>>>;

/** Options by product that make a payment with nothing in it that a bank may be particular about. */
const simple = {
  domestic: { optional: 'none', remittance: 'unstructured' },
  crossBorder: { optional: 'none' },
} as const satisfies { readonly [Name in ProductName]: Parameters<(typeof payments)[Name]>[2] };

/** Valid bodies of a product. */
export const paymentsOf = (
  { name }: Product,
  facts: PaymentFacts,
  amounts: Amounts,
  options: PaymentOptions = {},
): fc.Arbitrary<JsonObject> => payments[name](facts, amounts, options);

/** Valid bodies of a product without optional fields. */
export const simplePaymentsOf = (
  { name }: Product,
  facts: PaymentFacts,
  amounts: Amounts,
): fc.Arbitrary<JsonObject> => payments[name](facts, amounts, simple[name]);
