import type { CheckContext } from '../../src/checks/context.ts';
import { aSimplePayment, freshPayments, offeredProduct } from '../../src/checks/subject.ts';
import type { Product } from '../../src/spec/products.ts';
import type { PaymentReference } from '../../src/target/payments.ts';

/** What the paths of operations on a payment are filled with. */
export const paramsOf = ({ product, id }: PaymentReference) => ({ product, paymentId: id });

/** A new one, which nobody else knows. */
export async function freshPayment(
  context: CheckContext,
  product: Product = offeredProduct(context),
): Promise<PaymentReference> {
  const [id = ''] = await freshPayments(context, 1, aSimplePayment(product));
  return { product: product.path, id };
}
