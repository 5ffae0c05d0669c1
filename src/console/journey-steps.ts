import { randomUUID } from 'node:crypto';
import type { Bank } from '../bank/bank.ts';
import { type ProvocationId, provokingAmount } from '../certification/provocations.ts';
import {
  cardAccount,
  domesticOrder,
  invoiceOrder,
  largeCrossBorderOrder,
  sharedOrder,
  toCurrencyAccount,
} from '../certification/reference-tpp/payment-orders.ts';
import type { Session } from '../certification/session.ts';
import { certificationCustomers } from '../runner/sandbox-folder.ts';
import { digestHeader } from '../signing/digest.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { formatHttpDate } from '../spec/http-date.ts';
import { textAt } from '../spec/json.ts';
import { isCreation, products } from '../spec/products.ts';
import type { CurlConnection } from '../tpp/curl-command.ts';
import { HeaderList } from '../tpp/exchange.ts';
import { type RequestDraft, signDraft } from '../tpp/signing-plan.ts';
import { curlOf } from './shown-request.ts';

/** A step that cannot be taken yet, with what comes before it. */
export class StepError extends Error {
  override readonly name = 'StepError';
}

/** What a step is made of: a request of the TPP, or the PSU at the page of the last link. */
type Step =
  | {
      readonly says: string;
      readonly method: 'GET' | 'POST';
      readonly path: string | ((so: Progress) => string);
      readonly body?: (so: Progress) => object;
      /** Unattended: without PSU-IP-Address. */
      readonly alone?: true;
      /** Starts a session of its own, before any PSU-ID is known in it. */
      readonly newSession?: true;
      readonly corporate?: true;
    }
  | { readonly says: string; readonly page: Readonly<Record<string, string>> };

/** How far the TPP has come, as the recording shows. */
interface Progress {
  readonly payments: readonly string[];
  readonly lastPayment: { readonly product: string; readonly id: string };
  readonly accountId: string;
}

const { private: person, corporate, debtor, corporateDebtor } = certificationCustomers;
const domestic = `/v1/payments/${products.domestic.path}`;
const crossBorder = `/v1/payments/${products.crossBorder.path}`;

const logIn: Step = {
  says: 'Ask who the PSU is: 401 with scaRedirect, until the PSU has logged in',
  method: 'GET',
  path: '/v1/user',
};
/** All that any page may ask for, at once. */
const approve: Step = {
  says: 'The PSU passes SCA at the link',
  page: { nationalId: person, context: 'PRIVATE', accounts: 'all' },
};
const readStatus: Step = {
  says: 'Ask for the status of the payment',
  method: 'GET',
  path: ({ lastPayment: { product, id } }) => `/v1/payments/${product}/${encodeURIComponent(id)}/status`,
};
const pay = (says: string, order: () => object): Step => ({
  says,
  method: 'POST',
  path: domestic,
  body: order,
});
const someAmount = (): string =>
  `${100 + Math.floor(Math.random() * 290)}.${String(Math.floor(Math.random() * 100)).padStart(2, '0')}`;
const provoke = (id: ProvocationId): Step =>
  pay(`Pay NOK ${provokingAmount(id, products.domestic)}`, () =>
    domesticOrder(debtorAccount, provokingAmount(id, products.domestic)),
  );
const debtorAccount = { bban: debtor.bban, currency: debtor.currency };

