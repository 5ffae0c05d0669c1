import { defaultProduct, everyProduct } from '../../spec/products.ts';
import { type JsonSchema, section } from './json-schema.ts';
import { value } from './values.ts';

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
  approved: list('Payments that the PSU has approved', reference),
});
