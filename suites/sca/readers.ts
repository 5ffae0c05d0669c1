import { type CheckContext, corporatePsu } from '../../src/checks/context.ts';
import { askedOnce } from '../../src/checks/controls.ts';
import { describeAnswer, expectAnswer, refusedOrAskedForSca } from '../../src/checks/expectation.ts';
import { listedAccounts } from '../../src/checks/listed-accounts.ts';
import { Inconclusive, NotApplicable } from '../../src/checks/outcomes.ts';
import { isBban } from '../../src/spec/check-digits.ts';
import { member } from '../../src/spec/json.ts';
import { percentDecoded } from '../../src/spec/percent-encoding.ts';
import { missingCapability } from '../../src/target/capabilities.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call, Psu, Variation } from '../../src/tpp/call.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { textsIn } from '../accounts/account-values.ts';
import { withCustomer } from './spare-customers.ts';
import { callAgainAfterSca, callFor, type Login, logIn, mustBeOffered, otherPsu, walking } from './walks.ts';

/** Someone who has passed SCA and granted accounts, with the answer to GET /v1/accounts. */
export interface Reader extends Login {
  readonly listing: Answer;
  /** The account of the target file that they pay from. */
  readonly debtor?: string;
}

/** The PSU of the target file where its accounts can be read; else another customer, who passes SCA for it. */
export async function withReader<T>(context: CheckContext, work: (reader: Reader) => Promise<T>): Promise<T> {
  const remedy = missingCapability(context.target, 'aisp-role');
  if (remedy !== undefined) throw new NotApplicable(remedy);
  const question = 'accounts of the PSU';
  const listing = await askedOnce(context, question, (sender) =>
    callAgainAfterSca(
      sender,
      { call: callFor(sender, {}, sender.psu) },
      { operation: 'listAccounts' },
      question,
    ),
  );
  mustBeOffered(listing, 'GET /v1/accounts');
  if (!listing.asksForSca)
    return work({
      psu: context.psu,
      call: callFor(context, {}, context.psu),
      listing,
      debtor: context.target.accounts.debtor.bban,
    });
  if (walking.some((need) => missingCapability(context.target, need) !== undefined)) {
    throw new NotApplicable(
      'The bank asks for SCA before it shows accounts: the session of the target file is over, or its PSU has granted none. Give a session that holds and grant accounts at the bank, or set psu.sca to form or module and give psu.nationalId.',
    );
  }
  return withCustomer(context, 'OTHER', async (customer) => {
    const login = await logIn(context, customer);
    return work({
      ...login,
      listing: await login.call({ operation: 'listAccounts' }, {}, 'accounts after SCA'),
    });
  });
}

/** The same, for checks whose question is another one than the listing. */
export const withReadyReader = <T>(context: CheckContext, work: (reader: Reader) => Promise<T>): Promise<T> =>
  withReader(context, (reader) => {
    if (reader.listing.isSuccess) return work(reader);
    throw new Inconclusive(
      `The accounts of the PSU cannot be read, which is answered ${describeAnswer(reader.listing)}.`,
    );
  });

/**
 * Another PSU than the one of the run, after SCA: the corporate one of the target file, or where there is none another
 * customer, of the target file or of the sandbox.
 */
export async function withAnotherReader<T>(
  context: CheckContext,
  work: (psu: Psu, call: Login['call']) => Promise<T>,
): Promise<T> {
  const noCompany = context.missing('second-psu');
  if (noCompany === undefined) {
    const psu = corporatePsu(context);
    return work(psu, callFor(context, {}, psu));
  }
  const named = otherPsu(context);
  if (named !== undefined) return work(named, callFor(context, {}, named));
  const lacking = context.missing('other-psu');
  if (lacking !== undefined) throw new NotApplicable(`${noCompany}; or ${lacking}`);
  return withCustomer(context, 'OTHER', async (customer) => {
    if (customer.identity !== undefined) throw new NotApplicable(noCompany);
    const { psu, call } = await logIn(context, customer);
    return work(psu, call);
  });
}

