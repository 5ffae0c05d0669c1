import { corporateFacts, corporatePsu } from '../../src/checks/context.ts';
import { basketOfOne, offeredProduct, type Subject, theAccounts } from '../../src/checks/subject.ts';
import { paymentsOf, simplePaymentsOf } from '../../src/payloads/payments.ts';
import { defaultProduct, type Product } from '../../src/spec/products.ts';

/** A payment of the corporate customer. */
export const aCorporatePayment = (product: Product = defaultProduct): Subject => ({
  title: `a corporate ${product.word} payment`,
  product,
  payment: {
    product,
    decided: {},
    paidBy: 'company',
    bodiesWith: (context, optional) =>
      paymentsOf(product, corporateFacts(context), context.amounts, { optional }),
  },
  bodies: (context) => paymentsOf(product, corporateFacts(context), context.amounts),
  call: (context, body) => ({ operation: product.creation, body, psu: corporatePsu(context) }),
});

/** The same without optional fields: a bank may keep those apart that differ in their day, or in more. */
export const aSimpleCorporatePayment = (product: Product = defaultProduct): Subject => ({
  title: `a simple corporate ${product.word} payment`,
  product,
  bodies: (context) => simplePaymentsOf(product, corporateFacts(context), context.amounts),
  call: (context, body) => ({ operation: product.creation, body, psu: corporatePsu(context) }),
});

/** A basket of the corporate customer, of payments that are its own. */
export const aCorporateBasket: Subject = basketOfOne(
  'a corporate signing basket',
  (context) => aCorporatePayment(offeredProduct(context)),
  corporatePsu,
);

/** A request for the accounts that the corporate customer has granted. */
export const theCorporateAccounts: Subject = {
  ...theAccounts(),
  title: 'a corporate request for accounts',
  call: (context) => ({ operation: 'listAccounts', psu: corporatePsu(context) }),
  excuse: () => 'Grant accounts of the corporate PSU to the TPP at the bank.',
};
