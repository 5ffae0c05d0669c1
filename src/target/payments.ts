import { defaultProduct, everyProduct, type ProductPath } from '../spec/products.ts';
import { type JsonSchema, section, value } from './json-schema.ts';

const list = (description: string, items: JsonSchema): JsonSchema => ({ description, type: 'array', items });

const id = value.text('id of the payment, as the bank gave it and not percent-encoded');

const reference: JsonSchema = {
  description: `id of the payment, or product and id; ${defaultProduct.path} without a product`,
  type: ['string', 'object'],
  minLength: 1,
  additionalProperties: false,
  required: ['id'],
  properties: {
    product: { description: 'payment product', type: 'string', enum: everyProduct.map(({ path }) => path) },
    id,
  },
};

export const paymentsSchema = section('Payments that exist already, for checks that cannot make them', {
  bulk: list('Bulk payments, which a basket must refuse', id),
  periodic: list('Periodic payments, which a basket must refuse', id),
  pending: list('Payments in status PDNG, which cannot be deleted', reference),
  unfunded: list('Payments that lack funds', reference),
  rejected: list('Payments in status RJCT, for the status of a basket that holds one', reference),
  approved: list('Payments that the PSU has approved', reference),
});

/** Payments that exist already, in states that the suite cannot bring about by itself. */
export interface TargetPayments {
  readonly bulk: readonly string[];
  readonly periodic: readonly string[];
  readonly pending: readonly PaymentReference[];
  readonly unfunded: readonly PaymentReference[];
  readonly rejected: readonly PaymentReference[];
  readonly approved: readonly PaymentReference[];
}

export interface PaymentReference {
  readonly product: ProductPath;
  readonly id: string;
}

type PaymentEntry = string | Partial<PaymentReference>;

export interface PaymentsSection {
  readonly bulk?: readonly string[];
  readonly periodic?: readonly string[];
  readonly pending?: readonly PaymentEntry[];
  readonly unfunded?: readonly PaymentEntry[];
  readonly rejected?: readonly PaymentEntry[];
  readonly approved?: readonly PaymentEntry[];
}

export function loadPayments(given: PaymentsSection = {}): TargetPayments {
  return {
    bulk: present(given.bulk),
    periodic: present(given.periodic),
    pending: references(given.pending),
    unfunded: references(given.unfunded),
    rejected: references(given.rejected),
    approved: references(given.approved),
  };
}

function references(entries: readonly PaymentEntry[] | undefined): readonly PaymentReference[] {
  return present(entries).flatMap((entry) => {
    const { id, product = defaultProduct.path } = typeof entry === 'string' ? { id: entry } : entry;
    return id === undefined ? [] : [{ id, product }];
  });
}

/** An item that was wrong has left a hole. */
function present<Item>(items: readonly (Item | undefined)[] | undefined): readonly Item[] {
  return (items ?? []).filter((item) => item !== undefined);
}
