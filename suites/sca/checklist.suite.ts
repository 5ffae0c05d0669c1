import { check, section, suite } from '../../src/checks/check.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import {
  expectAnswer,
  mustSucceed,
  refusedOrAskedForSca,
  sessionEnded,
} from '../../src/checks/expectation.ts';
import { listedAccounts } from '../../src/checks/listed-accounts.ts';
import { ExpectationFailed, Inconclusive, NotApplicable, NotOffered } from '../../src/checks/outcomes.ts';
import { member } from '../../src/spec/json.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call } from '../../src/tpp/call.ts';
import type { Exchange } from '../../src/tpp/exchange.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { textsIn } from '../accounts/account-values.ts';
import { detailsOf } from '../accounts/transaction-lists.ts';
import { suffixes } from '../id-suffixes.ts';
import { type Card, cardsIn, cardsLeftEmpty, cardsListed, cardsMustBeForgotten } from './card-boxes.ts';
import { notJudged } from './not-judged.ts';
import {
  accountData,
  accountIdsIn,
  idsBeside,
  mustBeRefusedAlone,
  readAlone,
  readingOf,
  samesOf,
  unlistedIn,
  unnumberedIn,
} from './readers.ts';
import { type Customer, takesSecondTpp, withCustomer } from './spare-customers.ts';
import {
  abortScaLate,
  askForSca,
  callFor,
  type Login,
  logIn,
  mustBeOffered,
  newSession,
  walk,
  walking,
} from './walks.ts';

const accounts = { operation: 'listAccounts' } as const;

/** What a page may call an account: its id and its numbers, those too that follow from a listed one. */
function wordsFor({ json }: Answer, accountId: string): readonly string[] {
  const account = listedAccounts(json).find((candidate) => accountIdsIn([candidate])[0] === accountId);
  const numbers = ['bban', 'iban'].map((name) => member(account, name));
  const told = numbers.filter((number) => typeof number === 'string' && number !== '') as string[];
  return [...new Set([accountId, ...told, ...told.flatMap(samesOf)])];
}

/** An answer without a body lists nothing; what cannot be read may list anything. */
const unlistedAt = ({ bytes, json }: Answer, granted: readonly string[] = []): readonly string[] =>
  unlistedIn(bytes.length === 0 ? [] : json, granted);

/**
 * Card accounts have boxes as well, perhaps numbers like those of other accounts, and a listing of their own. That need not
 * tell these numbers: as many accounts as there are cards may then be unlisted, if there is one listed for every box.
 */
async function mustListGranted(
  context: CheckContext,
  { call, granted = [], grantedBoxes = 0 }: Login,
  listing: Answer,
): Promise<void> {
  const unlisted = unlistedAt(listing, granted);
  if (unlisted.length === 0) return;
  const cards = await call({ operation: 'listCardAccounts' }, {}, 'whether they are card accounts');
  const told = textsIn(cards.json);
  const missing = unlisted.filter((number) => !told.some((text) => text.includes(number)));
  const untold = cardsIn(cards).length + unnumberedIn(listing.json).length;
  const listed = accountIdsIn(listing.json).length + cardsIn(cards).length;
  if (missing.length === 0 || (missing.length <= untold && listed >= grantedBoxes)) return;
  context.evidence = [listing.exchange];
  throw new ExpectationFailed(
    `the ${granted.length} accounts whose boxes the PSU has ticked`,
    `a listing without ${missing.length} of them`,
  ).breaking('ACC-01');
}

/** A customer who was granted accounts in a first session, and has left the box of one of them empty in a second. */
interface Deselection {
  readonly customer: Customer;
  readonly accountId: string;
  /** How many others were granted, and still are. */
  readonly others: number;
  /** The ids of all accounts, and what the pages may call them. */
  readonly all: readonly string[];
  readonly words: readonly string[];
  /** What else shows what the account holds. */
  readonly details: readonly Call[];
  /** In the session in which all were granted. */
  readonly before: Login['call'];
  /** In the session in which one was not. */
  readonly call: Login['call'];
  readonly psu: Login['psu'];
  readonly wasPreselected: boolean | undefined;
  readonly box: { readonly word: string; readonly pages: readonly Exchange[] };
  /** The card accounts that were granted with them, and those of which a box was left empty. */
  readonly cards: readonly Card[];
  readonly cardsLeftEmpty: readonly Card[];
}

