import { randomUUID } from 'node:crypto';
import type { CheckContext, RunContext } from '../../src/checks/context.ts';
import { describeAnswer, refused } from '../../src/checks/expectation.ts';
import { NotApplicable, NotOffered } from '../../src/checks/outcomes.ts';
import type { SigningIdentity } from '../../src/signing/identity.ts';
import { isSameNumber } from '../../src/spec/customer-number.ts';
import { onceDone } from '../../src/spec/once.ts';
import { missingCapability } from '../../src/target/capabilities.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call } from '../../src/tpp/call.ts';
import { type ScaPerson, ScaWalkError } from '../../src/tpp/sca/sca-walker.ts';
import { startSca } from '../../src/tpp/sca/start-sca.ts';
import { type NamedCustomer, withoutOwnCustomers } from './own-customers.ts';
import { shareOf } from './shares.ts';

/** Someone who can pass SCA without disturbing the session that all other checks share. */
export interface Customer extends Pick<ScaPerson, 'nationalId' | 'context'> {
  /** Another TPP than the run's own, whose sessions are free. */
  readonly identity?: SigningIdentity;
  /** Known from the listing of the sandbox. */
  readonly isListed?: true;
}

/**
 * OTHER is another customer in the context of the PSU of the run, PRIVATE and CORPORATE are others in that context: of
 * the target file or of the sandbox; without any, the PSU of the target file with a second TPP.
 * SECOND_TPP is always the latter, or a further TPP where the second is minted.
 */
export type CustomerKind = 'OTHER' | Customer['context'] | 'SECOND_TPP';

export interface CustomerWish {
  /** Who is waited for, where there is such a customer. */
  readonly preferred?: (customer: Customer) => boolean;
  /** Who takes longest should not begin last. */
  readonly goesFirst?: boolean;
}

/**
 * Passing SCA in a new session ends the older one of that PSU and TPP (Limits), so each customer belongs to one check
 * at a time, and never to two that run side by side.
 */
export async function withCustomer<T>(
  context: CheckContext,
  kind: CustomerKind,
  work: (customer: Customer) => Promise<T>,
  { preferred = () => true, goesFirst = false }: CustomerWish = {},
): Promise<T> {
  const own = context.target.psu.context;
  const meant = kind === 'OTHER' ? own : kind;
  const pool = await poolsOf(context)[meant]();
  if (pool.isEmpty && meant === 'PRIVATE' && own === 'CORPORATE') throw new NotOffered(companiesOnly);
  const noCompanies = context.unjudged(['corporate-psus']);
  if (pool.isEmpty && meant === 'CORPORATE' && noCompanies !== undefined) throw new NotOffered(noCompanies);
  if (pool.isEmpty) throw new NotApplicable(unknownTpps.get(context.run) ?? remedies[meant]);
  const suits = pool.has(preferred) ? preferred : () => true;
  return pool.lend(work, suits, goesFirst ? first : context.seed);
}

/** Whether the bank lets a second TPP act for the PSU of the target file. */
export const takesSecondTpp = async (context: CheckContext): Promise<boolean> =>
  !(await poolsOf(context).SECOND_TPP()).isEmpty;

const otherCustomer =
  'add psu.other.nationalId to the target file, or create one with POST /v1/sandbox/customers';
const second = 'add signing.identities.second, or signing.testCa to mint it from, to the target file';
const companiesOnly =
  'The bank serves companies only, as psu.context of the target file declares, and no private customer is listed.';
const remedies: Readonly<Record<keyof Pools, string>> = {
  PRIVATE: `No private customer is known other than the PSU of the target file, whose session this check would end: ${otherCustomer}, or ${second}.`,
  CORPORATE: `The sandbox lists no corporate customer other than that of the target file, whose session this check would end: create one with POST /v1/sandbox/customers, or give its number in the target file and ${second}.`,
  SECOND_TPP: `This check needs a second TPP: ${second}.`,
};

/** Before all lots that are drawn. */
const first = -1;