/** The requests of each journey, ready to be sent one after the other. */
const stepsOf: Readonly<Record<string, readonly Step[]>> = {
  'first-request': [logIn],
  'first-payment': [
    logIn,
    approve,
    pay('Create a domestic payment', () => domesticOrder(debtorAccount, someAmount())),
    approve,
  ],
  status: [readStatus],
  'refused-payment': [provoke('refused-payment'), readStatus],
  'session-expiry': [provoke('session-expiry'), approve, provoke('session-expiry')],
  'failed-sca': [provoke('failed-sca'), approve, readStatus],
  busy: [provoke('busy'), readStatus],
  unavailable: [provoke('unavailable'), readStatus],
  'forged-response': [provoke('forged-response'), provoke('forged-response')],
  'currency-account': [
    pay('Pay to an account in EUR', () => domesticOrder(debtorAccount, someAmount(), toCurrencyAccount)),
  ],
  kid: [pay('Pay with a KID', () => invoiceOrder(debtorAccount, someAmount()))],
  'card-account': [
    pay('Pay from a card account', () =>
      domesticOrder(
        cardAccount({ debtor: debtorAccount, corporateDebtor, card: certificationCustomers.card }),
        someAmount(),
      ),
    ),
  ],
  'cross-border': [
    logIn,
    approve,
    {
      says: 'Pay to an account abroad',
      method: 'POST',
      path: crossBorder,
      body: () => largeCrossBorderOrder(debtorAccount, `101${someAmount()}`),
    },
    approve,
  ],
  reporting: [
    {
      says: 'Pay NOK 100 000 or more, with both regulatory fields',
      method: 'POST',
      path: crossBorder,
      body: () => largeCrossBorderOrder(debtorAccount, `101${someAmount()}`),
    },
  ],
  basket: [
    logIn,
    approve,
    pay('Create a payment', () => domesticOrder(debtorAccount, someAmount(), sharedOrder)),
    pay('Create another one', () => domesticOrder(debtorAccount, someAmount(), sharedOrder)),
    {
      says: 'Put both into a basket',
      method: 'POST',
      path: '/v1/signing-baskets',
      body: ({ payments }) => ({ paymentIds: payments.slice(-2) }),
    },
    approve,
  ],
  corporate: [
    { ...logIn, says: 'Ask who the PSU is, in a session of its own', newSession: true },
    { says: 'The PSU acts for a company', page: { nationalId: corporate, context: 'CORPORATE' } },
    {
      says: 'Pay with PSU-ID and PSU-Corporate-ID',
      method: 'POST',
      path: domestic,
      body: () => domesticOrder(corporateDebtor, someAmount()),
      corporate: true,
    },
  ],
  accounts: [
    {
      says: 'Ask for accounts: 401 with scaRedirect until the PSU has chosen',
      method: 'GET',
      path: '/v1/accounts',
    },
    { says: 'The PSU chooses accounts', page: { nationalId: person, context: 'PRIVATE', accounts: 'all' } },
    { says: 'Read balances', method: 'GET', path: ({ accountId }) => `/v1/accounts/${accountId}/balances` },
  ],
  unattended: [
    {
      says: 'Read balances without PSU-IP-Address',
      method: 'GET',
      path: ({ accountId }) => `/v1/accounts/${accountId}/balances`,
      alone: true,
    },
  ],
  'sandbox-listing': [{ says: 'List the customers', method: 'GET', path: '/v1/sandbox/customers' }],
};

/** What each step of a journey is, for people. */
export const stepTitles = (journey: string): readonly string[] =>
  (stepsOf[journey] ?? []).map(({ says }) => says);

export interface StepOptions {
  readonly bank: Bank;
  readonly session: Session;
  readonly identity: SigningIdentity;
  readonly connection: CurlConnection;
}

/** A request that is ready to be sent, and where to. */
export interface ReadyStep {
  readonly draft: RequestDraft;
  readonly origin: string;
}

/** A curl command for a step, freshly signed: it works for the next minute. */
export async function curlOfStep(journey: string, index: number, options: StepOptions): Promise<string> {
  const { draft, origin } = await readyStep(journey, index, options);
  return curlOf(draft, { ...options.connection, origin });
}

export async function readyStep(journey: string, index: number, options: StepOptions): Promise<ReadyStep> {
  const step = Object.hasOwn(stepsOf, journey) ? stepsOf[journey]?.[index] : undefined;
  if (step === undefined) throw new StepError('There is no such step.');
  return 'page' in step ? visitOf(step.page, options) : signedRequestOf(step, options);
}

