import fc from 'fast-check';
import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import type { Exchange } from '../../src/tpp/exchange.ts';
import { mostBeginnings } from '../../src/tpp/sca/sca-walker.ts';
import { type Customer, takesSecondTpp, withCustomer } from '../sca/spare-customers.ts';
import { ownCustomer, walking } from '../sca/walks.ts';
import { LifecycleBank, Model } from './lifecycle-bank.ts';
import { everyState, firstSteps, sequences } from './lifecycle-commands.ts';

/** A sequence is a few dozen requests one after the other. */
const mostSequences = 4;
/** Sequences spent on finding a shorter one that fails. */
const shrinkingBudget = 30;

export default suite('Lifecycle of payments and sessions', section('States and transitions'), () => [
  check({
    id: 'STA-10',
    requirement: 'STA-10',
    title:
      'payments, baskets and sessions agree with the states and limits, in whichever order they are used',
    needs: [...walking, 'create-payments'],
    takesLong: true,
    steps: [
      'Act for the PSU of the target file as a second TPP, or without one in the session of the run.',
      'Go through every state once, then draw sequences of steps: create payments, approve them by SCA, read their status, put them into baskets, approve those, delete payments, begin and cancel new sessions.',
      'After each step compare the answer with a model that knows only what the specification fixes.',
    ],
    expected: 'every answer to agree with the model',
    async run(context) {
      const hasSecond = await takesSecondTpp(context);
      if (!hasSecond)
        context.note(
          'No session was replaced, since that would end the session of the run: there is no second TPP that the bank knows.',
        );
      const parts = partsOf(context, hasSecond);
      context.cases = parts.reduce((sum, { numRuns }) => sum + numRuns, 0);
      const judged: Judged[] = [];
      const judge = async (part: Part, customer: Customer): Promise<void> =>
        void judged.push(await judgeSequences(context, customer, part));
      const asSecond = (part: Part): Promise<void> =>
        withCustomer(context, 'SECOND_TPP', (customer) => judge(part, customer), { goesFirst: true });
      // One who was disturbed may have been so by themselves: a PSU is the same, whichever TPP asks.
      const areTogether = hasSecond && context.beginnings === 1;
      if (areTogether) await Promise.all(parts.map(asSecond));
      else for (const part of parts) await (hasSecond ? asSecond(part) : judge(part, ownCustomer(context)));
      tell(context, judged);
    },
  }),
]);

/** Sequences that share a customer, and so run one after the other. */
interface Part {
  readonly numRuns: number;
  readonly examples: [Steps][];
  readonly mayReplaceSession: boolean;
}

type Steps = ReturnType<typeof everyState>;

/** Every state once; and drawn sequences. */
function partsOf({ run }: CheckContext, mayReplaceSession: boolean): readonly Part[] {
  const drawn = Math.min(mostSequences, run.runs) - 1;
  const every: Part = { numRuns: 1, examples: [[everyState(mayReplaceSession)]], mayReplaceSession };
  return drawn === 0 ? [every] : [every, { numRuns: drawn, examples: [], mayReplaceSession }];
}

interface Failing {
  readonly error: ExpectationFailed;
  readonly evidence: Exchange[];
  readonly counterexample: { readonly value: string; readonly path: string };
}

interface Judged {
  readonly failing?: Failing;
  /** What is no verdict on the bank. */
  readonly trouble?: { readonly error: unknown };
}

async function begin(context: CheckContext, customer: Customer) {
  const model = new Model();
  const real = await LifecycleBank.meet(context, customer);
  for (const step of firstSteps) await step.run(model, real);
  return { model, real };
}

/** One sequence. Of what dies on the way it is not known what it did, so it is begun again with payments of its own. */
async function goThrough(context: CheckContext, customer: Customer, steps: Steps): Promise<void> {
  for (let beginning = 1; ; beginning += 1) {
    try {
      return await fc.asyncModelRun(
        () => begin(context, customer),
        steps as Iterable<fc.AsyncCommand<Model, LifecycleBank>>,
      );
    } catch (error) {
      if (beginning === mostBeginnings || !context.mayBeginAgain(error)) throw error;
    }
  }
}

/** Looks for the shortest failing sequence. */
async function judgeSequences(
  context: CheckContext,
  customer: Customer,
  { numRuns, examples, mayReplaceSession }: Part,
): Promise<Judged> {
  let failing: Omit<Failing, 'counterexample'> | undefined;
  let trouble: Judged['trouble'];
  let spent = 0;
  const property = fc.asyncProperty(sequences(mayReplaceSession), async (steps) => {
    if (failing !== undefined) spent += 1;
    if (trouble !== undefined || spent > shrinkingBudget) return;
    try {
      await goThrough(context, customer, steps);
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
  const details = await fc.check(property, { seed: context.seed, numRuns, examples });
  const { counterexample, counterexamplePath } = details;
  const shortest = { value: String(counterexample?.[0] ?? ''), path: counterexamplePath ?? '' };
  return {
    ...(failing === undefined ? {} : { failing: { ...(failing as Failing), counterexample: shortest } }),
    ...(trouble === undefined ? {} : { trouble }),
  };
}

function tell(context: CheckContext, judged: readonly Judged[]): void {
  for (const { failing } of judged) {
    if (failing === undefined) continue;
    context.evidence = failing.evidence;
    context.counterexample = failing.counterexample;
    throw failing.error;
  }
  for (const { trouble } of judged) if (trouble !== undefined) throw trouble.error;
}