/** Lends each customer to one at a time. Who of those that wait is next is drawn with the seed, whoever came first. */
class CustomerPool {
  readonly #free: Customer[];
  #waiting: readonly {
    readonly lot: number;
    readonly suits: (customer: Customer) => boolean;
    readonly take: (customer: Customer) => void;
  }[] = [];
  readonly has: (suits: (customer: Customer) => boolean) => boolean;
  readonly isEmpty: boolean;

  constructor(customers: readonly Customer[]) {
    this.#free = [...customers];
    this.has = (suits) => customers.some(suits);
    this.isEmpty = customers.length === 0;
  }

  async lend<T>(
    work: (customer: Customer) => Promise<T>,
    suits: (customer: Customer) => boolean,
    lot: number,
  ): Promise<T> {
    const place = this.#free.findIndex(suits);
    const [free] = this.#free.splice(place === -1 ? this.#free.length : place, 1);
    const customer =
      free ??
      (await new Promise<Customer>((take) => {
        this.#waiting = [...this.#waiting, { lot, suits, take }].toSorted(
          (one, other) => one.lot - other.lot,
        );
      }));
    try {
      return await work(customer);
    } finally {
      const next = this.#waiting.find((one) => one.suits(customer));
      this.#waiting = this.#waiting.filter((one) => one !== next);
      if (next === undefined) this.#free.push(customer);
      else next.take(customer);
    }
  }
}

type Pools = Readonly<Record<Exclude<CustomerKind, 'OTHER'>, () => Promise<CustomerPool>>>;

/** One set of pools for each run, filled when they are first needed. */
const pools = new WeakMap<RunContext, Pools>();

function poolsOf(context: CheckContext): Pools {
  const known = pools.get(context.run);
  if (known !== undefined) return known;
  const { psu } = context.target;
  const secondTpp = onceDone(async () =>
    poolFor(context, await withSecondTpp(context, psu.nationalId, psu.context)),
  );
  /** In the context of the PSU of the run. */
  const usual = onceDone(async () => {
    const spare = [...namedCustomer(context), ...(await spareCustomers(context, psu.context))];
    return spare.length > 0 ? poolFor(context, spare) : secondTpp();
  });
  /** In the other one, where nobody but psu.corporate is named. */
  const unusual = (kind: Customer['context']): (() => Promise<CustomerPool>) =>
    onceDone(async () => {
      const spare = await spareCustomers(context, kind);
      if (spare.length > 0) return poolFor(context, spare);
      return poolFor(context, await withSecondTpp(context, psu.corporate?.nationalId, kind));
    });
  const made: Pools = {
    SECOND_TPP: secondTpp,
    PRIVATE: psu.context === 'PRIVATE' ? usual : unusual('PRIVATE'),
    CORPORATE: psu.context === 'CORPORATE' ? usual : unusual('CORPORATE'),
  };
  pools.set(context.run, made);
  return made;
}

const poolFor = ({ run }: CheckContext, customers: readonly Customer[]): CustomerPool =>
  new CustomerPool(shareOf(customers, run.shard));

async function withSecondTpp(
  context: CheckContext,
  nationalId: string | undefined,
  role: Customer['context'],
): Promise<readonly Customer[]> {
  if (nationalId === undefined) return [];
  const { second, further = [] } = context.target.identities;
  const identities = await Promise.all([second, ...further].map((source) => source?.()));
  const known: Customer[] = [];
  // One after the other, and twice where SCA is not passed (freedom sca/one-at-a-time).
  for (const identity of identities) {
    if (identity === undefined) continue;
    const customer = { nationalId, context: role, identity };
    if ((await isServed(context, customer)) || (await isServed(context, customer))) known.push(customer);
  }
  return known;
}

/** Freedom: tpps/registered. */
export const noSuchTpp = (told: string): string =>
  `The bank takes no request of a second TPP, which was answered ${told}: register one with the bank and give it as signing.identities.second of the target file, or declare what needs one as notOffered.`;

/** Each TPP may have a sandbox of its own, with customers whom no other TPP knows. */
const noSuchCustomer = (told: string): string =>
  `The PSU of the target file does not pass SCA for a second TPP: ${told} Where each TPP has customers of its own, declare what needs the same one for two as notOffered.`;

/** By run: what a second TPP was answered that the bank does not serve, and what can be done. */
const unknownTpps = new WeakMap<RunContext, string>();

/** Whether the bank knows the TPP, and the customer as one of its own. */
async function isServed(
  context: CheckContext,
  { identity, ...person }: Customer & { readonly identity: SigningIdentity },
): Promise<boolean> {
  const ask = (call: Call): Promise<Answer> =>
    context.call(call, { signing: { identity } }, 'does the bank know the second TPP');
  const { link, answers } = await startSca(ask, { ...context.psu, sessionId: randomUUID() });
  if (link !== undefined) return isKnownTo(context, link, person);
  const refusal = answers.find((answer) => refused().met(answer, context.readings) && !answer.isAbsent);
  if (refusal === undefined) return true;
  unknownTpps.set(context.run, noSuchTpp(describeAnswer(refusal)));
  return false;
}

