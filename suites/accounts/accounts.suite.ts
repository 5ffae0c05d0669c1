import { type Check, check, section, suite } from '../../src/checks/check.ts';
import { asControl, type CheckContext } from '../../src/checks/context.ts';
import {
  expectAnswer,
  mustSucceed,
  refused,
  refusedOrAskedForSca,
  succeeded,
} from '../../src/checks/expectation.ts';
import { listedAccounts } from '../../src/checks/listed-accounts.ts';
import { ExpectationFailed, Inconclusive, NotApplicable, NotOffered } from '../../src/checks/outcomes.ts';
import { daysBefore, isoDate } from '../../src/spec/days.ts';
import { member } from '../../src/spec/json.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Variation } from '../../src/tpp/call.ts';
import { suffixes } from '../id-suffixes.ts';
import {
  accountData,
  accountIdsIn,
  accountOf,
  readingOf,
  unattended,
  withReader,
  withReadyReader,
} from '../sca/readers.ts';
import { callAgainAfterSca, mustBeOffered, newSession } from '../sca/walks.ts';
import { whereCertificatesAreJudged } from '../signing/certificate-trust.ts';
import { amountsOf, datesOf, isIsoDate } from '../told-values.ts';
import { amountNames, dateNames, hasNumber, textsIn } from './account-values.ts';
import { listedForOthers } from './accounts-of-others.ts';
import { balancesAndTransactions, numberOfAnother, readingsByAddress } from './some-accounts.ts';
import {
  bookedIn,
  bothShowsPendingOnes,
  detailsOf,
  idsChangedSince,
  pageWithin,
  type Query,
  readAtOffset,
} from './transaction-lists.ts';

/** Which statuses of bookings the table of paths names. */
const bookingStatuses = ['both', 'pending', 'all'] as const;

/** Freedom: accounts/parameters. */
const isOpenBegin = ({ dateFrom, dateTo }: Query): boolean => dateFrom !== undefined && dateTo === undefined;

/** Reads transactions with each of several queries, all of which have to be taken. */
const transactions = (
  id: string,
  title: string,
  queries: (now: Date) => readonly Query[],
  control?: Query,
  judge?: (read: (query: Query) => Promise<Answer>, now: Date) => Promise<void>,
): Check =>
  check({
    id,
    requirement: id,
    title,
    steps: [
      'Ask for the accounts of a PSU who has passed SCA.',
      ...(control === undefined ? [] : ['Read the transactions of one, as control: it must go through.']),
      'Read its transactions with each of the parameters.',
      ...(judge === undefined ? [] : ['Where pending gives some throughout, both gives some as well.']),
    ],
    expected: succeeded().text,
    run: (context) =>
      withReadyReader(context, async (reader) => {
        const read = (query: Query) =>
          callAgainAfterSca(
            context,
            reader,
            { operation: 'readTransactions', params: accountOf(reader), query },
            new URLSearchParams(query).toString(),
          );
        const all = queries(context.facts.now);
        const first = await read(control ?? all[0] ?? {});
        mustBeOffered(first, 'GET /v1/accounts/{id}/transactions');
        if (control !== undefined) mustSucceed(first, 'reading transactions without these parameters');
        context.cases = all.length;
        let listed = 0;
        for (const [number, query] of all.entries()) {
          const asked = pageWithin(listed, query);
          const answer = await readAtOffset(read, asked);
          if (isOpenBegin(query) && number < all.length - 1 && refused().met(answer, context.readings))
            continue;
          expectAnswer(context, answer, succeeded(), `with ${new URLSearchParams(asked)}`);
          listed = bookedIn(answer);
        }
        await judge?.(read, context.facts.now);
      }),
  });

/**
 * A bank that has just refused accounts looks at roles, and knows that this TPP has none. A bank may offer neither of the
 * two: whatever is not gone through shows nothing.
 */
