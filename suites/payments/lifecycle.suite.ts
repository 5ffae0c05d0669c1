import fc from 'fast-check';
import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { missingCapability } from '../../src/target/capabilities.ts';
import type { Exchange } from '../../src/tpp/exchange.ts';
import { type Customer, withCustomer } from '../sca/spare-customers.ts';
import { ownCustomer, walking } from '../sca/walks.ts';
import { LifecycleBank, Model } from './lifecycle-bank.ts';
import { everyState, firstSteps, sequences } from './lifecycle-commands.ts';

/** A sequence is a few dozen requests one after the other. */
const mostSequences = 4;
/** Sequences spent on finding a shorter one that fails. */
const shrinkingBudget = 30;

export default suite('Lifecycle of payments and sessions', section('States and transitions'), [
  check({
    id: 'STA-10',
    requirement: 'STA-10',
    title:
      'payments, baskets and sessions agree with the states and limits, in whichever order they are used',
    needs: [...walking, 'create-payments'],
    steps: [
      'Act for the PSU of the target file as a second TPP, or without one in the session of the run.',
      'Go through every state once, then draw sequences of steps: create payments, approve them by SCA, read their status, put them into baskets, approve those, delete payments, begin and cancel new sessions.',
      'After each step compare the answer with a model that knows only what the specification fixes.',
    ],
    expected: 'every answer to agree with the model',
    async run(context) {
      const hasSecond = missingCapability(context.target, 'identity:second') === undefined;
      if (!hasSecond) {
        context.note(
          'No session was replaced, since that would end the session of the run: a second TPP is missing.',
        );
        return judgeSequences(context, ownCustomer(context), false);
      }
      return withCustomer(context, 'SECOND_TPP', (customer) => judgeSequences(context, customer, true));
    },
  }),
]);

async function begin(context: CheckContext, customer: Customer) {
  const model = new Model();
  const real = await LifecycleBank.meet(context, customer);
  for (const step of firstSteps) await step.run(model, real);
  return { model, real };
}

interface Failing {
  readonly error: ExpectationFailed;
  readonly evidence: Exchange[];
}

/** Sequences run one after the other, because they share a customer. The shortest failing one is shown. */
async function judgeSequences(
  context: CheckContext,
  customer: Customer,
  mayReplaceSession: boolean,
): Promise<void> {
  let failing: Failing | undefined;
  let trouble: { readonly error: unknown } | undefined;
  let spent = 0;
  const property = fc.asyncProperty(sequences(mayReplaceSession), async (steps) => {
    if (failing !== undefined) spent += 1;
    if (trouble !== undefined || spent > shrinkingBudget) return;
    try {
      await fc.asyncModelRun(
        () => begin(context, customer),
        steps as Iterable<fc.AsyncCommand<Model, LifecycleBank>>,
      );
    } catch (error) {
      // What is no verdict on the bank is not made shorter.
      if (!(error instanceof ExpectationFailed)) {
        trouble = { error };
        return;
      }
      failing = { error, evidence: context.evidence };
      throw error;
    }
  });
  const numRuns = Math.min(mostSequences, context.run.runs);
  context.cases = numRuns;
  const examples: [ReturnType<typeof everyState>][] = [[everyState(mayReplaceSession)]];
  const details = await fc.check(property, { seed: context.seed, numRuns, examples });
  if (failing !== undefined) {
    const { error, evidence } = failing as Failing;
    context.evidence = evidence;
    context.counterexample = {
      value: String(details.counterexample?.[0] ?? ''),
      path: details.counterexamplePath ?? '',
    };
    throw error;
  }
  if (trouble !== undefined) throw (trouble as { readonly error: unknown }).error;
}