/** Trouble on the way says nothing: whoever acts for the customer runs into it, and tells of it. */
async function isKnownTo(
  context: CheckContext,
  link: string,
  person: Pick<Customer, 'nationalId' | 'context'>,
): Promise<boolean> {
  if (missingCapability(context.target, 'sca-unattended') !== undefined) return true;
  const { redirectUri } = context.psu;
  try {
    const back = await context.run.walker.pass(link, { ...person, redirectUri }, (exchange) =>
      context.exchanges.push(exchange),
    );
    if (back.psuId !== undefined || back.code === undefined) return true;
    unknownTpps.set(context.run, noSuchCustomer(`it came to ${[back.status, back.code].join(' ')}.`));
    return false;
  } catch (error) {
    if (!(error instanceof ScaWalkError)) throw error;
    if (['unreachable', 'lost'].includes(error.kind)) return true;
    unknownTpps.set(context.run, noSuchCustomer(error.message));
    return false;
  }
}

/** The other customer of the target file, unless a session is given: SCA in a new one would end that. */
function namedCustomer({ target }: CheckContext): readonly Customer[] {
  const { other = {}, context } = target.psu;
  const { nationalId, sessionId } = other;
  return nationalId === undefined || sessionId !== undefined ? [] : [{ nationalId, context }];
}

/**
 * Customers of the listing whom the target file does not name. Those with accounts, and of companies those with an
 * agreement, where there are any: what others have created in a sandbox may have neither, and can do nothing then.
 */
async function spareCustomers(
  context: CheckContext,
  kind: Customer['context'],
): Promise<readonly Customer[]> {
  const { target } = context;
  const { nationalId } = target.psu;
  const isListed =
    missingCapability(target, 'sandbox') === undefined && context.unjudged(['sandbox']) === undefined;
  // Without a number the PSU of the run cannot be told from the others.
  if (!isListed || nationalId === undefined) return [];
  const answer = await context.call(
    { operation: 'listSandboxCustomers', query: { withAccounts: 'true', withAgreements: 'true' } },
    {},
    'look for another customer',
  );
  const { corporate, expired, other } = target.psu;
  const named = [nationalId, corporate?.nationalId, expired?.nationalId, other?.nationalId];
  const listed = (Array.isArray(answer.json) ? answer.json : []) as readonly ListedCustomer[];
  const own = namedAccounts(context, kind);
  const spare = (await withoutOwnCustomers(context, listed)).filter(
    ({ customerType, customerNumber, accounts }) =>
      customerType === kind &&
      typeof customerNumber === 'string' &&
      !named.some((number) => isSameNumber(number, customerNumber)) &&
      !lists(accounts, own),
  );
  const able = [hasSome('accounts'), ...(kind === 'CORPORATE' ? [hasSome('agreements')] : [])].reduce(
    (left, can) => (left.some(can) ? left.filter(can) : left),
    spare,
  );
  return able.map(({ customerNumber }) => ({
    nationalId: String(customerNumber),
    context: kind,
    isListed: true,
  }));
}

interface ListedCustomer extends NamedCustomer {
  readonly customerNumber?: unknown;
  readonly customerType?: unknown;
  readonly accounts?: unknown;
  readonly agreements?: unknown;
}

/**
 * Of the accounts that the target file names, those of customers in that context. A bank may know a customer by several
 * numbers, such as a company by its own and by that of a person who acts for it: SCA by any of them ends the session of
 * the run.
 */
const namedAccounts = ({ target }: CheckContext, kind: Customer['context']): readonly unknown[] => {
  const { debtor, otherDebtor, corporateDebtor } = target.accounts;
  const named = kind === target.psu.context ? [debtor, otherDebtor] : [corporateDebtor];
  return named.flatMap((account) => (account === undefined ? [] : [account.bban, account.iban]));
};

/** Some write account numbers in groups. */
const ungrouped = (number: unknown): string => String(number).replace(/[\s.]/g, '');

const lists = (listed: unknown, accounts: readonly unknown[]): boolean =>
  Array.isArray(listed) && listed.some((number) => accounts.includes(ungrouped(number)));

const hasSome =
  (what: 'accounts' | 'agreements') =>
  ({ [what]: list }: ListedCustomer): boolean =>
    Array.isArray(list) && list.length > 0;
