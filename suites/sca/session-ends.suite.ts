import { check, section, suite } from '../../src/checks/check.ts';
import { expectAnswer, refusedOrAskedForSca, succeeded } from '../../src/checks/expectation.ts';
import { Inconclusive } from '../../src/checks/outcomes.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import type { Level } from '../../src/spec/requirement.ts';
import { scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { withReadyReader } from './readers.ts';
import { newSession } from './walks.ts';

const accounts = { operation: 'listAccounts' } as const;

const isJudged = ({ longTimes }: Readings): Level | undefined =>
  longTimes === 'where-offered' ? 'must' : undefined;

export default suite('How sessions end', section('Limits'), [
  check({
    id: 'SES-01',
    requirement: 'SES-01',
    title: 'a session in which SCA was passed more than an hour ago requires a new SCA',
    levelUnder: isJudged,
    needs: ['expired-session', 'aisp-role'],
    steps: [
      'Ask for the accounts of a PSU who has passed SCA, as control: it must go through.',
      'Ask for those of the PSU whose SCA is more than an hour old, in its session.',
    ],
    expected: refusedOrAskedForSca().text,
    run: (context) =>
      withReadyReader(context, async () => {
        const { expired } = context.target.psu;
        if (expired === undefined) throw new Inconclusive('The target file hands over no expired session.');
        const psu = { ...context.psu, id: expired.id, sessionId: expired.sessionId };
        const answer = await context.call({ ...accounts, psu }, {}, 'in the expired session');
        expectAnswer(context, answer, refusedOrAskedForSca(), 'for accounts in an expired session');
      }),
  }),
  check({
    id: 'SES-04-unfinished',
    requirement: 'SES-04',
    title: 'an SCA in a new session that nobody finishes leaves the old one valid',
    needs: ['aisp-role'],
    steps: [
      'Ask for the accounts of a PSU who has passed SCA, as control: it must go through.',
      'Ask for them in a new session, and do not go to the link scaRedirect that comes back.',
      'Ask for them in the old session.',
    ],
    expected: succeeded().text,
    run: (context) =>
      withReadyReader(context, async ({ call }) => {
        const { sessionId } = newSession(context);
        const asked = await call(
          accounts,
          { beforeSigning: ({ headers }) => headers.set('TPP-Session-ID', sessionId) },
          'in a new session',
        );
        if (scaLinkOf(asked) === undefined)
          throw new Inconclusive(
            'The bank asks for no SCA in a new session, so that none is left unfinished.',
          );
        const answer = await call(accounts, {}, 'in the old session');
        expectAnswer(
          context,
          answer,
          succeeded(),
          'for accounts in the old session, after SCA in a new one was begun',
        );
      }),
  }),
]);
