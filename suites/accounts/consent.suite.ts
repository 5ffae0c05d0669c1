import { type Check, check, section, suite } from '../../src/checks/check.ts';
import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import { expectAnswer, mustSucceed, refusedOrAskedForSca } from '../../src/checks/expectation.ts';
import { NotApplicable } from '../../src/checks/outcomes.ts';
import { missingCapability } from '../../src/target/capabilities.ts';
import type { Call, Psu } from '../../src/tpp/call.ts';
import { suffixes } from '../id-suffixes.ts';
import { unknownNextTo, unknownOnesLike } from '../near-ids.ts';
import {
  type AccountData,
  accountData,
  accountIdsIn,
  accountOf,
  mustBeRefusedAlone,
  type Reader,
  readingOf,
  withAnotherReader,
  withOneAlike,
  withReadyReader,
} from '../sca/readers.ts';
import { callAgainAfterSca, callFor, type Login, mustBeOffered } from '../sca/walks.ts';
import { detailsOf } from './transaction-lists.ts';

const suffixOf = { balances: '', transactions: suffixes.transactions } as const;

/** What a company is shown, and does not list, has no other reason than that nobody looked whose it is. */
async function notAsCompany(context: CheckContext, what: AccountData, accountId: string): Promise<void> {
  if (missingCapability(context.target, 'corporate-psu') !== undefined) return;
  // The reader was the company itself.
  if (missingCapability(context.target, 'private-psu') !== undefined) return;
  const call = { ...readingOf(what, { accountId }), psu: corporatePsu(context) };
  const shown = await context.call(call, {}, 'the same as a company');
  if (!shown.isSuccess) return;
  const theirs = await context.call({ operation: 'listAccounts', psu: corporatePsu(context) });
  if (!accountIdsIn(theirs.json).includes(accountId))
    expectAnswer(context, shown, refusedOrAskedForSca(), 'for an account that is not that of the company');
}

/** An account that the PSU has not granted, and how it is read. */
interface ForeignAccount {
  readonly id: string;
  readonly whose: string;
  readonly refusedTo: (context: CheckContext, reader: Reader, what: AccountData) => Promise<readonly Call[]>;
  readonly notOfCompany: (reader: Reader) => string;
  /** What is read next to one or the other. */
  readonly further?: Partial<Record<AccountData, string>>;
}

/** Reads it next to an account that the PSU has granted. */
const refusesAccount = ({
  id,
  whose,
  refusedTo,
  notOfCompany,
  further = {},
}: ForeignAccount): readonly Check[] =>
  accountData.map((what) =>
    check({
      id: `${id}${suffixOf[what]}`,
      requirement: id,
      title: `${what} of ${whose} are refused`,
      steps: [
        `Read the ${what} of an account that the PSU has granted, as control: it must go through.`,
        `Read those of ${whose}, with and without PSU-IP-Address, and as a company where the target file names one.`,
        ...[further[what] ?? []].flat(),
      ],
      expected: refusedOrAskedForSca().text,
      run: (context) =>
        withReadyReader(context, async (reader) => {
          const granted = readingOf(what, accountOf(reader));
          const control = await callAgainAfterSca(context, reader, granted, 'control');
          mustBeOffered(control, `GET /v1/accounts/{id}/${what}`);
          mustSucceed(control, `reading the ${what} of a granted account`);
          for (const [place, call] of (await refusedTo(context, reader, what)).entries()) {
            const answer = await reader.call(call, {}, `of ${whose}`);
            // Details need not be offered: what is shown needs no control.
            if (call.operation === granted.operation || answer.isSuccess)
              expectAnswer(context, answer, refusedOrAskedForSca(), `for the ${what} of ${whose}`);
            // Calls without the PSU are few.
            if (place > 0) continue;
            await mustBeRefusedAlone(context, reader, call, `the ${what} of ${whose}`);
          }
          await notAsCompany(context, what, notOfCompany(reader));
        }),
    }),
  );

/** Of an account that the bank shows to another PSU, and not to the reader; details of it next to transactions. */
async function ofAnother(
  context: CheckContext,
  { listing, psu }: Reader,
  what: AccountData,
): Promise<readonly Call[]> {
  const own = new Set(accountIdsIn(listing.json));
  const shownTo = async (other: Psu, call: Login['call']): Promise<readonly Call[] | undefined> => {
    if (other.id?.toLowerCase() === psu.id?.toLowerCase())
      throw new NotApplicable('The other PSU of the target file is the same person: name another one.');
    const theirs = await call({ operation: 'listAccounts' }, {}, 'accounts of another PSU');
    const accountId = accountIdsIn(theirs.json).find((id) => !own.has(id));
    if (accountId === undefined) return undefined;
    const reading = readingOf(what, { accountId });
    if (what === 'balances') return [reading];
    return [reading, ...detailsOf(accountId, await call(reading, {}, 'as that PSU'))];
  };
  const found =
    (await withAnotherReader(context, shownTo)) ??
    // The accounts of a company may be shown to all who act for it, in whichever context.
    (await withOneAlike(context, (other) => shownTo(other, callFor(context, {}, other))));
  if (found !== undefined) return found;
  throw new NotApplicable(
    'The bank shows no account to another PSU that it does not show to this one: grant one at the bank.',
  );
}

export default suite('Consent to single accounts', section('Limits'), () => [
  refusesAccount({
    id: 'ACC-19',
    whose: 'an account that nobody has',
    refusedTo: async (_, reader, what) =>
      unknownOnesLike(accountOf(reader).accountId).map((accountId) => readingOf(what, { accountId })),
    notOfCompany: (reader) => unknownNextTo(accountOf(reader).accountId),
  }),
  refusesAccount({
    id: 'ACC-20',
    whose: 'an account of another PSU',
    refusedTo: ofAnother,
    notOfCompany: (reader) => accountOf(reader).accountId,
    further: { transactions: 'Read the details of the account, and of one of its transactions.' },
  }),
]);
