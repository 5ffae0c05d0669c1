import type { Check } from '../../src/checks/check.ts';
import { type Expectation, refused, succeededOrAskedForSca } from '../../src/checks/expectation.ts';
import { refuses } from '../../src/checks/trial.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { withHeader } from '../../src/tpp/call.ts';
import { headerValue } from '../../src/tpp/exchange.ts';
import { suffixes } from '../id-suffixes.ts';
import { basket, payments } from '../subjects.ts';
import { mustLeadToAPage, newSession } from './walks.ts';

/** Nothing says that payments of one session can be signed in another. */
const orNotOfThisSession = ({ met, text, ...expected }: Expectation): Expectation => ({
  ...expected,
  text: `${text}, or a refusal of payments of another session (4xx other than 401 and 403)`,
  met: (answer, readings) =>
    met(answer, readings) || (refused().met(answer, readings) && ![401, 403].includes(answer.status)),
});

/** A link into an app leads to no page. */
const isForTheBrowser = ({ exchange }: Answer): boolean =>
  headerValue(exchange.request.headers, 'TPP-Redirect-Preferred') !== 'false';

/** Payments and baskets that are created in a session in which the PSU has not passed SCA. */
export const creationsWithoutSca: readonly Check[] = [
  ...payments.map(({ suffix, of }) => ({
    id: `ERR-03${suffixes.payment}${suffix}`,
    of,
    expected: succeededOrAskedForSca(),
  })),
  { id: `ERR-03${basket.suffix}`, of: basket.of, expected: orNotOfThisSession(succeededOrAskedForSca()) },
].map(({ id, of, expected }) =>
  refuses({
    id,
    requirement: 'ERR-03',
    others: ['SCA-02'],
    title: `${of.title} in a session without SCA is created, or answered 401 with a link named scaRedirect`,
    of,
    twists: [
      {
        label: 'the PSU has not passed SCA in the session',
        request: async (context) => withHeader('TPP-Session-ID', newSession(context).sessionId),
      },
    ],
    expected,
    cases: 1,
    besides: {
      step: 'Open the link scaRedirect of an answer that has one as a browser does: it leads to a page.',
      async look(context, answers) {
        const answer = answers.find(isForTheBrowser);
        if (answer !== undefined) await mustLeadToAPage(context, answer, of.title);
      },
    },
  }),
);
