import type { CheckContext } from '../../src/checks/context.ts';
import type { Twist } from '../../src/checks/trial.ts';
import { type Json, type JsonObject, setAt } from '../../src/payloads/json.ts';
import { minorUnits } from '../../src/spec/currencies.ts';
import { createdBy } from '../../src/spec/products.ts';
import type { Call } from '../../src/tpp/call.ts';

/** The amount, made at the time of the call so that it is one of a kind. */
export const amount = (
  label: string,
  currency: string,
  write: (minor: number, digits: number) => Json,
): Twist => ({
  label,
  points: 'instructedAmount.amount',
  call: (call: Call, { amounts }: CheckContext) => {
    const digits = minorUnits.get(currency) ?? 2;
    const least = currency === 'NOK' ? (createdBy(call.operation)?.meantFromOere ?? 0) : 0;
    return {
      ...call,
      body: setAt(call.body as JsonObject, ['instructedAmount'], {
        amount: write(least + amounts.nextMinor(currency), digits),
        currency,
      }),
    };
  },
});
