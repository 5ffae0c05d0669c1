import fc from 'fast-check';
import type { OperationName } from '../spec/operations.ts';
import { everyProduct } from '../spec/products.ts';
import type { Answer } from '../tpp/answer.ts';
import type { CheckContext } from './context.ts';
import { aBasket, aPayment, theSandboxListing } from './subject.ts';

/**
 * The successful answers of the run so far, for checks that observe. A run of a few checks alone may not have had
 * any, so a payment of each kind, a basket and the listing are asked for in any case.
 */
export async function successes(
  context: CheckContext,
  operation?: OperationName,
): Promise<readonly Answer[]> {
  context.run.sampled ??= sampleEveryKind(context);
  await context.run.sampled;
  return context.run.observations.kept
    .filter(
      ({ exchange, answer }) =>
        answer.isSuccess && (operation === undefined || exchange.operation === operation),
    )
    .map(({ answer }) => answer);
}

async function sampleEveryKind(context: CheckContext): Promise<void> {
  const subjects = [
    ...everyProduct.map((product) => aPayment(product, { optional: 'all' })),
    aBasket(),
    theSandboxListing(),
  ];
  await Promise.allSettled(
    subjects.map(async (subject) => {
      const [body = {}] = fc.sample(subject.bodies(context), { seed: context.seed, numRuns: 1 });
      await context.call(await subject.call(context, body), {}, `sample of ${subject.title}`);
    }),
  );
}
