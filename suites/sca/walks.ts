import { randomUUID } from 'node:crypto';
import { createAnew } from '../../src/checks/awaiting-sca.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { describeAnswer, refused } from '../../src/checks/expectation.ts';
import {
  ExpectationFailed,
  Inconclusive,
  LostOnTheWay,
  NotApplicable,
  NotOffered,
  notCreated,
  SentBack,
} from '../../src/checks/outcomes.ts';
import { aPayment, drawCall, offeredProduct } from '../../src/checks/subject.ts';
import { callThroughSca, notPassed, pageOf, repeatedAfterSca } from '../../src/checks/through-sca.ts';
import type { Capability } from '../../src/target/capabilities.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call, Psu, Variation } from '../../src/tpp/call.ts';
import { msUntil } from '../../src/tpp/patience.ts';
import { readScaReturn, type ScaReturn } from '../../src/tpp/sca/sca-return.ts';
import {
  mostBeginnings,
  type PassedSca,
  type ScaPerson,
  ScaWalkError,
  saysNothingOfBank,
} from '../../src/tpp/sca/sca-walker.ts';
import { type PaymentByNumber, type ScaLink, scaLinkOf, startSca } from '../../src/tpp/sca/start-sca.ts';
import { namedDebtorOf, paymentFrom } from '../payments/named-debtors.ts';
import { type Customer, noSuchTpp } from './spare-customers.ts';

/** What a check needs that passes SCA by itself. */
export const walking: readonly Capability[] = ['sca-unattended', 'national-id'];

/** A session in which nobody has passed SCA. */
export const newSession = ({ psu }: CheckContext): Psu => ({
  sessionId: randomUUID(),
  ipAddress: psu.ipAddress,
  redirectUri: psu.redirectUri,
});

/** Calls for a customer, as the TPP that acts for them. */
export const callFor =
  (context: CheckContext, { identity }: Pick<Customer, 'identity'>, psu: Psu) =>
  (call: Call, variation: Variation = {}, purpose?: string): Promise<Answer> =>
    context.call(
      { ...call, psu },
      identity === undefined ? variation : { ...variation, signing: { ...variation.signing, identity } },
      purpose,
    );

/** A path that is only referred to need not be there. */
export function mustBeOffered(answer: Answer, operation: string): void {
  if (answer.isAbsent) {
    throw new NotOffered(
      `The bank does not offer ${operation} (${answer.status}). If it stands elsewhere, give its path under paths of the target file.`,
    );
  }
}

/** The link scaRedirect of a request without PSU-ID in that session. Without a customer nobody passes SCA there. */
export async function askForSca(
  context: CheckContext,
  customer: Partial<Customer>,
  psu: Psu,
): Promise<string> {
  const { link, answers } = await startSca(
    (call, variation) => callFor(context, customer, call.psu ?? psu)(call, variation, 'start SCA'),
    psu,
    () => paymentByNumber(context, customer),
  );
  if (link !== undefined) return link;
  const [accounts, user] = answers;
  if (accounts?.isAbsent && user?.isAbsent)
    throw new NotOffered(
      'The bank offers neither GET /v1/accounts nor GET /v1/user, so that SCA begins with payments only. If they stand elsewhere, give their paths under paths of the target file.',
    );
  if (customer.identity !== undefined && answers.every((answer) => refused().met(answer, context.readings)))
    throw new NotApplicable(noSuchTpp(answers.map(describeAnswer).join('; ')));
  throw new Inconclusive(
    `SCA could not be started: no request without PSU-ID was answered with a link scaRedirect (${answers.map(describeAnswer).join('; ')}).`,
  );
}

/** A payment that SCA can begin with. It has to be known what the customer pays from. */
function paymentByNumber(context: CheckContext, customer: Partial<Customer>): PaymentByNumber | undefined {
  const { target } = context;
  const { nationalId = target.psu.nationalId, context: role = target.psu.context } = customer;
  const debtor = namedDebtorOf(target, nationalId);
  if (nationalId === undefined || debtor === undefined) return undefined;
  if (context.missing('create-payments') !== undefined) return undefined;
  return { payment: paymentFrom(context, offeredProduct(context), debtor), nationalId, context: role };
}

