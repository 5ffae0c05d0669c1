import { nullMembers } from '../../src/checks/broken-demands.ts';
import { check, section, suite } from '../../src/checks/check.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { successes } from '../../src/checks/samples.ts';
import { bodies } from '../../src/spec/bodies/index.ts';
import type { Body } from '../../src/spec/field.ts';
import type { OperationName } from '../../src/spec/operations.ts';
import { creations } from '../../src/spec/products.ts';

const answered: readonly (readonly [body: Body, operations: readonly OperationName[]])[] = [
  [bodies.paymentResponse, creations],
  [bodies.basketResponse, ['createSigningBasket']],
  [bodies.paymentStatusResponse, ['readPaymentStatus']],
];

export default suite('Members without a value', section('What the service does'), () => [
  check({
    id: 'TRN-11',
    requirement: 'TRN-11',
    title: 'an optional member of a response that has no value is left out, and not null',
    levelUnder: ({ nullMembers: reading }) => (reading === 'tolerated' ? 'advisory' : 'must'),
    steps: ['Look at every created payment, every created basket and every status that this run has seen.'],
    expected: 'no optional member that is null',
    observes: true,
    async run(context) {
      context.cases = 0;
      for (const [body, operations] of answered) {
        for (const operation of operations) {
          for (const answer of await successes(context, operation)) {
            context.cases += 1;
            const [place] = nullMembers(body, answer.json);
            if (place === undefined) continue;
            context.evidence = [answer.exchange];
            throw new ExpectationFailed(`${place} to be left out`, 'null');
          }
        }
      }
    },
  }),
]);
