import { randomUUID } from 'node:crypto';
import type { OperationName } from '../spec/operations.ts';
import { everyProduct } from '../spec/products.ts';
import type { Answer } from '../tpp/answer.ts';
import type { CheckContext } from './context.ts';
import { KeptInRun } from './kept-in-run.ts';
import { aBasket, aPayment, drawCall, offeredProduct, theSandboxListing } from './subject.ts';

/**
 * For checks that observe. A run of a few checks alone may not have had any answer of the kind that they look at, so one
 * of each is asked for in any case, once in a run.
 */
const samples = {
  successes: async (context: CheckContext): Promise<unknown> => {
    const subjects = [
      ...everyProduct.map((product) => aPayment(product, { optional: 'all' })),
      aBasket(),
      theSandboxListing(),
    ];
    return Promise.allSettled(
      subjects.map(async (subject) => {
        await context.call(await drawCall(context, subject), {}, `sample of ${subject.title}`);
      }),
    );
  },
  /**
   * Such as any bank gives: to a payment without anything in it, and to a request without its signature that creates
   * nothing and belongs to no sandbox, so that production has it as well.
   */
  refusals: async (context: CheckContext): Promise<unknown> =>
    Promise.allSettled([
      context.call({ operation: offeredProduct(context).creation, body: {} }, {}, 'sample of a refusal'),
      context.call(
        { operation: 'listAccounts' },
        { signing: { format: () => undefined } },
        'sample of a refusal',
      ),
    ]),
  /** A request without PSU-ID in a new session is answered so. */
  scaRequests: async (context: CheckContext): Promise<unknown> => {
    const { id: _, corporateId: __, ...psu } = { ...context.psu, sessionId: randomUUID() };
    return Promise.allSettled([
      context.call({ operation: 'listAccounts', psu }, {}, 'sample of a request that needs SCA'),
    ]);
  },
} as const;

type SampleKind = keyof typeof samples;

const takenInRun = new KeptInRun<SampleKind, Promise<unknown>>();

const taken = (context: CheckContext, kind: SampleKind): Promise<unknown> =>
  takenInRun.of(context.run, kind, () => samples[kind](context));

/** Every answer that the run has had so far, those of the wanted kinds among them. */
export async function answersSoFar(
  context: CheckContext,
  ...kinds: readonly SampleKind[]
): Promise<readonly Answer[]> {
  await Promise.all(kinds.map((kind) => taken(context, kind)));
  return context.run.observations.kept.map(({ answer }) => answer);
}

/** The successful answers of the run so far. */
export async function successes(
  context: CheckContext,
  operation?: OperationName,
): Promise<readonly Answer[]> {
  const answers = await answersSoFar(context, 'successes');
  return answers.filter(
    (answer) => answer.isSuccess && (operation === undefined || answer.exchange.operation === operation),
  );
}
