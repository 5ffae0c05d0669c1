import fc from 'fast-check';
import { withBody } from '../../src/checks/call-body.ts';
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
import {
  aCrossBorderPayment,
  aDomesticPayment,
  aPayment,
  drawBody,
  drawCall,
  type Subject,
} from '../../src/checks/subject.ts';
import { accepts, acceptsEvery, type Twist } from '../../src/checks/trial.ts';
import { type JsonObject, setAt } from '../../src/payloads/json.ts';
import { member } from '../../src/spec/json.ts';
import { everyProduct, type Product, type ProductName } from '../../src/spec/products.ts';
import type { Capability } from '../../src/target/capabilities.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call } from '../../src/tpp/call.ts';
import { suffixes } from '../id-suffixes.ts';
import { namedByIdentity } from '../sca/psu-identity.ts';
import { aCorporatePayment } from '../signing/corporate-requests.ts';
import { mayBeForItsKid } from './kid-refusals.ts';

/** Perhaps it is the parameter that the bank refuses; or it is the payment, which then is not taken without it either. */
async function mustNotTakeItWithout(context: CheckContext, call: Call): Promise<void> {
  const refusal = context.exchanges.at(-1);
  // An empty query, so that a repeated run does not add the parameter either.
  const without = await context.call({ ...call, query: {} }, {}, 'without the parameter');
  if (!without.isSuccess || (await context.call(call, {}, 'once more with it')).isSuccess) return;
  context.evidence = context.exchanges.slice(-3);
  throw new ExpectationFailed(
    'a payment to be accepted with allowLogicalDuplicate=true, as it is without it',
    `${refusal?.response?.status}`,
  );
}

const allowing = { allowLogicalDuplicate: 'true' };

/** A creditor may have no such invoice any more once it is paid: that is a fault of the KID, which is answered 400. */
const mayBeForTheInvoice = (context: CheckContext, call: Call, refusal: Answer): Promise<boolean> =>
  mayBeForItsKid(refusal, (reference) => {
    const other = withBody(call, (body) =>
      setAt(withoutReferences(body), ['remittanceInformationStructuredArray'], [{ reference }]),
    );
    return context.call(other, {}, 'with a wrong KID, to see what is said of it');
  });

const hasReferences = ({ body }: Call): boolean =>
  ['remittanceInformationStructured', 'remittanceInformationStructuredArray'].some(
    (name) => member(body, name) !== undefined,
  );

const withoutReferences = ({
  remittanceInformationStructured: _,
  remittanceInformationStructuredArray: __,
  ...body
}: JsonObject): JsonObject => body;

/** A second payment like the first, which went through. */
async function mustBeTakenAgain(context: CheckContext, call: Call, first: Answer): Promise<void> {
  const second = await context.call(call, {}, 'the same payment again');
  context.evidence = context.exchanges.slice(-2);
  if (hasReferences(call) && (await mayBeForTheInvoice(context, call, second))) return;
  const { met, text } = accepted();
  if (!met(second, context.readings) && isRefusedRepetition(second)) throw doneBefore(second);
  if (!met(second, context.readings)) throw new ExpectationFailed(text, describeAnswer(second));
  const again = second.text('paymentId');
  if (second.isSuccess && again !== undefined && again === first.text('paymentId'))
    throw new ExpectationFailed('a second payment', `the first one once more, with paymentId ${again}`);
}

/** Payments that a bank may process in another place, where it may look for duplicates once more. */
const unlike: Readonly<Record<ProductName, (context: CheckContext) => Subject>> = {
  domestic: ({ facts }) =>
    aDomesticPayment({ remittance: 'array', debtor: facts.card === undefined ? 'account' : 'card' }),
  crossBorder: ({ facts }) =>
    aCrossBorderPayment({ amount: 'small', debtor: facts.debtor.iban === undefined ? 'bban' : 'iban' }),
};

/** Where the first of them is refused, other checks say whether it may be. */
async function othersMustBeTakenAgain(context: CheckContext, product: Product): Promise<void> {
  const other = unlike[product.name](context);
  const calls = [await drawCall(context, other, 3)];
  if (context.target.psu.nationalId !== undefined)
    calls.push({ ...(await drawCall(context, aPayment(product), 4)), psu: namedByIdentity(context) });
  for (const drawn of calls) {
    const call = { ...drawn, query: allowing };
    const first = await context.call(call, {}, 'a payment of another kind');
    if (accepted().met(first, context.readings)) await mustBeTakenAgain(context, call, first);
  }
}

/** The same payment twice, the second time as an allowed duplicate. */
const twice = (
  id: string,
  requirement: string,
  of: Subject,
  { needs = [], product }: { readonly needs?: readonly Capability[]; readonly product?: Product } = {},
) =>
  check({
    id,
    requirement,
    needs,
    title: `${of.title} is created twice when allowLogicalDuplicate is true`,
    steps: [
      `Send ${of.title} with allowLogicalDuplicate=true, as control: it must go through.`,
      'Send the same payment again, with the same parameter.',
      ...(product === undefined
        ? []
        : [
            product.name === 'domestic'
              ? 'Do the same with a payment that has a KID, from a card account where there is one, and with one whose PSU is named by X-PSU-IDENTITY.'
              : 'Do the same with a payment in EUR from an account given as IBAN, and with one whose PSU is named by X-PSU-IDENTITY.',
          ]),
    ],
    expected: 'the second payment to be accepted as well, with a paymentId of its own',
    async run(context) {
      const body = withoutReferences(drawBody(context, of));
      const call = { ...(await of.call(context, body)), query: allowing };
      const same: Subject = { ...of, bodies: () => fc.constant(body), call: () => call };
      const first = await mustGoThrough(context, same).catch(async (error: unknown) => {
        if (error instanceof Inconclusive) await mustNotTakeItWithout(context, call);
        throw error;
      });
      await mustBeTakenAgain(context, call, first);
      if (product === undefined) return;
      await othersMustBeTakenAgain(context, product);
    },
  });

/** Some whole units more than drawn. */
function withMore(body: JsonObject, more: bigint): JsonObject {
  const path = ['instructedAmount', 'amount'];
  const [whole = '0', ...fraction] = String(member(body.instructedAmount, 'amount')).split('.');
  return setAt(body, path, [String(BigInt(whole) + more), ...fraction].join('.'));
}

/** As many more as no other run adds: those of the seconds of the day. */
const withAmountOfNow = (body: JsonObject): JsonObject =>
  withMore(body, BigInt(Math.floor(Date.now() / 1000) % 86_400));

/** A payment that has no duplicate, with another query than a repeated run gives it. */
const asked =
  (query: Readonly<Record<string, string>>): NonNullable<Twist['call']> =>
  (call, { run }) => ({
    // A run that repeats an earlier one sends payments that do have a duplicate.
    ...(run.repeatsPayments ? withBody(call, withAmountOfNow) : call),
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
  product,
  of: aPayment(product),
  ofCompany: aCorporatePayment(product),
}));

export default suite('Payment creation', section('Endpoints'), () => [
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
  payments.map(({ duplicateAllowed, of, product }) =>
    twice(duplicateAllowed, duplicateAllowed, of, { product }),
  ),
  payments.map(({ duplicateAllowed, ofCompany }) =>
    twice(`${duplicateAllowed}${suffixes.corporate}`, duplicateAllowed, ofCompany, {
      needs: ['corporate-psu'],
    }),
  ),
  payments.map(({ withoutDuplicate: id, created: creation, of }) => withoutDuplicate(id, creation, of)),
]);