/** Passes SCA in that session. A walk that died on the way is begun again with a new link. */
export async function passSca(
  context: CheckContext,
  customer: Customer,
  psu: Psu = newSession(context),
  meanwhile: (context: CheckContext, customer: Customer) => Promise<void> = async () => {},
): Promise<PassedSca> {
  for (let attempt = 1; ; attempt += 1) {
    const link = await askForSca(context, customer, psu);
    await meanwhile(context, customer);
    try {
      const back = await walk(context, link, customer, psu.redirectUri);
      await learnSessions(context, customer, psu, back);
      return back;
    } catch (error) {
      if (!(error instanceof LostOnTheWay) || attempt === mostBeginnings) throw error;
    }
  }
}

/** A bank may know a session a moment after SCA: the first that is begun in a run shows whether it does. */
async function learnSessions(
  { run }: CheckContext,
  { identity }: Customer,
  psu: Psu,
  { psuId: id, psuCorporateId: corporateId }: ScaReturn,
): Promise<void> {
  if (id === undefined) return;
  const client = identity === undefined ? run.client : run.client.with({ identity });
  const known = { ...psu, id, ...(corporateId === undefined ? {} : { corporateId }) };
  const ask = () => client.call({ operation: 'listAccounts', psu: known }, {}, 'is the session known');
  await run.client.ripening.learnSessions(() => msUntil(run, ask, ({ asksForSca }) => !asksForSca));
}

/** Walks from a link to the TPP. */
export async function walk(
  context: CheckContext,
  link: ScaLink,
  { nationalId, context: role, deselects = [], deselectsCards = [] }: Omit<ScaPerson, 'redirectUri'>,
  redirectUri: string = context.psu.redirectUri,
): Promise<PassedSca> {
  const person = { nationalId, context: role, redirectUri, deselects, deselectsCards };
  const page = await pageOf(context, link);
  const back: PassedSca = await context.run.walker
    .pass(page, person, (exchange) => context.exchanges.push(exchange))
    .catch(elsewhere(context));
  // One that failed may name its session as well; one that was passed and lacks psu-id has no status.
  const hasFailed = back.code !== undefined && (back.sessionId === undefined || Boolean(back.status));
  if (back.psuId === undefined && hasFailed) {
    throw new SentBack(
      `SCA was not passed: the bank sent the PSU back with ${[back.status, back.code, back.message].join(' ')}.`,
    );
  }
  return back;
}

/** Cancels SCA as soon as it is known for whom. Undefined where that cannot be: many pages know no such way. */
export const abortScaLate = async (
  context: CheckContext,
  link: ScaLink,
  { nationalId, context: role }: Pick<ScaPerson, 'nationalId' | 'context'>,
): Promise<ScaReturn | undefined> =>
  context.run.walker
    .abort(await pageOf(context, link), { nationalId, context: role, isLate: true }, (exchange) =>
      context.exchanges.push(exchange),
    )
    .catch(elsewhere(context))
    .catch(unlessLeftBehind);

/**
 * Cancels SCA, at a later page where somebody is named to it and the first knows no way to: SCA may be over then.
 * Undefined where the pages offer none. Whoever is left behind on a page of the bank is an error here.
 */
export const cancelSca = async (
  context: CheckContext,
  link: ScaLink,
  { nationalId = '', context: role }: Partial<Customer> = {},
): Promise<ScaReturn | undefined> =>
  context.run.walker
    .abort(
      await pageOf(context, link),
      nationalId === '' || role === undefined ? {} : { nationalId, context: role },
      (exchange) => context.exchanges.push(exchange),
    )
    .catch(elsewhere(context));

/** Who only wants SCA to be cancelled cannot go on from a page that leads nowhere: that is judged by itself (RDF-02). */
function unlessLeftBehind(error: unknown): undefined {
  const cause = error instanceof Inconclusive ? error.cause : undefined;
  if (!(cause instanceof ScaWalkError) || cause.kind !== 'left-behind') throw error;
  return undefined;
}

/** The same, and undefined where the PSU is left behind as well. */
export const tryToAbortSca: typeof cancelSca = (...asked) => cancelSca(...asked).catch(unlessLeftBehind);

/** The same where the check does not apply if there is no way to cancel. */
export async function abortSca(
  context: CheckContext,
  link: ScaLink,
  customer?: Partial<Customer>,
): Promise<ScaReturn> {
  const back = await tryToAbortSca(context, link, customer);
  if (back === undefined) {
    throw new NotApplicable(
      'No way to cancel was found on the SCA page: set psu.sca to form and name the button as psu.form.cancel in the target file, or let the script of psu.module export a function cancel. Where the pages of the bank have no way to, declare what needs one as notOffered.',
    );
  }
  return back;
}

