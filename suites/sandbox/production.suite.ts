import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { mustGoThrough } from '../../src/checks/controls.ts';
import { describeAnswer } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import { aSimplePayment, offeredProduct } from '../../src/checks/subject.ts';

/** A bank that refuses everything shows nothing: something that production has must go through. */
async function somethingGoesThrough(context: CheckContext): Promise<void> {
  for (const operation of ['listAccounts', 'startUserFlow'] as const) {
    const answer = await context.client.call({ operation }, {}, 'control');
    if (answer.isSuccess || answer.asksForSca) return;
  }
  await mustGoThrough(context, aSimplePayment(offeredProduct(context)));
}

export default suite(
  'Sandbox operations in production',
  section('Endpoints', 'GET /v1/sandbox/customers'),
  () => [
    check({
      id: 'SBX-44',
      requirement: 'SBX-44',
      title: 'a production bank lists no sandbox customers',
      needs: ['production'],
      steps: [
        'Ask a production bank for the sandbox customers, signed as every request.',
        'Where it lists none, ask for accounts or for the user, or else create a payment, as control: it must go through.',
      ],
      expected: 'no listing, but a refusal (4xx)',
      async run(context) {
        // Not by the check's own call, which asks for nothing that production does not have.
        const answer = await context.client.call({ operation: 'listSandboxCustomers' }, {}, 'list customers');
        context.evidence = [answer.exchange];
        if (answer.isSuccess && Array.isArray(answer.json))
          throw new ExpectationFailed('no listing of sandbox customers', describeAnswer(answer));
        if (answer.isBrokenDown)
          throw new Inconclusive(
            `Asking for sandbox customers was answered ${describeAnswer(answer)}, which does not tell whether the bank has any.`,
          );
        await somethingGoesThrough(context);
      },
    }),
  ],
);
