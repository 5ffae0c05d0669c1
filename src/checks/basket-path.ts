import { operationPath } from '../target/paths.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Call, Variation } from '../tpp/call.ts';
import { type CheckContext, lookAside } from './context.ts';
import { AnswersInRun } from './kept-in-run.ts';
import { NotApplicable } from './outcomes.ts';

/** Whether the bank has baskets where the target file says, or the framework that the interface builds on. */
const presence = new AnswersInRun<'baskets', boolean>();

/** Nobody's payment: it is only asked whether there is anything at the path. */
const probe: Call = { operation: 'createSigningBasket', body: { paymentIds: ['conformance-knows-nobody'] } };

const unsigned: Variation = { afterSigning: ({ headers }) => headers.remove('Signature') };

const elsewhere: Variation = {
  beforeSigning: (draft) => {
    draft.target = draft.target.replace(/[^/]+$/, 'conformance-knows-nobody');
  },
};

/**
 * Where baskets are created is not shown (Endpoints, Create payments signing basket). So a correct one that is answered as
 * at a path that the bank does not have says nothing about it.
 */
export async function mustHaveBaskets(context: CheckContext, refusal: Answer): Promise<void> {
  const { operation } = refusal.exchange;
  if (operation !== 'createSigningBasket' || !refusal.isAbsent) return;
  const isThere = await lookAside(context, () =>
    presence.of(context.run, 'baskets', () => hasBaskets(context, refusal)),
  );
  if (isThere) return;
  throw new NotApplicable(
    `The bank has nothing at POST ${operationPath(context.target.paths, operation)} (${refusal.status}). The specification does not show where baskets are created: give paths.signingBaskets in the target file. Where the bank offers none, name signing-baskets under notOffered.`,
  );
}

async function hasBaskets(context: CheckContext, refusal: Answer): Promise<boolean> {
  // Whatever it knows, it answers 400 without a signature.
  if ((await context.call(probe, unsigned, 'is anything there')).isAbsent) return false;
  // Unless it looks at signatures before it looks for the path.
  const nowhere = await context.call(probe, elsewhere, 'at a path that nobody has');
  return nowhere.status !== refusal.status || codeOf(nowhere) !== codeOf(refusal);
}

const codeOf = ({ messages: [first] }: Answer): string | undefined => first?.code;
