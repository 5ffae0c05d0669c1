import type { Readings } from '../spec/interpretations.ts';
import { member } from '../spec/json.ts';
import { isCreation } from '../spec/products.ts';
import type { Answer } from '../tpp/answer.ts';
import { beginningOf } from '../tpp/limits.ts';
import type { CheckContext } from './context.ts';
import { doneBefore, ExpectationFailed, Inconclusive, isRefusedRepetition } from './outcomes.ts';

/** What an answer has to be. `text` completes the sentence "Expected …". */
export interface Expectation {
  readonly text: string;
  readonly met: (answer: Answer, readings: Readings) => boolean;
  /** Whether being asked for SCA is an answer to the question, not a detour. */
  readonly scaIsAnAnswer?: boolean;
  /** Whether the request has to go through, so that a refusal may also mean that the bank has seen its like before. */
  readonly isAcceptance?: boolean;
  /** What an answer that does not meet it breaks, where the answer tells that it is not the requirement of the step alone. */
  readonly breaks?: (answer: Answer, readings: Readings) => string | readonly string[] | undefined;
}

/** The exchange shows all of it; a reason is one line. */
const shortened = (text: string): string => (text.length <= 160 ? text : `${beginningOf(text, 159)}…`);

/** How an answer is told: `400, FORMAT_ERROR creditorName too long`, or `201 (accepted), WARNING FORMAT_ERROR …`. */
export function describeAnswer(answer: Answer): string {
  // That an error refuses goes without saying; the same code next to a success does not.
  const usual = answer.isSuccess ? undefined : 'ERROR';
  const told = answer.messages
    .slice(0, 3)
    .map(({ category, code, path, text }) =>
      [category === usual ? undefined : category, code, path, text].filter((part) => part).join(' '),
    );
  const messages = (told.length === 0 ? [answer.complaint ?? ''] : told)
    .filter((message) => message !== '')
    .map((message) => shortened(message.replaceAll(/\s+/g, ' ').trim()))
    // It stands within a sentence of ours, which ends by itself.
    .map((message) => message.replace(/\.$/, ''));
  const sca = answer.asksForSca ? ['with a scaRedirect link'] : [];
  const accepted = answer.isSuccess && messages.length > 0 ? ' (accepted)' : '';
  return [`${answer.status}${accepted}${leadingTo(answer)}`, ...sca, ...messages].join(', ');
}

/** Of an address elsewhere the host is enough: the rest may be secret. */
function leadingTo({ status, headers }: Answer): string {
  const address = status >= 300 && status < 400 ? headers.get('Location') : undefined;
  return address !== undefined && URL.canParse(address) ? ` to ${new URL(address).origin}` : '';
}

/** The request went through: a 2xx, or 401 with a scaRedirect link where the reading allows it. */
export function wentThrough(answer: Answer, readings: Readings): boolean {
  return answer.isSuccess || (answer.asksForSca && readings.paymentSca === 'either');
}

/**
 * Any 4xx, since the specification fixes no status for most faults. 408 and 429 say nothing about the request,
 * and 401 with a scaRedirect link asks the customer in, which is no refusal. A 5xx is never one.
 */
function isRefusal(answer: Answer, readings: Readings): boolean {
  if (answer.asksForSca) return false;
  if (readings.refusalStatus === '400') return answer.status === 400;
  return answer.status >= 400 && answer.status < 500 && answer.status !== 408 && answer.status !== 429;
}

export const refused = (): Expectation => ({ text: 'a refusal (4xx)', met: isRefusal });

/** For faults in who the customer is: a request for SCA refuses as well. */
export const refusedOrAskedForSca = (): Expectation => ({
  text: 'a refusal (4xx) or 401 with a scaRedirect link',
  met: (answer, readings) => answer.asksForSca || isRefusal(answer, readings),
  scaIsAnAnswer: true,
});

/** A session that has ended: any 4xx, unless the reading demands the link. */
export const sessionEnded = (): Expectation => ({
  text: 'a refusal (4xx), with or without a link named scaRedirect',
  met: (answer, readings) =>
    answer.asksForSca || (readings.endedSession === 'any-4xx' && isRefusal(answer, readings)),
  scaIsAnAnswer: true,
});

/** The specification fixes the status, and perhaps the code. */
export const rejectedWith = (status: number, code?: string): Expectation => ({
  text: code === undefined ? `status ${status}` : `status ${status} with code ${code}`,
  met: (answer) => answer.status === status && (code === undefined || tellsCode(answer, code)),
});

/**
 * The shape of an error body is not shown: where it has no tppMessages, the code may stand anywhere, by itself or at the
 * end of an address, as the type of a problem of RFC 7807 is written.
 */