const deselecting = [
  'Pass SCA as a customer whom no other check acts for, and ask for accounts: all whose boxes were ticked must be listed, two at least. Read the balances and transactions of the last one.',
  'Pass SCA as the same customer in a new session, and leave the box of the last account empty.',
  'Ask for accounts in the new session, which must go through, and for the balances and transactions of that account, each with and without PSU-IP-Address, and its details.',
];

const whereNobodyChooses =
  'Where the pages let nobody choose accounts, declare SCA-09 and SCA-19 as notOffered in the target file.';

/** Whoever comes next finds the customer as before. */
const restoring = 'Pass SCA once more with every box ticked.';

const withDeselected = (
  context: CheckContext,
  kind: 'OTHER' | 'CORPORATE',
  judge: (deselection: Deselection) => Promise<void>,
): Promise<void> =>
  withCustomer(context, kind, async (customer) => {
    const first = await logIn(context, customer);
    const before = await patiently(
      context.run,
      () => first.call(accounts, {}, 'control'),
      (listing) => !listing.isSuccess || unlistedAt(listing, first.granted).length === 0,
    );
    mustBeOffered(before, 'GET /v1/accounts');
    mustSucceed(before, 'asking for accounts after SCA');
    await mustListGranted(context, first, before);
    const accountId = accountIdsIn(before.json).at(-1);
    const others = accountId === undefined ? [] : idsBeside(before.json, accountId);
    if (accountId === undefined || others.length === 0)
      throw new NotOffered('The customer has granted fewer than two accounts, so that none can be left out.');
    // What a bank has shown once it may keep, and show when it must not any more.
    let listed: Answer | undefined;
    for (const data of accountData)
      listed = await first.call(readingOf(data, { accountId }), {}, `${data}, before it is deselected`);
    // Companies have none as a rule.
    const cards =
      kind === 'OTHER' ? await cardsListed(first.call, 'card accounts, before one is deselected') : [];
    const card = cards.slice(-1);
    const session = newSession(context);
    const link = await askForSca(context, customer, session);
    const deselectsCards = card.flatMap((each) => each.words);
    const person = { ...customer, deselects: wordsFor(before, accountId), deselectsCards };
    const opened = context.exchanges.length;
    const back = await walk(context, link, person, session.redirectUri);
    const { psuId, psuCorporateId, hasDeselected, cannotDeselect, wasPreselected } = back;
    if (cannotDeselect !== undefined) throw new NotApplicable(`${cannotDeselect} ${whereNobodyChooses}`);
    if (hasDeselected !== true)
      throw new NotOffered('The SCA pages have no box of a single account that could be left empty.');
    try {
      if (psuId === undefined)
        throw new Inconclusive('SCA was passed, but the bank sent the PSU back without psu-id.');
      const company = psuCorporateId === undefined ? {} : { corporateId: psuCorporateId };
      const psu = { ...session, id: psuId, ...company };
      const call = callFor(context, customer, psu);
      await judge({
        customer,
        accountId,
        others: others.length,
        all: [accountId, ...others],
        words: [accountId, ...others].flatMap((id) => wordsFor(before, id)),
        details: detailsOf(accountId, listed),
        before: first.call,
        call,
        psu,
        wasPreselected,
        box: boxAmong(context.exchanges.slice(opened), back.leftEmpty),
        cards,
        cardsLeftEmpty: cardsLeftEmpty(card, back.leftEmpty),
      });
    } finally {
      await logIn(context, customer);
    }
  });

/**
 * Neither listed nor read any more, while the others stay. Counted: an id may be that of a consent. All of a bank may hear of
 * it a moment later.
 */
