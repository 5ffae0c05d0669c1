import fc from 'fast-check';
import type { RunContext } from '../checks/context.ts';
import { describeAnswer, wentThrough } from '../checks/expectation.ts';
import { isRefusedRepetition } from '../checks/outcomes.ts';
import { creditorIn, nameTheCreditor } from '../checks/strangers.ts';
import { Amounts } from '../payloads/amounts.ts';
import { simplePaymentsOf } from '../payloads/payments.ts';
import { digestHeader } from '../signing/digest.ts';
import { codesOfScaAndConsent } from '../spec/code-lists.ts';
import { isoDate } from '../spec/days.ts';
import type { OperationName } from '../spec/operations.ts';
import { createdBy, isCreation } from '../spec/products.ts';
import { payableProducts } from '../target/capabilities.ts';
import type { Target } from '../target/target.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Call, Variation } from '../tpp/call.ts';
import type { TppClient } from '../tpp/client.ts';
import { NoAnswerError } from '../tpp/exchange.ts';
import { explainTrouble } from './explain-trouble.ts';
import { takesAllHeadersOnly } from './takes-all-headers.ts';

interface Paid {
  readonly operation: OperationName;
  readonly creditor: string | undefined;
}

/** What is known of a target before any check is run. */
export interface Preflight {
  /** Why no check can be run; every check would run into the same blocker. */
  readonly blocker?: string;
  /** What is odd and yet no reason to stop. */
  readonly remarks: readonly string[];
  /** A correct request that went through. */
  readonly control?: Call;
  /** The Digest that the bank takes, where it refuses that by SHA-256. */
  readonly digest?: (body: Buffer) => string;
  /** What a sandbox lists as its customers. */
  readonly customers?: readonly unknown[];
  /** A payment without any fault was refused. */
  readonly refusesPayments?: boolean;
  /** Payments that went through, and the accounts that they went to: the bank pays these, whoever has named them. */
  readonly paid?: readonly Paid[];
}

/**
 * Reaches the target with correct requests. It stops a run only when nothing that comes back can be laid at the bank's
 * door: nobody answers, who answers is not the interface, or each request is refused, for which our own certificate,
 * PSU or address may be the reason. What else is wrong breaks a requirement, and the checks on that say so.
 */
export async function preflight(
  { target, client, withoutPsu }: Pick<RunContext, 'target' | 'client' | 'withoutPsu'>,
  seed: number,
  { hasPassedSca = false }: { readonly hasPassedSca?: boolean } = {},
): Promise<Preflight> {
  const outOfDate = certificateBlocker(target);
  if (outOfDate !== undefined) return { blocker: outOfDate, remarks: [] };
  const calls = withoutPsu === undefined ? correctCalls(target, seed) : [readingCall(target)];
  const tries: Try[] = [];
  const troubles: NoAnswerError[] = [];
  for (const one of calls) {
    try {
      const first = await tried(client, one);
      // What died on the way may have been carried out, and be refused as a duplicate: another one tells more.
      const other = isRefusedRepetition(first.answer) ? anotherOf(target, one, seed) : undefined;
      tries.push(other === undefined ? first : await tried(client, other));
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      troubles.push(error);
      // Who does not answer at all is not asked again; who turns one kind of request away may take another.
      if (error.answer === undefined && tries.length === 0) break;
    }
    // The first answer has a Date: the next request goes by it, if that is the bank's clock at all.
    if (tries.length === 1) await learnTheClock(client);
  }
  const [trouble] = troubles;
  if (tries.length === 0 && trouble !== undefined) {
    return { blocker: explainTrouble(target, trouble), remarks: [] };
  }
  const found = await judged(target, client, tries, hasPassedSca);
  // Whoever is not the interface has no SCA to pass either.
  const isOther = tries.every(({ answer }) => isPage(answer));
  if (found.blocker !== undefined && withoutPsu !== undefined && !isOther) {
    return { ...found, blocker: `${withoutPsu}\n${found.blocker}` };
  }
  return {
    ...found,
    remarks: [...troubles.map(({ message }) => message), ...found.remarks],
    customers: customersIn(tries),
    refusesPayments: tries.some(({ call, answer }) => call.body !== undefined && isRefusal(answer)),
    paid: tries
      .filter(({ call, answer }) => isCreation(call.operation) && wentThrough(answer, target.readings))
      .map(({ call: { operation }, answer }) => ({ operation, creditor: creditorIn(answer) })),
  };
}

const customersIn = (tries: readonly Try[]): readonly unknown[] =>
  tries.flatMap(({ call, answer }) => {
    const listed = call.operation === 'listSandboxCustomers' ? jsonOf(answer) : undefined;
    return Array.isArray(listed) ? listed : [];
  });

/** A listing without an end tells nobody's name; the checks on it say what is wrong with it. */
function jsonOf(answer: Answer): unknown {
  try {
    return answer.json;
  } catch (error) {
    if (error instanceof NoAnswerError) return undefined;
    throw error;
  }
}

