import type { CheckContext } from '../../src/checks/context.ts';
import type { Subject } from '../../src/checks/subject.ts';
import type { PaymentFacts } from '../../src/payloads/payment-facts.ts';
import { paymentsOf } from '../../src/payloads/payments.ts';
import { defaultProduct, type Product } from '../../src/spec/products.ts';
import type { Psu } from '../../src/tpp/psu.ts';

/** The corporate customer of the target file. */
export function corporatePsu({ target, psu }: CheckContext): Psu {
  const { corporate } = target.psu;
  return {
    ...psu,
    ...(corporate?.id === undefined ? {} : { id: corporate.id }),
    ...(corporate?.corporateId === undefined ? {} : { corporateId: corporate.corporateId }),
    ...(corporate?.sessionId === undefined ? {} : { sessionId: corporate.sessionId }),
  };
}

/** Paid from an account of the company: a bank lets nobody pay from that of another. */
const corporateFacts = ({ facts, target }: CheckContext): PaymentFacts => ({
  ...facts,
  debtor: target.accounts.corporateDebtor ?? facts.debtor,
});

/** A payment of the corporate customer. */
export const aCorporatePayment = (product: Product = defaultProduct): Subject => ({
  title: `a corporate ${product.word} payment`,
  bodies: (context) => paymentsOf(product, corporateFacts(context), context.amounts),
  call: (context, body) => ({ operation: product.creation, body, psu: corporatePsu(context) }),
});