async function mustBeHidden(
  context: CheckContext,
  { accountId, others, details, call, psu, customer }: Deselection,
): Promise<void> {
  const after = await patiently(
    context.run,
    () => call(accounts, {}, 'after it was deselected'),
    ({ json }) => !accountIdsIn(json).includes(accountId),
  );
  mustSucceed(after, 'asking for accounts');
  mustNotList(context, after, accountId, 'accounts without the one that the PSU has deselected');
  // What is listed without the PSU may come from another place; a bank need not list anything then.
  const alone = await patiently(
    context.run,
    () => readAlone(context, { psu, customer }, accounts, {}, 'after it was deselected, without the PSU'),
    ({ json }) => !accountIdsIn(json).includes(accountId),
  );
  if (alone.isSuccess) mustNotList(context, alone, accountId, 'accounts without the deselected one');
  const left = accountIdsIn(after.json).length;
  if (left < others)
    throw new ExpectationFailed(
      `the other accounts, ${others} in number, whose boxes the PSU has left ticked`,
      String(left),
    );
  for (const data of accountData) {
    const read = await patiently(
      context.run,
      () => call(readingOf(data, { accountId }), {}, `${data} of the deselected one`),
      ({ isSuccess }) => !isSuccess,
    );
    expectAnswer(context, read, refusedOrAskedForSca(), `for ${data} of an account that was deselected`);
    const what = `${data} of an account that was deselected`;
    await mustBeRefusedAlone(context, { psu, customer }, readingOf(data, { accountId }), what);
  }
  for (const detail of details) {
    const shown = await call(detail, {}, 'details of the deselected one');
    if (shown.isSuccess)
      expectAnswer(context, shown, refusedOrAskedForSca(), 'for details of an account that was deselected');
  }
}

function mustNotList(context: CheckContext, { json }: Answer, accountId: string, expected: string): void {
  context.evidence = context.exchanges.slice(-1);
  if (accountIdsIn(json).includes(accountId)) throw new ExpectationFailed(expected, 'all of them');
}

/** Cards have boxes of their own, and their own place at many a bank. Gives those that are still granted. */
const mustForgetCard = async (
  context: CheckContext,
  { call, cards, cardsLeftEmpty: left }: Deselection,
): Promise<readonly Card[]> =>
  left.length === 0 ? cards : cardsMustBeForgotten(context, call, left, 'after one was deselected');

/** Who leaves every box empty has deselected what was left. Pages may demand one, or take it for cancelling. */
async function mustForgetAll(
  context: CheckContext,
  { customer, all, words, others }: Deselection,
  cards: readonly Card[],
): Promise<void> {
  const session = newSession(context);
  const deselects = [...words, ...cards.flatMap((card) => card.words)];
  const passed = await emptied(context, { ...customer, deselects }, session);
  if (passed?.psuId === undefined || passed.hasDeselected !== true || passed.granted?.length !== 0) return;
  const { psuId, psuCorporateId } = passed;
  const company = psuCorporateId === undefined ? {} : { corporateId: psuCorporateId };
  const call = callFor(context, customer, { ...session, id: psuId, ...company });
  await cardsMustBeForgotten(
    context,
    call,
    cardsLeftEmpty(cards, passed.leftEmpty),
    'after all were deselected',
  );
  const keptBy = ({ isSuccess, json }: Answer): readonly string[] =>
    isSuccess ? accountIdsIn(json).filter((id) => all.includes(id)) : [];
  const listing = await patiently(
    context.run,
    () => call(accounts, {}, 'after all were deselected'),
    (answer) => keptBy(answer).length === 0,
  );
  const kept = keptBy(listing).length;
  context.evidence = [listing.exchange];
  if (kept >= others)
    throw new ExpectationFailed(
      'none of the accounts, since the PSU has deselected all of them',
      `${kept} of them`,
    );
}

/** Whoever cancels has granted nothing, whatever the page had ticked for them. */
async function mustNotBeGrantedByCancelling(
  context: CheckContext,
  { customer, accountId, call }: Deselection,
): Promise<void> {
  const session = newSession(context);
  const cancelled = await askForSca(context, customer, session)
    .then((link) => abortScaLate(context, link, customer))
    .catch(notJudged(context, 'What becomes of a deselected account when SCA is cancelled'));
  if (cancelled === undefined || cancelled.psuId !== undefined) return;
  const still = await call(accounts, {}, 'after SCA was cancelled');
  mustNotList(
    context,
    still,
    accountId,
    'accounts without the one that was deselected, for SCA was cancelled',
  );
}

const emptied = (
  context: CheckContext,
  person: Parameters<typeof walk>[2],
  session: ReturnType<typeof newSession>,
): Promise<Awaited<ReturnType<typeof walk>> | undefined> =>
  askForSca(context, person, session)
    .then((link) => walk(context, link, person, session.redirectUri))
    .catch(notJudged(context, 'What becomes of accounts when all are deselected'));