/** A signing certificate that is not valid now: known before anything is sent. */
function certificateBlocker({ identities }: Target): string | undefined {
  const { notAfter, notBefore } = identities.main.certificate;
  const now = new Date();
  return now > notAfter || now < notBefore
    ? `The signing certificate is valid from ${isoDate(notBefore)} to ${isoDate(notAfter)}, which is not now. Give a valid one as signing.certificate.`
    : undefined;
}

interface Try extends NamedCall {
  readonly answer: Answer;
}

const tried = async (client: TppClient, one: NamedCall): Promise<Try> => ({
  ...one,
  answer: await client.call(one.call, {}, 'preflight'),
});

/** Another payment of the kind; undefined where it is no payment. */
const anotherOf = (target: Target, { name }: NamedCall, seed: number): NamedCall | undefined =>
  paymentCalls(target, seed + 1).find((other) => other.name === name);

async function judged(
  target: Target,
  client: TppClient,
  tries: readonly Try[],
  hasPassedSca: boolean,
): Promise<Preflight> {
  // How a payment asks for SCA is a reading; what only reads may do so in any case.
  const isThrough = ({ call, answer }: Try): boolean =>
    (wentThrough(answer, target.readings) || (call.body === undefined && answer.asksForSca)) &&
    !isPage(answer);
  const told = (one: Try): string => `${one.name}: ${describeAnswer(one.answer)}`;
  const refusedOnes = tries.filter((one) => !isThrough(one));
  const remarks = [
    ...refusedOnes.map(
      (one) => `A correct request was refused: ${told(one)}${aboutTheAccounts(target, one)}`,
    ),
    ...aboutTheClock(client),
  ];
  const control = tries.find(isThrough)?.call;
  const bySha = await withSha512(client, refusedOnes);
  if (bySha !== undefined && isThrough(bySha)) {
    const learned =
      'Payments are taken with a SHA-512 Digest and not with SHA-256: the run goes on with SHA-512.';
    return {
      remarks: [...remarks, learned],
      digest: bySha512,
      ...(control === undefined ? {} : { control }),
    };
  }
  if (control !== undefined) return { remarks, control };
  // Who has let the PSU through SCA is the bank, and takes our certificate.
  if (hasPassedSca || (await isTheInterface(target, client, tries))) return { remarks };
  const reading = tries.find(({ call }) => call.body === undefined);
  const whyRefused = reading && (await takesAllHeadersOnly(target, client, reading.call, reading.answer));
  if (whyRefused !== undefined) return { remarks: [...remarks, whyRefused] };
  const lines = tries.map((one) => `  ${told(one)}`);
  const blocker = tries.every(({ answer }) => isPage(answer))
    ? [
        'What answers there is not the interface: it answers correct requests with web pages.',
        ...lines,
        'Look at baseUrl.',
      ]
    : [
        'No correct request goes through, so there is nothing to judge:',
        ...lines,
        ...(tries.every(({ answer }) => leadsElsewhere(answer)) ? [notFollowed] : []),
        'Look at signing.certificate (does the bank trust it, has it the PISP role?), psu (id and session), psu.redirectUri (where TPPs register theirs), userAgent (where a firewall takes some only), accounts.debtor, accounts.creditor and baseUrl.',
      ];
  return { blocker: blocker.join('\n'), remarks: [] };
}

export const leadsElsewhere = ({ status }: Answer): boolean => status >= 300 && status < 400;

export const notFollowed =
  'Redirects are not followed, since what was signed would go to another address: where the bank is there, put that address into baseUrl.';

/** An account that is not that of the PSU is no fault of the bank, which would be blamed for every payment. */
const aboutTheAccounts = ({ accounts }: Target, { call, answer }: Try): string => {
  if (/debtor/i.test(describeAnswer(answer)))
    return '. Where the PSU of the target file cannot pay from accounts.debtor, give another account: the bank is judged by payments from it.';
  const product = createdBy(call.operation);
  const isMadeUp = !accounts.namedCreditors.includes(creditorIn(answer) ?? '');
  return product !== undefined && isMadeUp && isRefusal(answer)
    ? `. The account that it was to go to is made up. ${nameTheCreditor(product)}`
    : '';
};

/**
 * A payment that was refused, with a SHA-512 Digest; undefined where none was, or nobody answers. Both digests are allowed: a
 * bank that refuses one of them, and takes the same payment with the other, is at fault.
 */
async function withSha512(client: TppClient, refusedOnes: readonly Try[]): Promise<Try | undefined> {
  // A gateway may tell the errors of a bank by pages.
  const first = refusedOnes.find(({ call, answer }) => is4xx(answer) && call.body !== undefined);
  if (first === undefined) return undefined;
  try {
    const variation = { signing: { digest: bySha512 } };
    const answer = await client.call(first.call, variation, 'preflight, once more with SHA-512');
    return { ...first, answer };
  } catch (error) {
    if (error instanceof NoAnswerError) return undefined;
    throw error;
  }
}

