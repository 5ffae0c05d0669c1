import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import {
  describeAnswer,
  expectAnswer,
  mustSucceed,
  refusedOrAskedForSca,
  sessionEnded,
  succeeded,
} from '../../src/checks/expectation.ts';
import { Inconclusive, NotApplicable } from '../../src/checks/outcomes.ts';
import { offeredProduct } from '../../src/checks/subject.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import type { Level } from '../../src/spec/requirement.ts';
import { withHeader } from '../../src/tpp/call.ts';
import { type ScaLink, scaLinkOf } from '../../src/tpp/sca/start-sca.ts';
import { suffixes } from '../id-suffixes.ts';
import { paymentFrom } from '../payments/named-debtors.ts';
import { debtorOf } from '../payments/payable-accounts.ts';
import { mustHoldOtherwise } from './ended-by-others.ts';
import { notJudged } from './not-judged.ts';
import { accountData, accountIdsIn, readingOf, withReadyReader } from './readers.ts';
import { type Customer, takesSecondTpp, withCustomer } from './spare-customers.ts';
import { abortSca, callFor, type Login, logIn, mustBeOffered, newSession, walk, walking } from './walks.ts';

const accounts = { operation: 'listAccounts' } as const;

const isJudged = ({ longTimes }: Readings): Level | undefined =>
  longTimes === 'where-offered' ? 'must' : undefined;

/**
 * An account of a PSU whose session must not be renewed: SCA for another TPP leaves it as it is (SCA is valid for one TPP
 * and PSU). Undefined where that cannot be.
 */
async function accountSeenByAnother(
  context: CheckContext,
  nationalId: string | undefined,
): Promise<string | undefined> {
  const identity = await context.target.identities.second?.();
  const cannotWalk = walking.some((need) => context.missing(need) !== undefined);
  if (identity === undefined || nationalId === undefined || cannotWalk) return undefined;
  if (!(await takesSecondTpp(context))) return undefined;
  try {
    const { call } = await logIn(context, { nationalId, context: context.target.psu.context, identity });
    return accountIdsIn((await call(accounts, {}, 'accounts, as another TPP')).json)[0];
  } catch (error) {
    if (!(error instanceof Inconclusive || error instanceof NotApplicable)) throw error;
    context.note(`Balances and transactions were not asked for: ${error.message}`);
    return undefined;
  }
}

/** A customer who has passed SCA, and who begins a new session with a payment. */
interface BegunByPayment {
  readonly customer: Customer;
  readonly old: Login;
  readonly next: Pick<Login, 'call'>;
  /** Where the payment is approved, and with it the new session. */
  readonly link: ScaLink;
}

const begunByPayment = (
  context: CheckContext,
  work: (begun: BegunByPayment) => Promise<void>,
  kind: 'OTHER' | 'CORPORATE' = 'OTHER',
): Promise<void> =>
  withCustomer(context, kind, async (customer) => {
    const old = await logIn(context, customer);
    const listing = await old.call(accounts, {}, 'accounts, as control');
    mustBeOffered(listing, 'GET /v1/accounts');
    mustSucceed(listing, 'asking for accounts');
    const debtor = await debtorOf(context, old);
    const { sessionId } = newSession(context);
    const call = callFor(context, customer, { ...old.psu, sessionId });
    const payment = paymentFrom(context, offeredProduct(context), debtor);
    const created = await call(payment, {}, 'create a payment in a new session');
    const link = scaLinkOf(created);
    if (link === undefined)
      throw new NotApplicable(
        `A payment in a new session asks for no SCA, so that it begins none: it was answered ${describeAnswer(created)}.`,
      );
    await work({ customer, old, next: { call }, link });
  });

const beginning = [
  'Pass SCA as a customer whom no other check acts for, and ask for accounts, as control: it must go through.',
  'Create a payment of that customer in a new session.',
];