/** What another TPP is granted is granted to that one alone. */
async function mustNotBeShared(
  context: CheckContext,
  { customer, accountId, call }: Deselection,
): Promise<void> {
  const identity = await context.target.identities.second?.();
  const isJudged = context.readings.otherIdentities === 'refused' && (await takesSecondTpp(context));
  if (identity === undefined || customer.identity !== undefined || !isJudged) return;
  const login = logIn(context, { ...customer, identity });
  if ((await login.catch(notJudged(context, 'What a second TPP is granted'))) === undefined) return;
  const still = await call(accounts, {}, 'as the first TPP, after another was granted all');
  mustNotList(
    context,
    still,
    accountId,
    'accounts without the one that the PSU has granted to another TPP alone',
  );
}

/** The page that had the box which was left empty, and what the box said. */
function boxAmong(pages: readonly Exchange[], words: readonly string[] = []): Deselection['box'] {
  const page = pages.findLast(({ response }) => words.some((word) => response?.body.includes(word)));
  const word = words.find((each) => /^\w*\d{8,}$/.test(each)) ?? words[0] ?? 'an account';
  return { word, pages: page === undefined ? [] : [page] };
}

function mustHaveBeenPreselected(context: CheckContext, { wasPreselected, box }: Deselection): void {
  if (wasPreselected === undefined)
    context.note(
      'Whether the box of an account that was granted before is ticked already was not judged: the page has a script, which may tick it.',
    );
  if (wasPreselected === true) context.held.add('SCA-19');
  if (wasPreselected !== false) return;
  if (box.pages.length > 0) context.evidence = [...box.pages];
  throw new ExpectationFailed(
    `a box that is ticked already for ${box.word}, which was granted before`,
    `the box of ${box.word} without a tick`,
  ).breaking('SCA-19');
}

export default suite('Checklist of accounts', section('Authentication', 'PSU identification and SCA'), () => [
  check({
    id: 'SCA-09',
    requirement: 'SCA-09',
    others: ['SCA-19', 'ACC-01'],
    title: 'an account that the PSU deselects during SCA is shown no more',
    needs: [...walking, 'aisp-role'],
    steps: [
      ...deselecting,
      'Look whether the box had been ticked by the bank, for the account was granted before.',
      'Ask for card accounts, where the PSU had one and the pages have a box for it: it was left empty with the other.',
      'Begin SCA as the same customer once more, cancel it once the bank knows who that is, where the pages let them, and ask for accounts in the session of before: nothing was granted.',
      'Pass SCA as the same customer for a second TPP, where there is one, with every box ticked, and ask for accounts as the first TPP again: what another is granted is not shown.',
      'Pass SCA as the same customer, leave the boxes of all accounts empty, where the pages take that, and ask for accounts and card accounts.',
      restoring,
    ],
    expected:
      'a listing without the account and with the others, its balances and transactions refused, and a box that was ticked before',
    run: (context) =>
      withDeselected(context, 'OTHER', async (deselection) => {
        await mustBeHidden(context, deselection);
        mustHaveBeenPreselected(context, deselection);
        const cards = await mustForgetCard(context, deselection);
        await mustNotBeGrantedByCancelling(context, deselection);
        await mustNotBeShared(context, deselection);
        await mustForgetAll(context, deselection, cards);
      }),
  }),
  check({
    id: `SCA-09${suffixes.corporate}`,
    requirement: 'SCA-09',
    others: ['SES-03', 'SCA-19', 'ACC-01'],
    title: 'an account that a company deselects during SCA is shown no more, and its old session has ended',
    needs: [...walking, 'aisp-role'],
    steps: [
      ...deselecting.map((step) => step.replace('a customer', 'a corporate customer')),
      'Look whether the box had been ticked by the bank, for the account was granted before.',
      'Ask for accounts in the old session.',
      'Pass SCA as the same customer, leave the boxes of all accounts empty, where the pages take that, and ask for accounts.',
      restoring,
    ],
    expected: `a listing without the account, its balances and transactions refused; in the old session ${sessionEnded().text}`,
    run: (context) =>
      withDeselected(context, 'CORPORATE', async (deselection) => {
        await mustBeHidden(context, deselection);
        mustHaveBeenPreselected(context, deselection);
        const old = await deselection.before(accounts, {}, 'in the old session');
        context.showing('SES-03', () =>
          expectAnswer(
            context,
            old,
            sessionEnded(),
            'for accounts of a company in the old session, after SCA in a new one',
          ),
        );
        // It has no cards as a rule, so that no box at all is ticked.
        await mustForgetAll(context, deselection, []);
      }),
  }),
]);