/** A redirect to another address is judged by itself (SCA-03); its parameters are read all the same. */
const elsewhere =
  (context: CheckContext) =>
  (error: unknown): ScaReturn => {
    if (!(error instanceof ScaWalkError)) throw error;
    if (error.kind === 'not-listed')
      throw new NotApplicable(`Such a customer cannot be chosen: ${error.message}`, { cause: error });
    if (error.address === undefined) throw notPassed(error);
    context.note(error.message);
    return readScaReturn(error.address);
  };

/** SCA came to nothing at the bank, and not on the way to it: then the bank may be the reason. */
export const isRefusedSca = (error: unknown): error is Inconclusive =>
  error instanceof Inconclusive && !saysNothingOfBank(error.cause);

/** Whether SCA comes to nothing at the bank again: once may be a page that something before the bank has put there. */
export async function isRefusedAgain(context: CheckContext, customer: Customer): Promise<boolean> {
  try {
    await passSca(context, customer);
    return false;
  } catch (error) {
    if (!isRefusedSca(error)) throw error;
    return true;
  }
}

/** A customer with a session in which SCA was passed. */
export interface Login extends Pick<PassedSca, 'granted' | 'grantedBoxes'> {
  readonly psu: Psu;
  readonly call: ReturnType<typeof callFor>;
  /** Who passes SCA again where a request in this session asks for it; absent for the PSU of the run, or if unknown. */
  readonly customer?: Customer;
}

export async function logIn(
  context: CheckContext,
  customer: Customer,
  psu = newSession(context),
): Promise<Login> {
  const {
    psuId,
    psuCorporateId,
    granted = [],
    grantedBoxes = granted.length,
  } = await passSca(context, customer, psu);
  if (psuId === undefined)
    throw new Inconclusive('SCA was passed, but the bank sent the PSU back without psu-id.');
  const company = psuCorporateId === undefined ? {} : { corporateId: psuCorporateId };
  const known: Psu = { ...psu, id: psuId, ...company };
  return { psu: known, call: callFor(context, customer, known), customer, granted, grantedBoxes };
}

/**
 * Sends a request of someone who has passed SCA, of which something is to come. SCA may be required on any transaction
 * (PSU identification and SCA), whatever was passed before: then they pass it in the same session, and it is sent again.
 */
export async function callAgainAfterSca(
  context: CheckContext,
  login: Pick<Login, 'call' | 'customer'> & Partial<Pick<Login, 'psu'>>,
  request: Call,
  purpose: string,
): Promise<Answer> {
  let answer = await login.call(request, {}, purpose);
  // Other checks act in the same session, so that it may be asked for once more in between.
  for (let times = 1; times <= mostAsked && answer.asksForSca; times += 1) {
    const next = await afterScaOf(context, login, answer, request, purpose);
    if (next === undefined) return answer;
    answer = next;
  }
  return answer;
}

/** Whoever is asked for SCA again and again gets nowhere. */
const mostAsked = 3;

async function afterScaOf(
  context: CheckContext,
  { call, customer, psu }: Parameters<typeof callAgainAfterSca>[1],
  answer: Answer,
  request: Call,
  purpose: string,
): Promise<Answer | undefined> {
  if (customer === undefined) {
    const again = psu === undefined ? request : { ...request, psu };
    return repeatedAfterSca(context, answer, again, {}, purpose);
  }
  const link = scaLinkOf(answer);
  if (link === undefined || context.missing('sca-unattended') !== undefined) return undefined;
  await walk(context, link, customer);
  return call(request, {}, `${purpose}, after SCA`);
}

/** The PSU of the target file, in the session of the run: SCA in the same session ends nothing (Limits). */
export const ownCustomer = ({ target }: CheckContext): Customer => ({
  nationalId: target.psu.nationalId ?? '',
  context: target.psu.context,
});

/** psu.other of the target file in the session in which SCA was passed; undefined where it names none. */
export function otherPsu(context: CheckContext): Psu | undefined {
  const { other, context: inContext } = context.target.psu;
  const { id, sessionId, corporateId } = other ?? {};
  if (id === undefined || sessionId === undefined) return undefined;
  const known = { ...newSession(context), id, sessionId };
  return inContext === 'PRIVATE' || corporateId === undefined ? known : { ...known, corporateId };
}

