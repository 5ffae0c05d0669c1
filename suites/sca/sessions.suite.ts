import { check, section, suite } from '../../src/checks/check.ts';
import { asControl, type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import {
  asksForSca,
  describeAnswer,
  expectAnswer,
  mustSucceed,
  refusedOrAskedForSca,
  sessionEnded,
  succeeded,
} from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive, NotApplicable } from '../../src/checks/outcomes.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import { scaRedirectOf } from '../../src/tpp/sca/start-sca.ts';
import { idsChangedSince } from '../accounts/transaction-lists.ts';
import { suffixes } from '../id-suffixes.ts';
import { nearTo } from '../near-ids.ts';
import { mustHoldOtherwise } from './ended-by-others.ts';
import { notJudged } from './not-judged.ts';
import { accountData, accountIdsIn, readingOf, withReadyReader } from './readers.ts';
import { afterEveryFailure, afterEverySca, mustKeepTo, withoutPsuId } from './redirect-demands.ts';
import { type Customer, withCustomer } from './spare-customers.ts';
import { accountsIn, mustStillBeListed } from './still-listed.ts';
import {
  abortSca,
  abortScaLate,
  callAgainAfterSca,
  callFor,
  type Login,
  logIn,
  mustBeOffered,
  newSession,
  ownCustomer,
  passSca,
  walk,
  walking,
} from './walks.ts';

const accounts = { operation: 'listAccounts' } as const;

const noOtherPsu =
  'No other customer is known than the PSU of the target file: add psu.other.nationalId, or create one with POST /v1/sandbox/customers.';

/** A session in which accounts are shown. */
async function firstSession(
  context: CheckContext,
  customer: Customer,
): Promise<Login & { readonly listing: Answer }> {
  const login = await logIn(context, customer);
  const listing = await login.call(accounts, {}, 'control in the first session');
  mustBeOffered(listing, 'GET /v1/accounts');
  mustSucceed(listing, 'asking for accounts in the first session');
  return { ...login, listing };
}

/**
 * SCA of a PSU whom the TPP knows already, and names: what the redirect carries is the same. Where the pages are others
 * then, and cannot be passed, SCA begins as it did before.
 */
async function logInAgain(context: CheckContext, customer: Customer, old: Login): Promise<Login> {
  const psu = { ...old.psu, sessionId: newSession(context).sessionId };
  const call = callFor(context, customer, psu);
  const link = scaRedirectOf(await call(accounts, {}, 'in a new session'));
  const back =
    link &&
    (await walk(context, link, customer, psu.redirectUri).catch(
      notJudged(context, 'The redirect after SCA of a known PSU'),
    ));
  if (!back) return logIn(context, customer);
  mustKeepTo(context, afterEverySca, back, psu, 'after SCA of a PSU whom the request has named');
  return { psu, call, customer };
}

/** What is listed to the PSU of the run. Where that is nothing, others may have lost it who passed SCA before: it is granted anew. */
async function grantedAccounts(context: CheckContext, reader: Login): Promise<Answer> {
  const ask = async (): Promise<Answer> =>
    mustSucceed(await callAgainAfterSca(context, reader, accounts, 'control'), 'asking for accounts');
  const listing = await ask();
  if (accountsIn(listing) > 0 || reader.psu.id !== context.psu.id) return listing;
  await passSca(context, ownCustomer(context), { ...newSession(context), sessionId: context.psu.sessionId });
  return ask();
}

/** The transactions of an account, as a session shows them. */
interface Shown {
  readonly accountId: string;
  readonly answer: Answer;
}

async function transactionsShown({
  call,
  listing,
}: Pick<Login, 'call'> & { readonly listing: Answer }): Promise<Shown | undefined> {
  const [accountId] = accountIdsIn(listing.json);
  if (accountId === undefined) return undefined;
  const answer = await call(
    readingOf('transactions', { accountId }),
    {},
    'transactions in the first session',
  );
  return { accountId, answer };
}

/** What is booked has the same id for as long as it is there, and not for as long as a session is. */
async function mustKeepTheirIds(
  context: CheckContext,
  { accountId, answer }: Shown,
  { call }: Pick<Login, 'call'>,
): Promise<void> {
  const again = await call(readingOf('transactions', { accountId }), {}, 'transactions in the new session');
  const changed = idsChangedSince(answer)(again);
  if (changed === undefined) return;
  context.evidence = [asControl(answer.exchange), again.exchange];
  throw new ExpectationFailed(
    `transactionId ${changed} of the same booked transaction in a new session`,
    'another one',
  ).breaking('ACC-17');
}

