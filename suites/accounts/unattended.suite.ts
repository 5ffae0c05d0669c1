import { type Check, check, section, suite } from '../../src/checks/check.ts';
import { asControl, type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import { askedOnce } from '../../src/checks/controls.ts';
import { describeAnswer, mustSucceed } from '../../src/checks/expectation.ts';
import { ExpectationFailed, LeftOpen, NotApplicable } from '../../src/checks/outcomes.ts';
import { codesOfScaAndConsent } from '../../src/spec/code-lists.ts';
import type { Readings } from '../../src/spec/interpretations.ts';
import { limits } from '../../src/spec/limits.ts';
import type { Level } from '../../src/spec/requirement.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call, Variation } from '../../src/tpp/call.ts';
import {
  type AccountData,
  accountIdsIn,
  accountOf,
  type Reader,
  readingOf,
  withoutThePsu,
  withReadyReader,
} from '../sca/readers.ts';
import { callAgainAfterSca, callFor, mustBeOffered, newSession } from '../sca/walks.ts';
import {
  type Asker,
  dateBefore,
  margin,
  mustBeRecent,
  type OldTransactions,
  oldOnesIn,
  oldTransactions,
} from './old-transactions.ts';
import { bookingDayOf, busyAccountOf, idOf } from './transaction-lists.ts';
import {
  ask,
  isRefused,
  mayBeOfThePace,
  onlyAsksToSlowDown,
  readAlone,
  tellsOfTheLimit,
  turns,
} from './unattended-calls.ts';

const most = limits.unattendedCalls;

const isJudged = ({ longTimes }: Readings): Level | undefined =>
  longTimes === 'where-offered' ? 'must' : undefined;

/** Without the PSU there is no session either. */
const inNoSession: Variation = withoutThePsu({
  beforeSigning: ({ headers }) => headers.remove('TPP-Session-ID'),
});

/**
 * Reads until the bank refuses, or has let through more than it may. A refusal that is not repeated was of another
 * kind, such as a request to slow down.
 */
async function readUntilRefused(
  context: CheckContext,
  reader: Reader,
  call: Call,
  spent: number,
): Promise<{ readonly successes: number; readonly last: Answer }> {
  let successes = spent;
  for (let refusals = 0; ; ) {
    const last = await readAlone(context, reader, call, 'without the PSU present');
    if (last.isSuccess) {
      successes += 1;
      if (call.operation === 'readTransactions') mustShowNoOldOnes(context, last);
    } else if (!isRefused(last)) return { successes, last };
    refusals = last.isSuccess ? 0 : refusals + 1;
    const isTheLimit = onlyAsksToSlowDown(last) && !mayBeOfThePace(last, successes);
    if (refusals === 2 || successes > most || isTheLimit) return { successes, last };
  }
}

/** A session may be over in less than its hour, and some say so without asking for SCA: it shows no accounts either. */
async function sessionMustStillHold(context: CheckContext, { psu }: Reader, refusal: Answer): Promise<void> {
  const namesSca = refusal.messages.some(({ code = '' }) =>
    codesOfScaAndConsent.some((each) => each === code),
  );
  if (!namesSca) return;
  const listing = await ask(
    context,
    { operation: 'listAccounts', psu },
    {},
    'whether the session still holds',
  );
  mustSucceed(listing, 'listing accounts in the same session');
}

async function judgeTheLimit(
  context: CheckContext,
  reader: Reader,
  kind: AccountData,
  spent: number,
): Promise<void> {
  const call = readingOf(kind, busyAccountOf(context, reader));
  const control = await callAgainAfterSca(context, reader, call, 'control, with the PSU present');
  mustBeOffered(control, `GET /v1/accounts/{id}/${kind}`);
  mustSucceed(control, `reading ${kind} with the PSU present`);
  const { successes, last } = await readUntilRefused(context, reader, call, spent);
  context.cases = successes + 1;
  context.evidence = [last.exchange];
  if (!isRefused(last)) {
    throw new ExpectationFailed(
      `the call after ${most} of a day without the PSU present to be refused (4xx)`,
      describeAnswer(last),
    );
  }
  if (successes < most)
    context.note(
      `${successes} calls went through: the others of the day were spent before, or the bank allows fewer than ${most}.`,
    );
  let read = successes;
  const mustStayRefused = (more: Answer, whatever: string): void => {
    if (!more.isSuccess) return;
    read += 1;
    if (mayBeOfThePace(last, read - 1)) return;
    context.evidence = [asControl(last.exchange), more.exchange];
    throw new ExpectationFailed(
      `at most ${most} calls of a day without the PSU present, ${whatever}`,
      `one more, answered ${describeAnswer(more)}`,
    );
  };
  const { sessionId } = newSession(context);
  const inAnother = { ...reader, psu: { ...reader.psu, sessionId } };
  const more = await readAlone(context, inAnother, call, 'without the PSU present, in another session');
  mustStayRefused(more, 'whatever TPP-Session-ID they carry');
  const purpose = 'without the PSU present, in no session';
  mustStayRefused(await readAlone(context, reader, call, purpose, inNoSession), 'with or without a session');
  const withThePsu = (): Promise<Answer> =>
    ask(context, { ...call, psu: reader.psu }, {}, 'with the PSU present, at the limit');
  let present = await withThePsu();
  // One more than there may be without the PSU.
  for (let times = 1; times < most && present.isSuccess; times += 1) present = await withThePsu();
  // What is not repeated was of another kind, as above.
  if (isRefused(present)) present = await withThePsu();
  const isOfThePace = onlyAsksToSlowDown(present) && !tellsOfTheLimit(present);
  if (isRefused(present) && !present.asksForSca && !isOfThePace) {
    await sessionMustStillHold(context, reader, present);
    context.evidence = [present.exchange];
    throw new ExpectationFailed(
      `${kind} to be shown with the PSU present, whatever was read without the PSU`,
      describeAnswer(present),
    );
  }
  const after = await readAlone(
    context,
    reader,
    inOtherWords(context, call),
    'without the PSU present, once more',
  );
  mustStayRefused(after, 'whatever was read with the PSU present and whatever they ask for');
}

/** The same account, where there are parameters with others: the calls are counted, not what they ask for. */
function inOtherWords(context: CheckContext, call: Call): Call {
  if (call.operation !== 'readTransactions') return call;
  return { ...call, query: { ...call.query, dateFrom: dateBefore(context.facts.now, 7) } };
}

/** The company of the target file with the accounts that it may read; undefined where there is none, or none to read. */
async function companyOf(context: CheckContext): Promise<Reader | undefined> {
  // Where the PSU of the run acts for a company, it is the reader itself.
  if (context.missing('private-psu') !== undefined) return undefined;
  if (context.missing('corporate-psu') !== undefined) return undefined;
  const psu = corporatePsu(context);
  const question = 'accounts of the company';
  const listing = await askedOnce(context, question, (sender) =>
    sender.call({ operation: 'listAccounts', psu }, {}, question),
  );
  if (!listing.isSuccess || accountIdsIn(listing.json).length === 0) return undefined;
  const debtor = context.target.accounts.corporateDebtor?.bban;
  const company = { psu, call: callFor(context, {}, psu), listing };
  return debtor === undefined ? company : { ...company, debtor };
}

/** Whoever lets a company read at all has to stop at the same limit. What goes through is its own control. */
async function judgeTheLimitOf(
  context: CheckContext,
  company: Reader,
  kind: AccountData,
  spent: number,
): Promise<void> {
  const call = readingOf(kind, accountOf(company));
  const { successes, last } = await readUntilRefused(context, company, call, spent);
  context.cases += successes + 1;
  if (successes <= most) return;
  context.evidence = [last.exchange];
  throw new ExpectationFailed(
    `the call after ${most} of a day without the PSU present to be refused to a company as well (4xx)`,
    describeAnswer(last),
  );
}

/** Whatever transactions are asked for without the PSU present. */
function mustShowNoOldOnes(context: CheckContext, answer: Answer): void {
  context.evidence = [answer.exchange];
  const since = dateBefore(context.facts.now, limits.unattendedTransactionDays + margin);
  context.showing('ACC-12', () => mustBeRecent(answer, since));
}

/** They stay hidden whatever else is asked for. The number of these calls that count among those of the day. */
async function askForOldOnesOtherwise(
  context: CheckContext,
  reader: Reader,
  { params, before, alone }: OldTransactions,
  asker: Asker,
): Promise<number> {
  const dateFrom = dateBefore(context.facts.now, 2 * limits.unattendedTransactionDays);
  let successes = 0;
  // Up to a day, from none on: an end alone says nothing of how old they may be.
  const upToADay = { bookingStatus: 'all', dateTo: before };
  for (const query of alone.isSuccess
    ? [
        { bookingStatus: 'both', dateFrom },
        // Later pages may belong to the call that has read the first, and not count; where they do, only who reads none of
        // them tells five calls from four.
        { ...upToADay, ...(asker === 'person' ? { limit: '10', offset: '1' } : {}) },
      ]
    : [upToADay]) {
    const call = { operation: 'readTransactions', params, query } as const;
    const answer = await readAlone(context, reader, call, 'old transactions, asked for otherwise');
    if (!answer.isSuccess) continue;
    if (!('offset' in query)) successes += 1;
    mustShowNoOldOnes(context, answer);
  }
  return successes;
}

/** What the PSU sees of them, which is the control. */
async function shownToThePsu(context: CheckContext, reader: Reader): Promise<OldTransactions> {
  const old = await oldTransactions(context, reader);
  context.evidence = [old.alone.exchange, old.attended.exchange];
  mustBeOffered(old.attended, 'GET /v1/accounts/{id}/transactions');
  mustSucceed(old.attended, 'reading old transactions with the PSU present');
  if (oldOnesIn(old.attended, old.before).length === 0)
    throw new NotApplicable(
      'The account that the target file names as accounts.manyTransactions has no transactions between 92 and 180 days old.',
    );
  return old;
}

/** Where the bank offers any: how they are asked for is not shown. */
async function judgeOldDetails(
  context: CheckContext,
  reader: Reader,
  { attended, before, params }: OldTransactions,
): Promise<void> {
  const old = oldOnesIn(attended, before).find((each) => idOf(each) !== undefined);
  const transactionId = idOf(old);
  if (transactionId === undefined)
    throw new NotApplicable('No old transaction has an id by which its details could be asked for.');
  const call = { operation: 'readTransaction', params: { ...params, transactionId } } as const;
  const shown = await readAlone(context, reader, call, 'details of an old one without the PSU present');
  context.evidence = [shown.exchange, attended.exchange];
  if (shown.isSuccess)
    throw new ExpectationFailed(
      'no details of a transaction older than 90 days',
      `those of one of ${bookingDayOf(old)}`,
    );
}

async function judgeOldOnesOfCompanies(context: CheckContext): Promise<void> {
  const company = await companyOf(context);
  if (company === undefined) return;
  const { attended, alone, before } = await oldTransactions(context, company, 'company');
  if (!attended.isSuccess || !alone.isSuccess) return;
  context.evidence = [alone.exchange, attended.exchange];
  mustBeRecent(alone, before);
}

const limitCheck = (id: string, kind: AccountData): Check =>
  check({
    id,
    requirement: id,
    ...(kind === 'transactions' ? { others: ['ACC-12'] } : {}),
    title: `${kind} are read at most ${most} times in 24 hours without the PSU present`,
    levelUnder: isJudged,
    needs: ['unattended-calls', 'aisp-role'],
    takesLong: true,
    steps: [
      `Read the ${kind} of an account with the PSU present, as control: it must go through.`,
      `Read them without PSU-IP-Address until the bank refuses, at most ${most + 1} times${kind === 'transactions' ? '; first up to a day that is more than 90 days ago, and where old ones are not refused, from such a day on, which shows none of them' : ''}.`,
      'Read them once more with another TPP-Session-ID, and without any: the limit is not that of a session.',
      'Read them with the PSU present as often, which the limit is not about.',
      'Read them without the PSU present again, transactions from another day on: the limit still holds.',
      'Do the same with an account of a company, where the target file names one.',
    ],
    expected: `a refusal (4xx) after at most ${most} calls`,
    run: (context) =>
      withReadyReader(context, (reader) =>
        turns.take(context.run, async () => {
          const spentOn = async (asking: Reader, asker: Asker): Promise<number> => {
            if (kind !== 'transactions') return 0;
            const old = await oldTransactions(context, asking, asker).catch(() => undefined);
            if (old === undefined) return 0;
            // Whoever refuses a day of the past as dateFrom may show all to those who name none.
            const otherwise = await askForOldOnesOtherwise(context, asking, old, asker);
            return (old.alone.isSuccess ? 1 : 0) + otherwise;
          };
          await judgeTheLimit(context, reader, kind, await spentOn(reader, 'person'));
          const company = await companyOf(context);
          if (company !== undefined)
            await judgeTheLimitOf(context, company, kind, await spentOn(company, 'company'));
        }),
      ),
  });

export default suite('Calls without the PSU present', section('Limits'), () => [
  check({
    id: 'ACC-12',
    requirement: 'ACC-12',
    title: 'transactions read without the PSU present are at most 90 days old',
    levelUnder: isJudged,
    needs: ['unattended-calls', 'many-transactions', 'aisp-role'],
    takesLong: true,
    steps: [
      'Read transactions that are more than 90 days old with the PSU present, as control: there are some.',
      'Read them without PSU-IP-Address, from the youngest of their days on.',
      'Do the same with an account of a company, where the target file names one.',
    ],
    expected: 'a refusal (4xx), or no transaction older than 90 days',
    run: (context) =>
      withReadyReader(context, (reader) =>
        turns.take(context.run, async () => {
          const { alone, before } = await shownToThePsu(context, reader);
          if (alone.status === 429)
            throw new LeftOpen(
              'The calls of the day without the PSU present were spent before this run. It can be judged again tomorrow.',
            );
          if (!isRefused(alone)) {
            mustSucceed(alone, 'reading transactions without the PSU present');
            mustBeRecent(alone, before);
          }
          await judgeOldOnesOfCompanies(context);
        }),
      ),
  }),
  check({
    id: 'ACC-12-details',
    requirement: 'ACC-12',
    title: 'the details of transactions read without the PSU present are of the last 90 days',
    // The limit is on transactions; whether it holds for the details of one that is known already is not said.
    levelUnder: (readings) => isJudged(readings) && 'advisory',
    needs: ['unattended-calls', 'many-transactions', 'aisp-role'],
    takesLong: true,
    steps: [
      'Read transactions that are more than 90 days old with the PSU present, as control: there are some.',
      'Ask for the details of one of them without PSU-IP-Address.',
    ],
    expected: 'a refusal (4xx)',
    run: (context) =>
      withReadyReader(context, (reader) =>
        turns.take(context.run, async () =>
          judgeOldDetails(context, reader, await shownToThePsu(context, reader)),
        ),
      ),
  }),
  limitCheck('ACC-10', 'balances'),
  limitCheck('ACC-11', 'transactions'),
]);
