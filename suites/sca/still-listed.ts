import type { CheckContext } from '../../src/checks/context.ts';
import { expectAnswer, succeeded } from '../../src/checks/expectation.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { accountIdsIn } from './readers.ts';

/** How many accounts the PSU has granted to the TPP, as far as it is shown them. */
export const accountsIn = (listing: Answer): number =>
  listing.isSuccess ? accountIdsIn(listing.json).length : 0;

/** What the PSU has granted is listed as long as it is not deselected. Counted: an id may be that of a consent. */
export function mustStillBeListed(
  context: CheckContext,
  before: number,
  listing: Answer,
  what: string,
  requirement = 'ACC-01',
): void {
  context.showing(requirement, () => {
    expectAnswer(context, listing, succeeded(), `for accounts after ${what}`);
    const left = accountsIn(listing);
    if (left < before)
      throw new ExpectationFailed(`the ${before} accounts that were listed before ${what}`, String(left));
  });
}