/** The same, but one in the context of the PSU of the run, where there is one: what differs is nothing else then. */
export async function withOneAlike<T>(context: CheckContext, work: (psu: Psu) => Promise<T>): Promise<T> {
  const named = otherPsu(context);
  if (named !== undefined) return work(named);
  const noCompany = context.missing('second-psu');
  if (context.missing('other-psu') !== undefined) return withAnotherReader(context, work);
  return withCustomer(context, 'OTHER', async (customer) => {
    if (customer.identity === undefined) return work((await logIn(context, customer)).psu);
    if (noCompany !== undefined) throw new NotApplicable(noCompany);
    return work(corporatePsu(context));
  });
}

/** PSU-IP-Address is omitted for requests made without the PSU present. */
export const withoutThePsu = (variation: Variation): Variation => ({
  ...variation,
  beforeSigning: (draft) => {
    variation.beforeSigning?.(draft);
    draft.headers.remove('PSU-IP-Address');
  },
});

export const unattended: Variation = withoutThePsu({});

/** A bank may tell with 429 that the calls of the day are spent, which elsewhere only asks to slow down. */
export const limitAnswers: ReadonlySet<number> = new Set([429]);

/** Without the PSU present, what has to be refused: whoever refuses it spends no call of the day. */
export const readAlone = (
  { client }: CheckContext,
  { psu, customer }: Pick<Login, 'psu' | 'customer'>,
  call: Call,
  variation: Variation,
  purpose: string,
): Promise<Answer> => {
  const identity = customer?.identity;
  const signing = identity === undefined ? {} : { signing: { identity, ...variation.signing } };
  return client
    .with({ ownStatuses: limitAnswers })
    .call({ ...call, psu }, withoutThePsu({ ...variation, ...signing }), purpose);
};

export async function mustBeRefusedAlone(
  context: CheckContext,
  login: Pick<Login, 'psu' | 'customer'>,
  call: Call,
  what: string,
): Promise<void> {
  const purpose = `${what}, without the PSU present`;
  // Freedom: wire/behind.
  const alone = await patiently(
    context.run,
    () => readAlone(context, login, call, {}, purpose),
    ({ isSuccess }) => !isSuccess,
  );
  if (alone.isSuccess) expectAnswer(context, alone, refusedOrAskedForSca(), `for ${purpose}`);
}

/** What can be read of an account. */
export const accountData = ['balances', 'transactions'] as const;
export type AccountData = (typeof accountData)[number];

/** Freedom: accounts/parameters. */
export const readingOf = (data: AccountData, params: { readonly accountId: string }): Call =>
  data === 'balances'
    ? { operation: 'readBalances', params }
    : { operation: 'readTransactions', params, query: { bookingStatus: 'both' } };

/** Freedom: accounts/shape. */
export function accountIdsIn(listing: unknown): readonly string[] {
  return listedAccounts(listing).flatMap((account: unknown) => {
    const id = ['resourceId', 'id', 'accountId']
      .map((name) => member(account, name))
      .find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number');
    return id === undefined ? idsInLinks(account).slice(0, 1) : [String(id)];
  });
}

