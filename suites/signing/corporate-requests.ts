import { corporateFacts, corporatePsu } from '../../src/checks/corporate.ts';
import type { Subject } from '../../src/checks/subject.ts';
import { paymentsOf } from '../../src/payloads/payments.ts';
import { defaultProduct, type Product } from '../../src/spec/products.ts';

/** A payment of the corporate customer. */
export const aCorporatePayment = (product: Product = defaultProduct): Subject => ({
  title: `a corporate ${product.word} payment`,
  bodies: (context) => paymentsOf(product, corporateFacts(context), context.amounts),
  call: (context, body) => ({ operation: product.creation, body, psu: corporatePsu(context) }),
});
