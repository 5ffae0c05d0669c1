import { randomUUID } from 'node:crypto';
import type { Check } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { dimensions } from '../../src/checks/contexts.ts';
import { describeAnswer, wentThrough } from '../../src/checks/expectation.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { anOfferedRequest, drawCall } from '../../src/checks/subject.ts';
import { accepts } from '../../src/checks/trial.ts';
import { withHeader } from '../../src/tpp/call.ts';

const inCapitals = (): string => randomUUID().toUpperCase();

const made = accepts({
  id: 'SGS-17',
  requirement: 'SGS-17',
  title: 'a request is verified with its X-Request-ID as it was sent',
  of: anOfferedRequest,
  twists: [
    {
      label: 'X-Request-ID is a UUID in upper case (RFC 4122, 3)',
      request: () => withHeader('X-Request-ID', inCapitals()),
    },
  ],
  fixed: dimensions,
  cases: 1,
});

/** Whoever takes it down to lower case before verifying takes a signature over that. */
async function unlessForItsForm(context: CheckContext, thrown: ExpectationFailed): Promise<void> {
  const { evidence } = context;
  const id = inCapitals();
  const call = await drawCall(context, anOfferedRequest, 7);
  const answer = await context.call(
    call,
    {
      beforeSigning: ({ headers }) => headers.set('X-Request-ID', id.toLowerCase()),
      afterSigning: ({ headers }) => headers.set('X-Request-ID', id),
    },
    'the same in upper case, and signed in lower case',
  );
  if (wentThrough(answer, context.readings)) throw thrown;
  // Date and Digest of the control have capitals as well, and were verified as they were sent.
  context.evidence = evidence;
  context.note(
    `The bank takes no X-Request-ID in upper case, whichever is signed: with a signature over lower case it is answered ${describeAnswer(answer)}.`,
  );
}

/** What an id may look like is for others to ask (TRN-15): one in capitals may be refused for its form. */
export const requestIdAsSent: Check = {
  ...made,
  steps: [
    ...made.steps,
    'Where it is refused, send one in upper case with a signature over the same in lower case: only a bank that takes this has changed what it verifies. The others want a form of the id, and Date and Digest have capitals as well.',
  ],
  run: (context) =>
    made.run(context).catch((error: unknown) => {
      if (error instanceof ExpectationFailed) return unlessForItsForm(context, error);
      throw error;
    }),
};
