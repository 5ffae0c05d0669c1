import fc from 'fast-check';
import { Amounts } from '../payloads/amounts.ts';
import { simplePaymentsOf } from '../payloads/payments.ts';
import { everyProduct } from '../spec/products.ts';
import type { Target } from '../target/target.ts';
import type { Call } from '../tpp/call.ts';

export interface NamedCall {
  readonly name: string;
  readonly call: Call;
}

/** What the preflight sends: a signed request that changes nothing, and payments where they may be created. */
export function correctCalls(target: Target, seed: number): readonly NamedCall[] {
  const payments = paymentCalls(target, seed);
  // A TPP that may pay in production need not be one that may read accounts.
  return target.environment !== 'sandbox' && payments.length > 0
    ? payments
    : [readingCall(target), ...payments];
}

/** A signed request that changes nothing. */
export const readingCall = ({ environment }: Target): NamedCall =>
  environment === 'sandbox'
    ? { name: 'sandbox customers', call: { operation: 'listSandboxCustomers' } }
    : { name: 'accounts', call: { operation: 'listAccounts' } };

/** A payment of each kind; none where payments may not be created. */
export function paymentCalls(target: Target, seed: number): readonly NamedCall[] {
  if (!target.mayCreatePayments) return [];
  const facts = { ...target.accounts, now: new Date() };
  const amounts = new Amounts(seed, -1);
  return everyProduct.map((product) => {
    const [body] = fc.sample(simplePaymentsOf(product, facts, amounts), { seed, numRuns: 1 });
    return { name: `${product.word} payment`, call: { operation: product.creation, body } };
  });
}