function tellsCode({ json, messages }: Answer, code: string): boolean {
  const isOwnShape = member(json, 'tppMessages') === undefined;
  return messages.some((message) => message.code === code) || (isOwnShape && holdsText(json, code));
}

const holdsText = (value: unknown, text: string, depth = 5): boolean =>
  value === text ||
  (typeof value === 'string' &&
    /^[a-z][a-z0-9+.-]*:\S*$|^\/\S*$/i.test(value) &&
    endsWithName(value, text)) ||
  (depth > 0 &&
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((inside) => holdsText(inside, text, depth - 1)));

const endsWithName = (address: string, name: string): boolean => address.split(/[/#:?=]/).at(-1) === name;

export const accepted = (): Expectation => ({
  text: 'the request to be accepted (2xx)',
  met: wentThrough,
  isAcceptance: true,
});

/** Whoever complains of a KID takes no KID, in whatever form it stands. */
export const acceptedWithKid: Expectation = {
  ...accepted(),
  breaks: ({ messages }) =>
    messages.some(({ code }) => code?.startsWith('KID_') === true) ? 'REM-11' : undefined,
};

/** "Response: created". With another success it may be another requirement that is broken. */
export const created = (otherSuccess?: string): Expectation => ({
  text: 'status 201',
  breaks: ({ isSuccess }) => (isSuccess ? otherSuccess : undefined),
  met: (answer, readings) => answer.status === 201 || (answer.asksForSca && readings.paymentSca === 'either'),
  isAcceptance: true,
});

export const answeredOk = (): Expectation => ({ text: 'status 200', met: (answer) => answer.status === 200 });

/** Accepted or 400: for characters that a downstream system may not be able to process. */
export const acceptedOr400 = (): Expectation => ({
  text: 'the request to be accepted (2xx) or status 400',
  met: (answer, readings) => wentThrough(answer, readings) || answer.status === 400,
  isAcceptance: true,
});

/** Norwegian letters: accepted, or 400 where the reading says that the bank cannot process them. */
export const acceptedAsLetters = (): Expectation => ({
  ...accepted(),
  met: (answer, readings) =>
    wentThrough(answer, readings) || (readings.letters === 'ascii-only' && answer.status === 400),
});

/** Whoever refuses in another way may break another requirement than one who asks for nothing. */
export const asksForSca = (otherRefusal?: string): Expectation => ({
  text: 'status 401 with a link named scaRedirect',
  breaks: ({ isSuccess }) => (isSuccess ? undefined : otherRefusal),
  met: (answer) => answer.asksForSca,
  scaIsAnAnswer: true,
});

/** Created at once, with or without a link to the SCA that is to come; or SCA is asked for before anything is created. */
export const succeededOrAskedForSca = (): Expectation => ({
  text: 'a success (2xx) or status 401 with a link named scaRedirect',
  met: (answer) => answer.isSuccess || answer.asksForSca,
  scaIsAnAnswer: true,
});

/** What it has done the next one may stumble over: a payment is a duplicate then, is in a basket already, or is gone. */
const isDoneOnce = ({ exchange: { operation } }: Answer): boolean =>
  operation === 'createSigningBasket' || operation === 'deletePayment' || isCreation(operation);

/** Holds an answer to what is expected, with the exchange as evidence. */
export function expectAnswer(
  context: CheckContext,
  answer: Answer,
  { met, text, breaks }: Expectation,
  when: string,
): void {
  context.evidence = [answer.exchange];
  if (met(answer, context.readings)) return;
  // The link that makes a 401 ask for SCA may stand in what was not read of it.
  if (answer.status === 401) throwUnlessRead(answer);
  if (isDoneOnce(answer) && isRefusedRepetition(answer)) throw doneBefore(answer);
  throw new ExpectationFailed(`${text} ${when}`, describeAnswer(answer)).breaking(
    breaks?.(answer, context.readings),
  );
}

/** The body of an answer that was not read whole says neither this nor that. */
const throwUnlessRead = (answer: Answer): void => void answer.json;

/** A step that has to succeed before anything can be concluded. */
export function mustSucceed(answer: Answer, what: string): Answer {
  if (answer.isSuccess) return answer;
  if (isDoneOnce(answer) && isRefusedRepetition(answer)) throw doneBefore(answer);
  throw new Inconclusive(
    `The control was refused: ${what} was answered ${describeAnswer(answer)}. Nothing follows from what comes after it.`,
  );
}

/** Any 2xx: the shapes of this operation are not shown. */
export const succeeded = (): Expectation => ({ text: 'a success (2xx)', met: (answer) => answer.isSuccess });
