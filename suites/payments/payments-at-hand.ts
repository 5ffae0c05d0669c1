import type { CheckContext } from '../../src/checks/context.ts';
import { aSimplePayment, freshPayments, offeredProduct } from '../../src/checks/subject.ts';
import { type Product, products } from '../../src/spec/products.ts';
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

/**
 * One whose status and details can be read: an approved one of the target file, or a new cross-border one. The known issue
 * is that domestic ones may be unreadable before they are approved.
 */
export const readablePayment = async (context: CheckContext): Promise<PaymentReference> =>
  context.target.payments.approved[0] ?? freshPayment(context, products.crossBorder);
