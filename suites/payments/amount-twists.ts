import { withBody } from '../../src/checks/call-body.ts';
import type { Check } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { refused } from '../../src/checks/expectation.ts';
import type { Subject } from '../../src/checks/subject.ts';
import { refuses, type Twist } from '../../src/checks/trial.ts';
import { decimal, leastOfProduct } from '../../src/payloads/amounts.ts';
import { type Json, type JsonObject, setAt } from '../../src/payloads/json.ts';
import { minorUnits } from '../../src/spec/currencies.ts';
import { createdBy } from '../../src/spec/products.ts';
import type { Call } from '../../src/tpp/call.ts';

/** The amounts of a test, each with the same amount written as it should be: the control of what is written otherwise. */
const asItShouldBe = new WeakMap<object, JsonObject>();

interface Amounts {
  readonly suffix: string;
  readonly of: Subject;
  /** What is demanded of the field that holds the amount. */
  readonly form: string;
}

/** What is said of amounts is said of the field of each product that holds one: taken there, it breaks both. */
export const refusesAmounts = (
  requirement: string,
  { suffix, of, form }: Amounts,
  {
    id = requirement,
    ...asked
  }: Omit<Parameters<typeof refuses>[0], 'id' | 'requirement' | 'of'> & { id?: string },
): Check =>
  refuses({
    ...asked,
    id: `${id}${suffix}`,
    requirement,
    others: [form],
    of,
    expected: { ...refused(), breaks: () => [requirement, form] },
  });

/** The amount, made at the time of the call so that it is one of a kind. */
export const amount = (
  label: string,
  currency: string,
  write: (minor: number, digits: number) => Json,
): Twist => ({
  label,
  points: 'instructedAmount.amount',
  call: (call: Call, { amounts, readings }: CheckContext) => {
    const digits = minorUnits.get(currency) ?? 2;
    const product = createdBy(call.operation);
    const least = product === undefined ? 0 : leastOfProduct(product, currency, readings.smallTransfers);
    const minor = least + amounts.nextMinor(currency);
    const instructedAmount = { amount: write(minor, digits), currency };
    asItShouldBe.set(instructedAmount, { amount: decimal(minor, digits), currency });
    return withBody(call, (body) => setAt(body, ['instructedAmount'], instructedAmount));
  },
  without: (sent) => {
    const right = asItShouldBe.get(sent['instructedAmount'] as JsonObject);
    return right === undefined ? sent : setAt(sent, ['instructedAmount'], right);
  },
});