/**
 * The link at which the PSU approves a new payment. A payment that is created in an authorised session without one may
 * await its signature in a basket.
 */
export async function linkOfPayment(context: CheckContext): Promise<ScaLink> {
  const answer = await createToApprove(context, context.psu);
  return linkOfCreated(context, answer);
}

/** The link at which a payment is approved that was created for that PSU: its own, or that of a basket of it. */
export async function linkOfCreated(
  context: CheckContext,
  created: Answer,
  psu: Psu = context.psu,
): Promise<ScaLink> {
  const link = scaLinkOf(created) ?? (await linkOfBasket(context, created.text('paymentId'), psu));
  if (link !== undefined) return link;
  if (created.isSuccess) throw new NotApplicable(exempted);
  throw notCreated(created, `There is nothing to approve: creation was answered ${describeAnswer(created)}.`);
}

/** The same for whoever only looks at the page: then it may also be that of a session in which SCA was not passed. */
export async function linkOfUnapprovedPayment(context: CheckContext): Promise<ScaLink> {
  try {
    return await linkOfPayment(context);
  } catch (error) {
    if (!(error instanceof NotApplicable)) throw error;
    const { sessionId } = newSession(context);
    const link = scaLinkOf(await createToApprove(context, { ...context.psu, sessionId }));
    if (link === undefined) throw error;
    return link;
  }
}

const exempted =
  'The bank exempts payments from SCA, alone and in a basket, so that there is none to look at. The redirects of other SCA are judged by themselves; a requirement that stays open is declared as notOffered in the target file.';

const createToApprove = (context: CheckContext, psu: Psu): Promise<Answer> =>
  createAnew(
    context,
    async () => ({ ...(await drawCall(context, aPayment(offeredProduct(context)))), psu }),
    (call) => context.call(call, {}, 'create a payment to approve'),
  );

async function linkOfBasket(
  context: CheckContext,
  id: string | undefined,
  psu: Psu,
): Promise<ScaLink | undefined> {
  if (id === undefined) return undefined;
  const call = { operation: 'createSigningBasket', body: { paymentIds: [id] }, psu } as const;
  return scaLinkOf(await callThroughSca(context, call, 'a basket to approve it in'));
}

/** What is found instead of a page; undefined when it is one. */
export async function whatIsAt(context: CheckContext, link: ScaLink): Promise<string | undefined> {
  const page = await pageOf(context, link);
  // Only now: reading pages takes packages that no other check needs.
  const { PageBrowser } = await import('../../src/tpp/sca/page-browser.ts');
  const browser = new PageBrowser(context.run.pages, context.psu.redirectUri, (exchange) =>
    context.exchanges.push(exchange),
  );
  try {
    const { look = (open) => open() } = context.run.walker;
    return await look(async () => {
      const place = await browser.open(page);
      if (place.at === 'tpp') return `a redirect straight back to the TPP`;
      const form = place.isBlank ? 'a blank page' : place.contentType || 'no Content-Type';
      const found = `status ${place.status}, ${form}`;
      if (place.status >= 400) throw new ScaWalkError('stuck', found, undefined, place.status);
      const isPage = /html/i.test(place.contentType) && !place.isBlank;
      return place.status >= 200 && place.status < 300 && isPage ? undefined : found;
    });
  } catch (error) {
    if (!(error instanceof ScaWalkError)) throw error;
    if (['unreachable', 'lost', 'off-limits'].includes(error.kind)) throw notPassed(error);
    return error.message;
  }
}

/** The link of an answer, where it has one, leads to a page wherever it was given. */
export async function mustLeadToAPage(context: CheckContext, answer: Answer, what: string): Promise<void> {
  const link = scaLinkOf(answer);
  const actual = link === undefined ? undefined : await whatIsAt(context, link);
  if (link !== undefined && actual === undefined) context.held.add('SCA-02');
  if (actual === undefined) return;
  context.evidence = [answer.exchange, ...context.exchanges.slice(-1)];
  throw new ExpectationFailed(
    `the link scaRedirect of ${what} to lead to an HTML page (2xx)`,
    actual,
  ).breaking('SCA-02');
}