/** The id as the links of an account name it, for whoever names it nowhere else. */
function idsInLinks(value: unknown, depth = 4): readonly string[] {
  if (typeof value === 'string') {
    const id = /\/accounts\/([^/?#]+)\/(?:balances|transactions)(?:[?#]|$)/.exec(value)?.[1];
    return id === undefined ? [] : [percentDecoded(id) ?? id];
  }
  if (typeof value !== 'object' || value === null || depth === 0) return [];
  return Object.values(value).flatMap((inside) => idsInLinks(inside, depth - 1));
}

/** And the BBAN in a Norwegian IBAN: a listing has either. */
export const samesOf = (value: string): readonly string[] => {
  const number = value.replaceAll(/[\s.-]/g, '').toUpperCase();
  const bban = /^NO\d{2}(\d{11})$/.exec(number)?.[1];
  return bban === undefined ? [number] : [number, bban];
};

/**
 * Those of some accounts that a listing leaves out. A bank may list accounts without their numbers, or the others on a next
 * page: then none is missing, unless none is listed at all. Where it shows those of others alone, all are missing.
 */
export function unlistedIn(listing: unknown, bbans: readonly string[] = []): readonly string[] {
  if (member(member(listing, '_links'), 'next') != null) return [];
  const told = new Set(textsIn(listing).flatMap(samesOf));
  const missing = bbans.filter((bban) => !told.has(bban));
  const { accounts = listing } = Object(listing) as { readonly accounts?: unknown };
  const isEmpty = listing !== undefined && saysNothing(accounts);
  const showsNumbers = listedAccounts(listing)
    .flatMap((account) => [member(account, 'bban'), member(account, 'iban')])
    .some((number) => typeof number === 'string' && samesOf(number).some(isBban));
  return isEmpty || showsNumbers ? missing : [];
}

/** Some leave out what is empty: whatever a listing looks like, one without a single value lists nothing. */
const saysNothing = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).every(saysNothing) : !value;

/** The listed accounts that tell no number of their own, as those of cards do. */
export const unnumberedIn = (listing: unknown): readonly unknown[] =>
  listedAccounts(listing).filter((account) =>
    ['bban', 'iban'].every((name) => typeof member(account, name) !== 'string'),
  );

/** The id of a listed account that is named by its id, BBAN or IBAN. */
export function idOfAccount(listing: unknown, named: string): string | undefined {
  const isNamed = (value: unknown): boolean =>
    typeof value === 'string' && samesOf(value).some((same) => samesOf(named).includes(same));
  const account = listedAccounts(listing).find((candidate) =>
    Object.values(Object(candidate) as Record<string, unknown>).some(isNamed),
  );
  return accountIdsIn([account])[0];
}

/** The ids of all other accounts: one that is kept in several currencies may be listed in each, with one number. */
export function idsBeside(listing: unknown, id: string): readonly string[] {
  const numbersOf = (account: unknown): readonly string[] =>
    [member(account, 'bban'), member(account, 'iban')].flatMap((number) =>
      typeof number === 'string' ? samesOf(number) : [],
    );
  const all = listedAccounts(listing).map((account) => ({
    ids: accountIdsIn([account]),
    numbers: numbersOf(account),
  }));
  const own = new Set(all.filter(({ ids }) => ids.includes(id)).flatMap(({ numbers }) => numbers));
  const others = all.filter(({ numbers }) => !numbers.some((number) => own.has(number)));
  return [...new Set(others.flatMap(({ ids }) => ids))].filter((other) => other !== id);
}

/** The account of {@link accountOf}, the next one and the last: a bank may go wrong at some accounts only. */
export function someAccountsOf(reader: Reader): readonly { readonly accountId: string }[] {
  const first = accountOf(reader);
  const others = accountIdsIn(reader.listing.json).filter((id) => id !== first.accountId);
  const [next] = others;
  const some = new Set([next, others.at(-1)].filter((id) => id !== undefined));
  return [first, ...[...some].map((accountId) => ({ accountId }))];
}

/**
 * An account that the reader may read: that of the target file where it is listed, for what else a bank shows may be a
 * loan or the like, of which there is less to read.
 */
export function accountOf({ listing, debtor }: Reader): { readonly accountId: string } {
  const named = debtor === undefined ? undefined : idOfAccount(listing.json, debtor);
  const accountId = named ?? accountIdsIn(listing.json)[0];
  if (accountId !== undefined) return { accountId };
  throw new NotApplicable(
    'No account was found in the answer to GET /v1/accounts, whose shape is not shown: looked for a list of accounts with resourceId, id or accountId, or links to its balances. Grant an account to the TPP.',
  );
}