export default suite('How sessions end', section('Limits'), () => [
  check({
    id: 'SES-01',
    requirement: 'SES-01',
    title: 'a session in which SCA was passed more than an hour ago requires a new SCA',
    levelUnder: isJudged,
    needs: ['expired-session', 'aisp-role'],
    steps: [
      'Ask for the accounts of a PSU who has passed SCA, as control: it must go through.',
      'Ask for those of the PSU whose SCA is more than an hour old, in its session.',
      'Pass SCA as that PSU for a second TPP, where there is one, to know an account; ask for its balances and transactions in the old session.',
    ],
    expected: refusedOrAskedForSca().text,
    run: (context) =>
      withReadyReader(context, async () => {
        const { expired } = context.target.psu;
        if (expired === undefined) throw new Inconclusive('The target file hands over no expired session.');
        const { nationalId: _, ...identity } = expired;
        const psu = { ...context.psu, ...identity };
        const answer = await context.call({ ...accounts, psu }, {}, 'in the expired session');
        expectAnswer(context, answer, refusedOrAskedForSca(), 'for accounts in an expired session');
        const accountId = await accountSeenByAnother(context, expired.nationalId);
        if (accountId === undefined) return;
        for (const data of accountData) {
          const call = { ...readingOf(data, { accountId }), psu };
          const read = await context.call(call, {}, 'in the expired session');
          // What is not there is refused to everybody.
          if (!read.isAbsent)
            expectAnswer(context, read, refusedOrAskedForSca(), `for ${data} in an expired session`);
        }
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
      withReadyReader(context, async (reader) => {
        const { call } = reader;
        const { sessionId } = newSession(context);
        const asked = await call(accounts, withHeader('TPP-Session-ID', sessionId), 'in a new session');
        if (scaLinkOf(asked) === undefined)
          throw new Inconclusive(
            'The bank asks for no SCA in a new session, so that none is left unfinished.',
          );
        context.judgesSession = true;
        const answer = await call(accounts, {}, 'in the old session');
        await mustHoldOtherwise(context, reader, answer);
        expectAnswer(
          context,
          answer,
          succeeded(),
          'for accounts in the old session, after SCA in a new one was begun',
        );
      }),
  }),
  check({
    id: `SES-03${suffixes.payment}`,
    requirement: 'SES-03',
    title: 'approving a payment in a new session ends the old one',
    needs: [...walking, 'aisp-role', 'create-payments'],
    steps: [
      ...beginning,
      'Pass SCA at its link scaRedirect, and ask for accounts in the new session: where that goes through, the session has begun.',
      'Ask for accounts in the old session.',
    ],
    expected: sessionEnded().text,
    run: (context) =>
      begunByPayment(context, async ({ customer, old, next, link }) => {
        await walk(context, link, customer);
        const begun = await next.call(accounts, {}, 'in the new session');
        // An approval that gives access to nothing else need not be the beginning of a session.
        if (begun.asksForSca)
          throw new NotApplicable('The approval of a payment begins no session: accounts ask for SCA in it.');
        mustSucceed(begun, 'asking for accounts in the new session');
        const answer = await old.call(accounts, {}, 'in the old session');
        expectAnswer(
          context,
          answer,
          sessionEnded(),
          'for accounts in the old session, after a payment was approved in a new one',
        );
      }),
  }),
  check({
    id: `SES-04${suffixes.payment}`,
    requirement: 'SES-04',
    others: ['SES-02'],
    title: 'cancelling the approval of a payment in a new session leaves the old one valid',
    needs: [...walking, 'aisp-role', 'create-payments'],
    steps: [
      ...beginning,
      'Cancel the SCA at its link scaRedirect.',
      'Ask for accounts in the old session, which go through, and in the new one, which ask for SCA.',
      'Do the same as a company, where one can be found.',
    ],
    expected: succeeded().text,
    async run(context) {
      const cancel = async ({ customer, old, next, link }: BegunByPayment): Promise<void> => {
        await abortSca(context, link, customer);
        const answer = await old.call(accounts, {}, 'in the old session');
        await mustHoldOtherwise(context, old, answer);
        expectAnswer(
          context,
          answer,
          succeeded(),
          'for accounts in the old session, after the approval of a payment in a new one was cancelled',
        );
        const still = await next.call(accounts, {}, 'in the new session');
        context.showing('SES-02', () =>
          expectAnswer(
            context,
            still,
            refusedOrAskedForSca(),
            'for accounts in the new session, in which the approval of a payment was cancelled',
          ),
        );
      };
      await begunByPayment(context, cancel);
      await begunByPayment(context, cancel, 'CORPORATE').catch(
        notJudged(context, 'What becomes of the session of a company'),
      );
    },
  }),
]);
