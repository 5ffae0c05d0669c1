import { type Check, check } from '../../src/checks/check.ts';
import { created } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import { successes } from '../../src/checks/samples.ts';
import type { OperationName } from '../../src/spec/operations.ts';
import { isCreation } from '../../src/spec/products.ts';
import { needsOfPayments } from '../../src/target/capabilities.ts';
import { suffixes } from '../id-suffixes.ts';

/** Whatever was created in the run, in whichever context, was answered as creations are. */
export const everCreated = (requirement: string, operation: OperationName, what: string): Check =>
  check({
    id: `${requirement}${suffixes.ever}`,
    requirement,
    title: `every ${what} that this run has created was answered 201`,
    steps: [
      `Look at every successful answer to the creation of a ${what} that any check of this run has had.`,
    ],
    expected: created().text,
    needs: isCreation(operation) ? needsOfPayments[operation] : ['create-payments'],
    observes: true,
    async run(context) {
      const answers = await successes(context, operation);
      context.cases = answers.length;
      if (answers.length === 0) throw new Inconclusive(`This run has created no ${what}.`);
      const wrong = answers.find((answer) => !created().met(answer, context.readings));
      if (wrong === undefined) return;
      context.evidence = [wrong.exchange];
      throw new ExpectationFailed(`${created().text} for a ${what} that was created`, String(wrong.status));
    },
  });
