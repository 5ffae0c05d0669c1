import type { Check } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { describeAnswer } from '../../src/checks/expectation.ts';
import { ExpectationFailed, NotApplicable } from '../../src/checks/outcomes.ts';
import { aCrossBorderPayment, drawBody } from '../../src/checks/subject.ts';
import { callThroughSca } from '../../src/checks/through-sca.ts';
import { setAt } from '../../src/payloads/json.ts';
import { canBeHeldAnywhere } from './listed-values.ts';

/** Of different parts of the world, so that no account is held in all of them. */
const somewhere = ['SE', 'FR', 'US', 'JP'] as const;

/** Whether a payee may live elsewhere than where the account is. Undefined where one may, else what was answered. */
async function refusedElsewhere(context: CheckContext): Promise<string | undefined> {
  const of = aCrossBorderPayment({ optional: 'none' });
  let told = '';
  for (const [place, country] of somewhere.entries()) {
    const body = setAt(drawBody(context, of, place + 1), ['creditorAddress'], { country });
    const call = await of.call(context, body);
    const answer = await callThroughSca(context, call, `does the payee live in ${country}`);
    const isOfTheAccount = country === context.facts.creditorForeign?.country;
    if (answer.isSuccess && !isOfTheAccount) return undefined;
    if (!answer.isSuccess) told = describeAnswer(answer);
  }
  return told;
}

/**
 * Freedom: payments/addresses. Then it says nothing of other countries: where accounts in each of them can be made
 * up, that is tried.
 */
export const unlessOfTheAccount = (made: Check): Check => ({
  ...made,
  run: (context) =>
    made.run(context).catch(async (error: unknown) => {
      if (!(error instanceof ExpectationFailed) || canBeHeldAnywhere(context.target)) throw error;
      const { evidence } = context;
      const told = await refusedElsewhere(context);
      context.evidence = evidence;
      if (told === undefined) throw error;
      throw new NotApplicable(
        `The bank pays an account abroad only where the payee lives in its country, and no others can be paid here: an address in another country is answered ${told}.`,
      );
    }),
});
