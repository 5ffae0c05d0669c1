import { check, section, suite } from '../../src/checks/check.ts';
import { describeAnswer } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';

export default suite(
  'Sandbox operations in production',
  section('Endpoints', 'GET /v1/sandbox/customers'),
  () => [
    check({
      id: 'SBX-44',
      requirement: 'SBX-44',
      title: 'a production bank lists no sandbox customers',
      needs: ['production'],
      steps: ['Ask a production bank for the sandbox customers, signed as every request.'],
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
      },
    }),
  ],
);