/** The PSU at the page of the latest link that nobody has come back from. */
function visitOf(fields: Readonly<Record<string, string>>, { session }: StepOptions): ReadyStep {
  const open = session.scaLinks.findLast(
    ({ flowId }) => !session.returns.some((back) => back.flowId === flowId),
  );
  const href = open?.exchange.answer.link('scaRedirect');
  if (href === undefined)
    throw new StepError(
      'No link scaRedirect is open: take the step before this one first, or leave this one out where the PSU has logged in already.',
    );
  const { pathname, search, origin } = new URL(href);
  return {
    draft: {
      operation: 'other',
      method: 'POST',
      target: `${pathname}${search}`,
      headers: new HeaderList([['Content-Type', 'application/x-www-form-urlencoded']]),
      body: Buffer.from(new URLSearchParams(fields).toString()),
    },
    origin,
  };
}

async function signedRequestOf(
  step: Extract<Step, { readonly method: string }>,
  { bank, session, identity, connection }: StepOptions,
): Promise<ReadyStep> {
  const back = session.returns.findLast(
    ({ passed, parameters }) =>
      passed && (parameters.psuCorporateId !== undefined) === (step.corporate === true),
  );
  const needsPsu = step.method === 'POST' || typeof step.path !== 'string';
  if (needsPsu && back === undefined) {
    throw new StepError(
      'No PSU-ID is known yet: let the PSU log in first. The first two steps of the journey first-payment do that.',
    );
  }
  const { psuId, psuCorporateId, sessionId } = step.newSession === true ? {} : (back?.parameters ?? {});
  const progress = progressOf(session, bank);
  const body = step.body === undefined ? undefined : Buffer.from(JSON.stringify(step.body(progress)));
  const headers = {
    Date: formatHttpDate(bank.state.clock.now()),
    'X-Request-ID': randomUUID(),
    'TPP-Session-ID': sessionId ?? randomUUID(),
    'TPP-Redirect-URI': 'https://tpp.example/redirect',
    'PSU-ID': psuId,
    'PSU-Corporate-ID': psuCorporateId,
    'PSU-IP-Address': step.alone === true ? undefined : '192.0.2.10',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json', 'x-accept-fix': 'amount-as-string' }),
  };
  const draft: RequestDraft = {
    operation: 'other',
    method: step.method,
    target: session.prefix + (typeof step.path === 'string' ? step.path : step.path(progress)),
    headers: new HeaderList(
      Object.entries(headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value] as const],
      ),
    ),
    body,
  };
  await signDraft(draft, identity, {
    digest: (bytes) => (body === undefined ? undefined : digestHeader(bytes)),
  });
  return { draft, origin: connection.origin };
}

function progressOf(session: Session, { state }: Bank): Progress {
  const payments = session.payments.filter(({ exchange }) => isCreation(exchange.operation));
  const last = payments.at(-1);
  const [account] = state.customers.accountsOf(person);
  return {
    payments: payments.map(({ id }) => id),
    get lastPayment() {
      const product = /\/v1\/payments\/([^/?]+)/.exec(last?.exchange.path ?? '')?.[1];
      if (last === undefined || product === undefined) {
        throw new StepError('There is no payment yet: create one first, with the journey first-payment.');
      }
      return { product, id: last.id };
    },
    accountId: grantedAccount(session) ?? account?.id ?? '',
  };
}

/** The account that the TPP has been told of. */
function grantedAccount(session: Session): string | undefined {
  for (const { answer } of session.of('listAccounts').toReversed()) {
    const accounts: unknown =
      typeof answer.json === 'object' && answer.json !== null && 'accounts' in answer.json
        ? answer.json.accounts
        : [];
    const id = Array.isArray(accounts) ? textAt(accounts[0], 'resourceId') : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}