/**
 * Whether it is the interface that gives these answers, and not all of them are plain refusals, for which our own
 * certificate, PSU or address may be the reason. It gives itself away when it answers a request without a signature 400,
 * and the correct one otherwise, or by the code of one who knows the TPP and misses the PSU: that is no plain refusal.
 */
async function isTheInterface(target: Target, client: TppClient, tries: readonly Try[]): Promise<boolean> {
  try {
    // A PSU of the target file whom the bank does not know is a mistake of the file.
    const isMissing = (answer: Answer): boolean => target.psu.sca !== 'session' && missesThePsu(answer);
    const odd = tries.find(({ answer }) => !isRefusal(answer) || isMissing(answer));
    if (odd === undefined) return false;
    const unsigned = await client.call(readingCall(target).call, withoutSignature, 'preflight, unsigned');
    return unsigned.status === 400 && !isPage(unsigned) && !missesThePsu(unsigned);
  } catch (error) {
    if (error instanceof NoAnswerError) return false;
    throw error;
  }
}

const missesThePsu = ({ messages }: Answer): boolean =>
  messages.some(({ code = '' }) => codesOfScaAndConsent.some((each) => each === code));

const is4xx = ({ status }: Answer): boolean => status >= 400 && status < 500;

const isRefusal = (answer: Answer): boolean => is4xx(answer) && !isPage(answer);

const bySha512 = (body: Buffer): string => digestHeader(body, 'SHA-512');
const withoutSignature: Variation = { afterSigning: ({ headers }) => headers.remove('Signature') };

function aboutTheClock({ clock }: TppClient): readonly string[] {
  const offset = Math.round(clock.offsetMs / 1000);
  if (Math.abs(offset) <= 5) return [];
  return [
    `The bank’s clock is ${Math.abs(offset)} s ${offset > 0 ? 'ahead of' : 'behind'} ours; dates follow the bank’s.`,
  ];
}

/** A web page: the interface answers with JSON. */
export const isPage = (answer: Answer): boolean =>
  /^\s*<(?:!doctype|html|h\d|body)\b/i.test(answer.bytes.toString('utf8'));

interface NamedCall {
  readonly name: string;
  readonly call: Call;
}

/** What the preflight sends: a signed request that changes nothing, and payments where they may be created. */
function correctCalls(target: Target, seed: number): readonly NamedCall[] {
  const payments = paymentCalls(target, seed);
  // A TPP that may pay in production need not be one that may read accounts.
  return target.environment !== 'sandbox' && payments.length > 0
    ? payments
    : [readingCall(target), ...payments];
}

/** A signed request that changes nothing. */
export const readingCall = (target: Target): NamedCall =>
  listsCustomers(target)
    ? { name: 'sandbox customers', call: { operation: 'listSandboxCustomers' } }
    : { name: 'accounts', call: { operation: 'listAccounts' } };

/** A test environment may have none of the operations of a sandbox, and says so. */
const listsCustomers = ({ environment, notOffered }: Target): boolean =>
  environment === 'sandbox' &&
  !notOffered.some(({ what }) => what === 'sandbox' || what === 'listSandboxCustomers');

/** A payment of each kind; none where payments may not be created. */
export function paymentCalls(target: Target, seed: number): readonly NamedCall[] {
  const facts = { ...target.accounts, now: new Date(), letters: 'ascii-only' as const };
  const amounts = new Amounts(seed, -1);
  return payableProducts(target).map((product) => {
    const [body] = fc.sample(simplePaymentsOf(product, facts, amounts), { seed, numRuns: 1 });
    return { name: `${product.word} payment`, call: { operation: product.creation, body } };
  });
}

/** A Date of the request may be off by 60 s (Authentication, Transport and signing, 4): less needs no second look. */
const tolerableMs = 30_000;

/**
 * Asks for something that changes nothing, so that the bank's clock is known before the first check. Otherwise the
 * requests that are under way until the first answer would carry the date of this machine, which may be off. Where the
 * bank's Date is far from ours, it may also be the Date that is wrong: whichever clock the bank takes is the right one.
 */
export async function learnTheClock(client: TppClient): Promise<void> {
  try {
    if (!client.clock.measured) await ask(client);
    if (Math.abs(client.clock.offsetMs) < tolerableMs || isTaken(await ask(client))) return;
    const withOurDate: Variation = {
      beforeSigning: ({ headers }) => headers.set('Date', new Date().toUTCString()),
    };
    if (isTaken(await ask(client, withOurDate))) client.clock.distrust();
  } catch (error) {
    // The checks will run into the same trouble, and tell of it.
    if (!(error instanceof NoAnswerError)) throw error;
  }
}

const ask = (client: TppClient, variation?: Variation): Promise<Answer> =>
  client.call({ operation: 'listAccounts' }, variation, 'learn the clock');

/** A request for SCA comes after the signature was looked at. */
const isTaken = ({ isSuccess, asksForSca }: Answer): boolean => isSuccess || asksForSca;
