import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import { successes } from '../../src/checks/samples.ts';
import { bodies } from '../../src/spec/bodies/index.ts';
import { minorUnits } from '../../src/spec/currencies.ts';
import { creations, everyProduct } from '../../src/spec/products.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { everCreated } from './ever-created.ts';
import { bodyOf, responseChecks } from './response-checks.ts';

/** Every answer to a payment that was created. Without one nothing can be said of any. */
async function createdPayments(context: CheckContext): Promise<readonly Answer[]> {
  const answers = await Promise.all(creations.map((creation) => successes(context, creation)));
  if (answers.flat().length === 0) throw new Inconclusive('This run has seen no payment creation response.');
  return answers.flat();
}

/** What is null is not there (reading nullMembers). */
const isLacking = (value: unknown): boolean => value === undefined || value === null;

interface Fees {
  readonly amount?: unknown;
  readonly currency?: unknown;
}

/** Whether there is a fee; one of nothing is none. */
function isCharged(answer: Answer): boolean {
  const { amount } = (answer.member('transactionFees') ?? {}) as Fees;
  return Number(amount) > 0;
}

export default suite(
  'Payment responses',
  section('Resources and their fields', 'Payment creation response (NDCT and NCBCT)'),
  () => [
    responseChecks({
      body: bodies.paymentResponse,
      title: 'a payment creation response',
      answers: createdPayments,
      valuesIn: bodyOf,
    }),
    everyProduct.map(({ requirements, creation, word }) =>
      everCreated(requirements.created, creation, `${word} payment`),
    ),
    check({
      id: 'PRS-20',
      requirement: 'PRS-20',
      title: 'transactionFees is there whenever transactionFeeIndicator is true',
      steps: ['Look at every payment creation response of this run.'],
      expected: 'transactionFees next to transactionFeeIndicator true',
      observes: true,
      async run(context) {
        const charged = (await createdPayments(context)).filter(
          (answer) => answer.member('transactionFeeIndicator') === true,
        );
        if (charged.length === 0) context.note('The bank charged no fee for any payment of this run.');
        context.cases = charged.length;
        const without = charged.find((answer) => isLacking(answer.member('transactionFees')));
        context.evidence = [(without ?? charged[0])?.exchange].filter((exchange) => exchange !== undefined);
        if (without !== undefined) {
          throw new ExpectationFailed(
            'transactionFees to be present, since transactionFeeIndicator is true',
            'nothing',
          );
        }
      },
    }),
    check({
      id: 'PRS-21',
      requirement: 'PRS-21',
      title: 'different payments have different payment ids',
      steps: ['Compare the payment ids of this run, those of each product by themselves.'],
      expected: 'no payment id twice',
      observes: true,
      async run(context) {
        const created = (await createdPayments(context)).filter(
          (answer) => answer.text('paymentId') !== undefined,
        );
        if (created.length < 2) throw new Inconclusive('This run has created fewer than two payments.');
        context.cases = created.length;
        // The path of a payment names its product, so that each may have numbers of its own.
        const seen = new Set<string>();
        const repeated = created.find(
          (answer) => seen.size === seen.add(`${answer.exchange.operation} ${answer.text('paymentId')}`).size,
        );
        if (repeated !== undefined)
          throw new ExpectationFailed(
            'a payment id of its own for each payment',
            `${repeated.text('paymentId')} twice`,
          );
      },
    }),
    check({
      id: 'PRS-24',
      requirement: 'PRS-24',
      title: 'transactionFeeIndicator is not false where transactionFees is more than zero',
      steps: ['Look at the transactionFees of every payment creation response of this run.'],
      expected: 'transactionFeeIndicator true, or none, next to a fee',
      observes: true,
      async run(context) {
        const charged = (await createdPayments(context)).filter(isCharged);
        if (charged.length === 0) context.note('The bank charged no fee for any payment of this run.');
        context.cases = charged.length;
        const denied = charged.find((answer) => answer.member('transactionFeeIndicator') === false);
        if (denied === undefined) return;
        context.evidence = [denied.exchange];
        throw new ExpectationFailed(
          'transactionFeeIndicator to tell of the fee that is in transactionFees',
          `false next to ${JSON.stringify(denied.member('transactionFees'))}`,
        );
      },
    }),
    check({
      id: 'PRS-23',
      requirement: 'PRS-23',
      others: ['VER-03'],
      title: 'a fee is a string with the minor units of its currency',
      steps: ['Look at the transactionFees of every payment creation response of this run.'],
      expected: 'as many fraction digits as the currency has',
      observes: true,
      async run(context) {
        const withFees = (await createdPayments(context)).filter(
          (answer) => !isLacking(answer.member('transactionFees')),
        );
        if (withFees.length === 0) context.note('The bank sent no transactionFees, which are optional.');
        context.cases = withFees.length;
        for (const answer of withFees) {
          const { amount, currency } = answer.member('transactionFees') as Fees;
          const digits = minorUnits.get(String(currency));
          if (digits === undefined) continue;
          context.evidence = [answer.exchange];
          const fraction = /^\d+(?:\.(\d+))?$/.exec(typeof amount === 'string' ? amount : '')?.[1] ?? '';
          if (typeof amount !== 'string' || fraction.length !== digits) {
            throw new ExpectationFailed(
              `a string with ${digits} fraction digits for ${String(currency)}`,
              JSON.stringify(amount) ?? 'nothing',
            ).breaking(typeof amount === 'number' ? 'VER-03' : undefined);
          }
        }
      },
    }),
  ],
);