/** The old session holds and the new one has not begun. Gives the answer in the new one. */
async function mustBeAsBefore(context: CheckContext, old: Login, next: Login['call']): Promise<Answer> {
  const answer = await old.call(accounts, {}, 'in the old session');
  await mustHoldOtherwise(context, old, answer);
  expectAnswer(
    context,
    answer,
    succeeded(),
    'for accounts in the old session, after SCA in a new one was cancelled',
  );
  const still = await next(accounts, {}, 'in the new session');
  context.showing('SES-02', () =>
    expectAnswer(
      context,
      still,
      refusedOrAskedForSca(),
      'for accounts in the new session, whose SCA was cancelled',
    ),
  );
  return still;
}

export default suite('Sessions', section('Limits'), () => [
  check({
    id: 'SES-02',
    requirement: 'SES-02',
    title: 'a new TPP-Session-ID requires a new SCA',
    steps: [
      'Ask for the accounts of a PSU who has passed SCA, as control: it must go through.',
      'Ask for them again with a new TPP-Session-ID, whose last character alone is another one.',
    ],
    expected: asksForSca().text,
    run: (context) =>
      withReadyReader(context, async ({ call }) => {
        const answer = await call(
          accounts,
          {
            beforeSigning: ({ headers }) =>
              headers.set('TPP-Session-ID', nearTo(headers.get('TPP-Session-ID') ?? '')),
          },
          'in a new session',
        );
        expectAnswer(context, answer, asksForSca(), 'for accounts in a new session');
      }),
  }),
  check({
    id: `SES-02${suffixes.corporate}`,
    requirement: 'SES-02',
    others: ['ERR-03'],
    title: 'a new TPP-Session-ID requires a new SCA of a corporate PSU',
    needs: ['corporate-psu', 'aisp-role'],
    steps: [
      'Ask for the accounts of a corporate PSU who has passed SCA, as control: it must go through.',
      'Ask for them again with a new TPP-Session-ID, and for the balances and transactions of one of them with one whose last character alone is another one.',
    ],
    expected: asksForSca().text,
    async run(context) {
      const psu = corporatePsu(context);
      const control = await context.call({ ...accounts, psu }, {}, 'control');
      mustBeOffered(control, 'GET /v1/accounts');
      if (!control.isSuccess)
        throw new NotApplicable(
          `The accounts of the corporate PSU cannot be read: it was answered ${describeAnswer(control)}. Grant some at the bank.`,
        );
      const { sessionId } = newSession(context);
      const answer = await context.call({ ...accounts, psu: { ...psu, sessionId } }, {}, 'in a new session');
      expectAnswer(context, answer, asksForSca('ERR-03'), 'for the accounts of a company in a new session');
      const [accountId] = accountIdsIn(control.json);
      if (accountId === undefined) return;
      // Whoever compares the beginning alone at accounts is found by SES-02.
      const near = { ...psu, sessionId: nearTo(psu.sessionId) };
      for (const data of accountData) {
        const call = { ...readingOf(data, { accountId }), psu };
        const read = await context.call({ ...call, psu: near }, {}, 'in a new session');
        if (read.asksForSca) continue;
        if (!read.isSuccess && !(await context.call(call, {}, 'control')).isSuccess) continue;
        expectAnswer(context, read, asksForSca('ERR-03'), `for ${data} of a company in a new session`);
      }
    },
  }),
  check({
    id: 'SES-03',
    requirement: 'SES-03',
    others: ['ACC-17', 'RDR-01', 'RDR-02', 'RDR-03', 'SCA-03', 'SCA-04'],
    title: 'passing SCA in a new session ends the old one',
    needs: [...walking, 'aisp-role'],
    steps: [
      'Pass SCA as a customer whom no other check acts for, and ask for accounts, as control: it must go through.',
      'Ask for accounts with the PSU-ID in a new session, and pass SCA there: the redirect is as after every SCA, with the same psu-id.',
      'Ask for accounts in the new session, as control: it must go through.',
      'Ask for accounts in the old session, and for the balances and transactions of one of them.',
      'Booked transactions of the new session have the transactionId that they had in the old one.',
    ],
    expected: sessionEnded().text,
    run: (context) =>
      withCustomer(context, 'OTHER', async (customer) => {
        const old = await firstSession(context, customer);
        const before = await transactionsShown(old);
        const next = await logInAgain(context, customer, old);
        const listing = await next.call(accounts, {}, 'control in the new session');
        mustSucceed(listing, 'asking for accounts in the new session');
        const answer = await old.call(accounts, {}, 'in the old session');
        expectAnswer(
          context,
          answer,
          sessionEnded(),
          'for accounts in the old session, after SCA in a new one',
        );
        const [accountId] = accountIdsIn(listing.json);
        if (accountId === undefined) return;
        for (const data of accountData) {
          const call = readingOf(data, { accountId });
          if (!(await next.call(call, {}, 'control in the new session')).isSuccess) continue;
          const read = await old.call(call, {}, 'in the old session');
          expectAnswer(
            context,
            read,
            sessionEnded(),
            `for ${data} in the old session, after SCA in a new one`,
          );
        }
        if (before?.accountId === accountId) await mustKeepTheirIds(context, before, next);
      }),
  }),
  check({
    id: 'SCA-08-psu',
    requirement: 'SCA-08',
    others: ['ACC-01'],
    title: 'SCA of another PSU leaves the session of this one valid',
    needs: [...walking, 'aisp-role'],
    // Whoever keeps one session for all PSUs ends this one with the SCA of any other check.
    needsQuiet: true,
    steps: [
      'Ask for the accounts of the PSU of the target file, as control: it must go through. Where none are listed, pass SCA and ask again.',
      'Pass SCA as another customer for the same TPP, and ask for the accounts of the first PSU again.',
      'If that asks for SCA, pass it and ask three times with nothing in between: they have to go through.',
      'If it does not, all accounts that were listed before are listed still.',
    ],
    expected: succeeded().text,
    run: (context) =>
      withReadyReader(context, (reader) =>
        withCustomer(context, 'OTHER', async (customer) => {
          if (customer.identity !== undefined) throw new NotApplicable(noOtherPsu);
          const before = await grantedAccounts(context, reader);
          await passSca(context, customer);
          const after = await reader.call(accounts, {}, 'after SCA of another PSU');
          if (!after.asksForSca)
            return mustStillBeListed(context, accountsIn(before), after, 'SCA of another PSU');
          await mustHoldOtherwise(context, reader, after);
          context.judgesSession = true;
          expectAnswer(context, after, succeeded(), 'for accounts after SCA of another PSU');
        }),
      ),
  }),
  check({
    id: 'SES-04',
    requirement: 'SES-04',
    others: ['SES-02', 'SCA-03', 'RDF-02', 'RDF-03', 'RDF-04', 'RDF-05'],
    title: 'cancelling SCA in a new session leaves the old one valid',
    needs: [...walking, 'aisp-role'],
    steps: [
      'Pass SCA as a customer whom no other check acts for, and ask for accounts, as control: it must go through.',
      'Ask for accounts in a new session, and cancel the SCA that it asks for.',
      'Ask for accounts in the old session, which go through, and in the new one, which still asks for SCA.',
      'Cancel the SCA that the new one asks for once more, on the page behind the one that asks who the PSU is, where there is a way to: the redirect tells of the failure and names nobody, and both sessions are as before.',
    ],
    expected: succeeded().text,
    run: (context) =>
      withCustomer(context, 'OTHER', async (customer) => {
        const old = await firstSession(context, customer);
        const { sessionId } = newSession(context);
        const next = callFor(context, customer, { ...old.psu, sessionId });
        const asked = await next(accounts, {}, 'in a new session');
        const link = scaRedirectOf(asked);
        if (link === undefined)
          throw new Inconclusive('The bank asks for no SCA in a new session, so that none can be cancelled.');
        await abortSca(context, link, customer);
        const still = await mustBeAsBefore(context, old, next);
        const later = scaRedirectOf(still);
        const back = later && (await abortScaLate(context, later, customer));
        if (!back) return;
        const tellsOfFailure = [withoutPsuId, ...afterEveryFailure];
        mustKeepTo(context, tellsOfFailure, back, old.psu, 'after the PSU was identified and cancelled');
        await mustBeAsBefore(context, old, next);
      }),
  }),
]);
