import fc from 'fast-check';
import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { mustGoThrough } from '../../src/checks/controls.ts';
import { accepted, created, describeAnswer } from '../../src/checks/expectation.ts';
import {
  doneBefore,
  ExpectationFailed,
  Inconclusive,
  isRefusedRepetition,
} from '../../src/checks/outcomes.ts';
import { aPayment, drawBody, drawCall, type Subject } from '../../src/checks/subject.ts';
import { accepts, acceptsEvery, type Twist } from '../../src/checks/trial.ts';
import { type JsonObject, setAt } from '../../src/payloads/json.ts';
import { member } from '../../src/spec/json.ts';
import { everyProduct } from '../../src/spec/products.ts';
import type { Capability } from '../../src/target/capabilities.ts';
import { suffixes } from '../id-suffixes.ts';
import { aCorporatePayment } from '../signing/corporate-requests.ts';

async function mustNotTakeItWithout(context: CheckContext, of: Subject): Promise<void> {
  const refusal = context.exchanges.at(-1);
  const answer = await context.call(
    // An empty query, so that a repeated run does not add the parameter either.
    { ...(await drawCall(context, of, 1)), query: {} },
    {},
    'without the parameter',
  );
  if (!answer.isSuccess) return;
  context.evidence = context.exchanges.slice(-2);
  throw new ExpectationFailed(
    'a payment to be accepted with allowLogicalDuplicate=true, as it is without it',
    `${refusal?.response?.status}`,
  );
}

/** The same payment twice, the second time as an allowed duplicate. */
const twice = (id: string, requirement: string, of: Subject, needs: readonly Capability[] = []) =>
  check({
    id,
    requirement,
    needs,
    title: `${of.title} is created twice when allowLogicalDuplicate is true`,
    steps: [
      `Send ${of.title} with allowLogicalDuplicate=true, as control: it must go through.`,
      'Send the same payment again, with the same parameter.',
    ],
    expected: 'the second payment to be accepted as well, with a paymentId of its own',
    async run(context) {
      const body = drawBody(context, of);
      const call = { ...(await of.call(context, body)), query: { allowLogicalDuplicate: 'true' } };
      const same: Subject = { ...of, bodies: () => fc.constant(body), call: () => call };
      const first = await mustGoThrough(context, same).catch(async (error: unknown) => {
        // Perhaps it is the parameter that the bank refuses, which is optional and true or false.
        if (error instanceof Inconclusive) await mustNotTakeItWithout(context, of);
        throw error;
      });
      const second = await context.call(call, {}, 'the same payment again');
      context.evidence = context.exchanges.slice(-2);
      const { met, text } = accepted();
      if (!met(second, context.readings) && isRefusedRepetition(second)) throw doneBefore(second);
      if (!met(second, context.readings)) throw new ExpectationFailed(text, describeAnswer(second));
      const again = second.text('paymentId');
      if (second.isSuccess && again !== undefined && again === first.text('paymentId'))
        throw new ExpectationFailed('a second payment', `the first one once more, with paymentId ${again}`);
    },
  });

/** Some whole units more than drawn, as many as no other run adds: those of the seconds of the day. */
function withAmountOfNow(body: JsonObject): JsonObject {
  const path = ['instructedAmount', 'amount'];
  const [whole = '0', ...fraction] = String(member(body.instructedAmount, 'amount')).split('.');
  const seconds = Math.floor(Date.now() / 1000) % 86_400;
  return setAt(body, path, [String(BigInt(whole) + BigInt(seconds)), ...fraction].join('.'));
}

/** A payment that has no duplicate, with another query than a repeated run gives it. */
const asked =
  (query: Readonly<Record<string, string>>): NonNullable<Twist['call']> =>
  (call, { run }) => ({
    ...call,
    // A run that repeats an earlier one sends payments that do have a duplicate.
    ...(run.repeatsPayments ? { body: withAmountOfNow(call.body as JsonObject) } : {}),
    query,
  });

const withoutDuplicate = (id: string, optional: string, of: Subject) =>
  accepts({
    id,
    requirement: id,
    others: [optional],
    title: `${of.title} that has no duplicate is accepted when allowLogicalDuplicate is false, or left out`,
    of,
    twists: [
      { label: 'allowLogicalDuplicate is false', call: asked({ allowLogicalDuplicate: 'false' }) },
      {
        label: 'allowLogicalDuplicate is left out',
        call: asked({}),
        requirement: optional,
        isOneOfMany: true,
      },
    ],
    cases: 2,
  });

const payments = everyProduct.map((product) => ({
  ...product.requirements,
  of: aPayment(product),
  ofCompany: aCorporatePayment(product),
}));

export default suite('Payment creation', section('Endpoints'), [
  payments.map(({ created: id, of }) =>
    acceptsEvery({
      id,
      requirement: id,
      title: `${of.title} that is created is answered 201`,
      of,
      expected: created(),
      cases: 3,
    }),
  ),
  payments.map(({ duplicateAllowed, of }) => twice(duplicateAllowed, duplicateAllowed, of)),
  payments.map(({ duplicateAllowed, ofCompany }) =>
    twice(`${duplicateAllowed}${suffixes.corporate}`, duplicateAllowed, ofCompany, ['corporate-psu']),
  ),
  payments.map(({ withoutDuplicate: id, created: creation, of }) => withoutDuplicate(id, creation, of)),
]);
