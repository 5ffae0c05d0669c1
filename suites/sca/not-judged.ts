import type { CheckContext } from '../../src/checks/context.ts';
import { Inconclusive, NotApplicable } from '../../src/checks/outcomes.ts';

/** What a check looks at next to its own question is told where it comes to nothing, and leaves the rest judged. */
export const notJudged =
  (context: CheckContext, what: string) =>
  (error: unknown): undefined => {
    if (!(error instanceof Inconclusive || error instanceof NotApplicable)) throw error;
    context.note(`${what} was not judged: ${error.message}`);
  };
