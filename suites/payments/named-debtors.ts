import type { CheckContext } from '../../src/checks/context.ts';
import { drawBody } from '../../src/checks/subject.ts';
import { simplePaymentsOf } from '../../src/payloads/payments.ts';
import type { Product } from '../../src/spec/products.ts';
import type { DebtorAccount } from '../../src/target/accounts.ts';
import type { Target } from '../../src/target/target.ts';
import type { Call } from '../../src/tpp/call.ts';

/** The account that the target file names as that of a customer; undefined where it names none. */
export function namedDebtorOf(
  { psu, accounts }: Target,
  nationalId: string | undefined,
): DebtorAccount | undefined {
  if (nationalId === psu.other?.nationalId) return accounts.otherDebtor;
  return nationalId === psu.nationalId ? accounts.debtor : undefined;
}

/** A payment without optional fields from that account. */
export const paymentFrom = (context: CheckContext, product: Product, debtor: DebtorAccount): Call => ({
  operation: product.creation,
  body: drawBody(context, {
    bodies: ({ facts, amounts }) => simplePaymentsOf(product, { ...facts, debtor }, amounts),
  }),
});
