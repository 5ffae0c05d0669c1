import { type Check, check } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { created, describeAnswer } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import { successes } from '../../src/checks/samples.ts';
import { aBasket, aPayment, drawCall } from '../../src/checks/subject.ts';
import { callThroughSca, isAfterSca } from '../../src/checks/through-sca.ts';
import type { OperationName } from '../../src/spec/operations.ts';
import { createdBy, isCreation } from '../../src/spec/products.ts';
import { needsOfPayments } from '../../src/target/capabilities.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { suffixes } from '../id-suffixes.ts';

/**
 * SCA may be required on any transaction (PSU identification and SCA), before anything is created as well. Whoever asks for
 * it again each time that it was passed, in a session in which accounts are shown, never creates anything.
 */
async function mustNotAskForEver(
  context: CheckContext,
  operation: OperationName,
  what: string,
): Promise<void> {
  const product = createdBy(operation);
  const subject = product === undefined ? aBasket() : aPayment(product);
  const call = await drawCall(context, subject);
  const first = await callThroughSca(context, call, what);
  if (!isAfterSca(first) || !first.asksForSca) return;
  // Whatever creates them may hear of an SCA a moment later.
  const answer = await patiently(
    context.run,
    () => context.call(call, {}, `${what}, once more`),
    ({ asksForSca }) => !asksForSca,
  );
  if (!answer.asksForSca) return;
  const accounts = await context.call({ operation: 'listAccounts' }, {}, 'does the session still hold');
  if (!accounts.isSuccess) return;
  context.evidence = [answer.exchange];
  throw new ExpectationFailed(
    `a ${what} to be created once the PSU has passed the SCA that was asked for, twice over`,
    describeAnswer(answer),
  );
}

/** Whatever was created in the run, in whichever context, was answered as creations are. */
export const everCreated = (requirement: string, operation: OperationName, what: string): Check =>
  check({
    id: `${requirement}${suffixes.ever}`,
    requirement,
    title: `every ${what} that this run has created was answered 201`,
    steps: [
      `Look at every successful answer to the creation of a ${what} that any check of this run has had.`,
      `Where there is none, create one, pass the SCA that is asked for, and repeat the request, twice over: asking for SCA again is a fault where accounts are shown in that session.`,
    ],
    expected: created().text,
    needs: isCreation(operation) ? needsOfPayments[operation] : ['create-payments'],
    observes: true,
    async run(context) {
      const answers = await successes(context, operation);
      context.cases = answers.length;
      if (answers.length === 0) {
        await mustNotAskForEver(context, operation, what);
        throw new Inconclusive(`This run has created no ${what}.`);
      }
      const wrong = answers.find((answer) => !created().met(answer, context.readings));
      if (wrong === undefined) return;
      context.evidence = [wrong.exchange];
      throw new ExpectationFailed(`${created().text} for a ${what} that was created`, String(wrong.status));
    },
  });