async function neitherUserNorAgreements(context: CheckContext, variation: Variation): Promise<void> {
  for (const [operation, what] of [
    ['startUserFlow', 'GET /v1/user'],
    ['listAgreements', 'GET /v1/agreements'],
  ] as const) {
    const send = (signing: Variation, purpose: string): Promise<Answer> =>
      context.call({ operation, psu: newSession(context) }, signing, purpose);
    const answer = await send(variation, `${what} without any role`);
    // What breaks down for everybody says nothing of roles.
    const judged = answer.isBrokenDown ? await send({}, `control of ${what}`) : answer;
    if (judged.isSuccess || judged.asksForSca)
      context.showing('CRT-09', () =>
        expectAnswer(context, answer, refused(), `for ${what} without any role`),
      );
  }
}

export default suite('Account information', section('Endpoints', 'Other paths referred to'), () => [
  check({
    id: 'ACC-01',
    requirement: 'ACC-01',
    title: 'the accounts of a PSU who has passed SCA can be listed',
    steps: ['Ask for the accounts of a PSU who has passed SCA and granted access.'],
    expected: succeeded().text,
    run: (context) =>
      withReader(context, async ({ listing }) => {
        expectAnswer(context, listing, succeeded(), 'for the accounts of a PSU who has passed SCA');
      }),
  }),
  check({
    id: 'ACC-01-others',
    requirement: 'ACC-01',
    title: 'the account of another PSU is not among those that are listed',
    steps: [
      'Ask for the accounts of the PSU of the target file, who has passed SCA and granted access.',
      'Look for accounts.otherDebtor of the target file, which is that of psu.other, or else for those that a sandbox lists for other customers alone.',
    ],
    expected: 'a listing without the account of another PSU',
    run: (context) =>
      withReadyReader(context, async ({ listing, psu }) => {
        const { otherDebtor } = context.target.accounts;
        const isNamed = otherDebtor !== undefined && psu.id === context.psu.id;
        const shown = isNamed
          ? textsIn(listing.json).find((text) =>
              [otherDebtor.bban, otherDebtor.iban].includes(text.replace(/[ .]/g, '')),
            )
          : await listedForOthers(context, listing, psu);
        context.evidence = [listing.exchange];
        if (shown !== undefined)
          throw new ExpectationFailed('accounts of the PSU alone', `${shown}, which is that of another PSU`);
      }),
  }),
  check({
    id: 'VER-06',
    requirement: 'VER-06',
    title: 'cashAccountType of a listed account is a code of ISO 20022',
    steps: [
      'Ask for the accounts of a PSU who has passed SCA and granted access.',
      'Look at every cashAccountType, where the bank shows it: it has been a code by default since 2024.',
    ],
    expected: 'four letters in upper case, as codes of ISO 20022 have',
    run: (context) =>
      withReadyReader(context, async ({ listing }) => {
        const types = listedAccounts(listing.json)
          .map((account) => member(account, 'cashAccountType'))
          .filter((type) => type !== undefined && type !== null);
        if (types.length === 0) throw new NotOffered('The bank shows no cashAccountType.');
        context.evidence = [listing.exchange];
        const wrong = types.find((type) => typeof type !== 'string' || !/^[A-Z]{4}$/.test(type));
        if (wrong !== undefined)
          throw new ExpectationFailed('a code of ISO 20022, such as CACC', JSON.stringify(wrong));
      }),
  }),
  check({
    id: 'ACC-02',
    requirement: 'ACC-02',
    title: 'the balances of a consented account can be read',
    steps: [
      'Ask for the accounts of a PSU who has passed SCA.',
      'Read the balances of one, and look for a number anywhere in the answer, whose shape is not shown.',
    ],
    expected: `${succeeded().text} with a balance`,
    run: (context) =>
      withReadyReader(context, async (reader) => {
        const call = { operation: 'readBalances', params: accountOf(reader) } as const;
        const answer = await callAgainAfterSca(context, reader, call, 'balances');
        mustBeOffered(answer, 'GET /v1/accounts/{id}/balances');
        expectAnswer(context, answer, succeeded(), 'for the balances of a consented account');
        if (!hasNumber(answer.json))
          throw new ExpectationFailed('a balance of the account', 'an answer without any number');
      }),
  }),
  check({
    id: `ACC-02${suffixes.ever}`,
    requirement: 'ACC-02',
    title: 'balances and transactions that name their account name the one that was asked for',
    steps: [
      'Read the balances and the transactions of up to three accounts of a PSU who has passed SCA.',
      'Look at the number of the account in them, where there is one: the shapes are not shown.',
    ],
    expected: 'the number of the account, and not that of another one of the listing',
    observes: true,
    run: (context) =>
      withReadyReader(context, async (reader) => {
        const answers = await balancesAndTransactions(context, reader);
        context.cases = answers.length;
        for (const answer of answers) {
          const another = numberOfAnother(reader, answer);
          if (another === undefined) continue;
          context.evidence = [answer.exchange];
          throw new ExpectationFailed('the account that was asked for', `${another}, which is another one`);
        }
      }),
  }),
  transactions(
    'ACC-03',
    'transactions can be read with bookingStatus both, pending and all',
    () => bookingStatuses.map((bookingStatus) => ({ bookingStatus })),
    undefined,
    bothShowsPendingOnes,
  ),
  transactions(
    'ACC-04',
    'transactions can be read with dateFrom, dateTo, limit and offset',
    (now) => {
      const bookingStatus = 'both';
      const dateFrom = isoDate(daysBefore(now, 30));
      const dateTo = isoDate(now);
      return [
        { bookingStatus, dateFrom },
        { bookingStatus, dateFrom, dateTo },
        { bookingStatus, limit: '10' },
        { bookingStatus, dateFrom, dateTo, limit: '10', offset: '0' },
        { bookingStatus, dateFrom, dateTo, limit: '10', offset: '10' },
      ];
    },
    { bookingStatus: 'both' },
  ),
  check({
    id: `VER-03${suffixes.accounts}`,
    requirement: 'VER-03',
    profiles: ['accounts'],
    title: 'amounts of balances and transactions are strings',
    steps: [
      'Read the balances and the transactions of up to three accounts of a PSU who has passed SCA.',
      'Look at balanceAmount, transactionAmount and other members of the framework that hold an amount in what this run has read, wherever they stand: the shapes are not shown.',
    ],
    expected: 'a string in each of them',
    observes: true,
    run: (context) =>
      withReadyReader(context, async (reader) => {
        context.cases = 0;
        for (const answer of await balancesAndTransactions(context, reader)) {
          const amounts = amountsOf(amountNames, answer.json);
          context.cases += amounts.length;
          context.evidence = [answer.exchange];
          const number = amounts.find((amount) => typeof amount === 'number');
          if (number !== undefined)
            throw new ExpectationFailed(
              'amounts to be serialised as strings',
              `the number ${String(number)}`,
            );
        }
        if (context.cases === 0)
          throw new NotApplicable('There was no amount in the balances and transactions that can be read.');
      }),
  }),
  check({
    id: 'TRN-10',
    requirement: 'TRN-10',
    title: 'dates of balances and transactions have the form YYYY-MM-DD, and date-times an offset',
    steps: [
      'Read the balances and the transactions of up to three accounts of a PSU who has passed SCA.',
      'Look at the members that the framework calls dates in what this run has read: the shapes are not shown.',
    ],
    expected: 'ISO 8601 in each of them',
    observes: true,
    run: (context) =>
      withReadyReader(context, async (reader) => {
        context.cases = 0;
        for (const answer of await balancesAndTransactions(context, reader)) {
          const dates = datesOf(dateNames, answer.json);
          context.cases += dates.length;
          const wrong = dates.find((date) => !isIsoDate(date));
          if (wrong === undefined) continue;
          context.evidence = [answer.exchange];
          throw new ExpectationFailed('YYYY-MM-DD, or YYYY-MM-DDThh:mm:ss with an offset', wrong);
        }
        if (context.cases === 0)
          throw new NotOffered('There was no date in the balances and transactions that can be read.');
      }),
  }),
  check({
    id: `ACC-17${suffixes.ever}`,
    requirement: 'ACC-17',
    title: 'booked transactions had the same transactionId at every reading of the run',
    steps: [
      'Read the transactions of up to three accounts of a PSU who has passed SCA twice.',
      'Look at every listing of transactions that any check of this run has had, of whichever account, with the PSU present and without.',
    ],
    expected:
      'the same transactionId of each booked transaction that is the same otherwise, at the same address',
    observes: true,
    run: (context) =>
      withReadyReader(context, async (reader) => {
        await balancesAndTransactions(context, reader);
        const readings = readingsByAddress(context);
        context.cases = readings.length;
        if (readings.length === 0)
          throw new NotOffered('No transactions could be read twice at the same address.');
        for (const [first, ...others] of readings) {
          const changedIn = idsChangedSince(first);
          const other = others.find((each) => changedIn(each) !== undefined);
          if (other === undefined) continue;
          context.evidence = [asControl(first.exchange), other.exchange];
          throw new ExpectationFailed(
            `transactionId ${changedIn(other)} of the same booked transaction`,
            'another one at another reading',
          );
        }
      }),
  }),
  check({
    id: 'CRT-05',
    requirement: 'CRT-05',
    others: ['CRT-09'],
    title: 'accounts asked for by a TPP without the AISP role are refused',
    levelUnder: whereCertificatesAreJudged('should'),
    needs: ['identity:pispOnly', 'aisp-role'],
    steps: [
      'Ask for accounts without PSU-ID as a TPP with the AISP role, as control: it is asked for SCA.',
      'Ask in the same way with a certificate that has the PISP role alone, with and without PSU-IP-Address, with one that has no role at all, and with one that has the role of a card issuer alone; with the one that has none for the user and the agreements as well.',
      'Read the balances and transactions of an account that the PSU has granted with that certificate, and the details of the account and of one of them.',
    ],
    expected: refused().text,
    async run(context) {
      const call = { operation: 'listAccounts', psu: newSession(context) } as const;
      const control = await context.call(call, {}, 'control');
      mustBeOffered(control, 'GET /v1/accounts');
      if (!control.isSuccess && !control.asksForSca)
        throw new Inconclusive(`A TPP with the AISP role is refused as well (${control.status}).`);
      const identity = await context.target.identities.pispOnly?.();
      if (identity === undefined)
        throw new NotApplicable('Add signing.identities.pispOnly to the target file.');
      const answer = await context.call(call, { signing: { identity } }, 'without the AISP role');
      expectAnswer(context, answer, refused(), 'without the AISP role');
      const alone = await context.call(
        call,
        { ...unattended, signing: { identity } },
        'without the AISP role, nor the PSU present',
      );
      expectAnswer(context, alone, refused(), 'without the AISP role, nor the PSU present');
      const roleless = await context.target.identities.roleless?.();
      if (roleless !== undefined) {
        const asked = await context.call(call, { signing: { identity: roleless } }, 'without any role');
        expectAnswer(context, asked, refused(), 'without any role');
        await neitherUserNorAgreements(context, { signing: { identity: roleless } });
      }
      const cardIssuer = await context.target.identities.cardIssuerOnly?.();
      if (cardIssuer !== undefined) {
        const asked = await context.call(call, { signing: { identity: cardIssuer } }, 'as a card issuer');
        expectAnswer(context, asked, refused(), 'with the role of a card issuer alone');
      }
      const granted = await context.call({ operation: 'listAccounts' }, {}, 'accounts of the PSU');
      const [accountId] = granted.isSuccess ? accountIdsIn(granted.json) : [];
      if (accountId === undefined) return;
      for (const data of accountData) {
        const call = readingOf(data, { accountId });
        const read = await context.call(call, { signing: { identity } }, 'without the AISP role');
        expectAnswer(context, read, refusedOrAskedForSca(), `for ${data} without the AISP role`);
      }
      const listed = await context.call(readingOf('transactions', { accountId }), {}, 'transactions');
      for (const details of detailsOf(accountId, listed)) {
        const shown = await context.call(details, { signing: { identity } }, 'without the AISP role');
        if (shown.isSuccess)
          expectAnswer(context, shown, refusedOrAskedForSca(), 'for details without the AISP role');
      }
    },
  }),
]);
