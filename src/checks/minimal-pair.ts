import { decimal, leastOfProduct } from '../payloads/amounts.ts';
import { type JsonObject, removeAt } from '../payloads/json.ts';
import { withAmount } from '../payloads/kid.ts';
import { decodeWord } from '../signing/encoded-word.ts';
import { minorUnits } from '../spec/currencies.ts';
import type { Field } from '../spec/field.ts';
import { isObject, parsedJson } from '../spec/json.ts';
import { products } from '../spec/products.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { type CaseResult, judgeCase, type Question, sendIn, sendPlain, type Twist } from './case.ts';
import { type CheckContext, freshPaymentPurpose } from './context.ts';
import type { Context } from './contexts.ts';
import { wentThrough } from './expectation.ts';
import { saysNothing } from './outcomes.ts';
import type { Subject } from './subject.ts';

/** Requests that may still be spent on a failing case. */
export interface Budget {
  left: number;
}

/** What is looked into: the check, its question, the twist that fails, and what looking may still cost. */
export interface Search {
  readonly context: CheckContext;
  readonly question: Question;
  readonly twist: Twist;
  readonly budget: Budget;
}

/** A failing case with nothing about it but its fault, and the same request without the fault. */
export interface MinimalPair {
  readonly failing: CaseResult;
  readonly control: Control;
}

/** A request that the bank takes, next to one that it should not have taken, or should have. */
interface Control {
  /** As it was answered. */
  readonly exchange: Exchange;
  /** Its body; undefined where it has none. */
  readonly body: unknown;
  /** Its amount is another one, as that of every payment: no difference that matters. */
  readonly hasOtherAmount?: true;
}

/**
 * Takes away whatever the case fails without: its context, value by value, and its optional fields, one by one. What is
 * left over and its control differ by the fault alone. Undefined where the control of what is left does not go through.
 */
export async function minimalPair(search: Search, whole: CaseResult): Promise<MinimalPair | undefined> {
  const failing = await withoutFields(search, await withoutContext(search, whole));
  const control =
    search.question.control === 'none'
      ? await neighbourOf(search, failing)
      : ((await sameWithoutFault(search, failing)) ?? (await otherControl(search, failing)));
  return control === undefined ? undefined : { failing, control };
}

/** A case like a failing one; undefined where nothing can be said of it, or nothing more may be sent. */
export async function tryLike(
  { context, question, twist, budget }: Search,
  { values, drawn }: Pick<CaseResult, 'values' | 'drawn'>,
): Promise<CaseResult | undefined> {
  if (budget.left <= 0) return undefined;
  budget.left -= 1;
  try {
    return await judgeCase(context, question, { twist, values }, withFreshAmount(context, question, drawn));
  } catch (error) {
    if (!saysNothing(error)) throw error;
    return undefined;
  }
}

/** The case with less about it, as long as it fails. */
async function stillFailing(...tried: Parameters<typeof tryLike>): Promise<CaseResult | undefined> {
  const result = await tryLike(...tried);
  return result?.met === false ? result : undefined;
}

/** A strict bank would refuse the same payment a second time for being a duplicate. */
export function withFreshAmount(context: CheckContext, { of }: Question, body: JsonObject): JsonObject {
  const { instructedAmount } = body;
  if (of.payment === undefined || !isObject(instructedAmount)) return body;
  const currency = String(instructedAmount['currency']);
  // Nobody need take less than what the product is meant for, and more has to be reported.
  const digits = minorUnits.get(currency) ?? 2;
  const least = leastOfProduct(of.payment.product, currency, context.readings.smallTransfers);
  const isMeant = Number(instructedAmount['amount']) * 10 ** digits >= least;
  return withAmount(body, decimal((isMeant ? least : 0) + context.amounts.nextMinor(currency), digits));
}

async function withoutContext(search: Search, whole: CaseResult): Promise<CaseResult> {
  if (whole.values.length === 0) return whole;
  const usual = await stillFailing(search, { ...whole, values: [] });
  if (usual !== undefined) return usual;
  let left = whole;
  for (const value of whole.values) {
    const values: Context = left.values.filter((other) => other !== value);
    if (values.length === 0) break;
    left = (await stillFailing(search, { ...left, values })) ?? left;
  }
  return left;
}

async function withoutFields(search: Search, whole: CaseResult): Promise<CaseResult> {
  const fault = differences(whole.base, whole.sent);
  // What the fault is in stays in the control, where it is as it should be.
  const paths = droppableIn(whole.drawn, search.question).filter(
    (path) => !fault.some((place) => place.split(/[.[]/).slice(0, path.length).join() === path.join()),
  );
  const without = (drawn: JsonObject, dropped: readonly (readonly string[])[]): JsonObject =>
    dropped.reduce(removeAt, drawn);
  if (paths.length === 0) return whole;
  const atOnce = await stillFailing(search, { ...whole, drawn: without(whole.drawn, paths) });
  if (atOnce !== undefined) return atOnce;
  let left = whole;
  for (const path of paths) {
    const drawn = without(left.drawn, [path]);
    left = (await stillFailing(search, { ...left, drawn })) ?? left;
  }
  return left;
}

/**
 * The optional fields that a body has. Some are not optional for the payment that it is: an account without IBAN needs
 * the BIC of its bank, and without a rate nobody knows whether an amount has to be reported.
 */
function droppableIn(body: JsonObject, { of }: Question): readonly (readonly string[])[] {
  const { payment } = of;
  if (payment === undefined) return [];
  const isForeign = payment.product === products.crossBorder;
  const isNeeded = (name: string): boolean =>
    name.startsWith('regulatoryReporting') ||
    (name === 'creditorAgent' && isForeign && !/"iban"/.test(JSON.stringify(body['creditorAccount'] ?? '')));
  const optionalIn = (fields: readonly Field[], value: unknown, above: readonly string[]): string[][] =>
    fields.flatMap((field) => {
      const member = isObject(value) ? value[field.name] : undefined;
      if (member === undefined) return [];
      const path = [...above, field.name];
      if (field.ids.required === undefined && !['bban', 'iban', 'other'].includes(field.name)) {
        return isNeeded(field.name) ? [] : [path];
      }
      return optionalIn(field.fields ?? [], member, path);
    });
  return optionalIn(payment.product.table.fields, body, []);
}

/** With the same amount, where the bank takes that; a bank that has taken the fault may call it a duplicate. */
async function sameWithoutFault(
  { context, question, twist: { without } }: Search,
  { base, sent, values }: CaseResult,
): Promise<Control | undefined> {
  const { of, expected } = question;
  // What should have been taken is no fault: there the control is the usual request.
  const same = expected.isAcceptance === true ? base : (without?.(sent) ?? base);
  for (const body of [same, withFreshAmount(context, question, same)]) {
    const { exchange, ...answer } = await answerTo(context, of, values, body);
    // What refers to something else, as a basket does, is made when it is called.
    if (answer.isThrough) return { exchange, body: of.payment === undefined ? wireBody(exchange) : same };
  }
  return undefined;
}

async function answerTo(context: CheckContext, of: Subject, values: Context, body: JsonObject) {
  const answer = await sendIn(values, context, of, body);
  return { exchange: answer.exchange, isThrough: wentThrough(answer, context.readings) };
}

/**
 * Where the request is not taken without the twist either, its control is another one: the alternative that was taken,
 * such as the same request with a header that need not be there, or the control that the check names.
 */
async function otherControl(search: Search, failing: CaseResult): Promise<Control | undefined> {
  const { control, twists = [] } = search.question;
  if (control === 'one-of-the-twists') {
    for (const other of twists.filter((each) => each !== search.twist)) {
      const result = await tryLike({ ...search, twist: other }, failing);
      if (result?.met === true) return asControl(result);
    }
  }
  if (typeof control !== 'object') return undefined;
  const { exchange } = await sendPlain(search.context, control);
  const isTaken = (exchange.response?.status ?? 500) < 300;
  return isTaken ? { exchange, body: wireBody(exchange), hasOtherAmount: true } : undefined;
}

const asControl = ({ answer, sent }: CaseResult): Control => ({
  exchange: answer.exchange,
  body: sent,
  hasOtherAmount: true,
});

/** Of a valid request that is refused, the nearest that is taken: less one optional field, or another of its forms. */
async function neighbourOf(search: Search, failing: CaseResult): Promise<Control | undefined> {
  const { question, twist } = search;
  for (const path of droppableIn(failing.drawn, question)) {
    const drawn = removeAt(failing.drawn, path);
    const result = await tryLike(search, { ...failing, drawn });
    if (result?.met === true) return asControl(result);
  }
  const taken: CaseResult[] = [];
  for (const other of (question.twists ?? []).filter((each) => each !== twist)) {
    const result = await tryLike({ ...search, twist: other }, failing);
    if (result?.met === true) taken.push(result);
  }
  const distance = ({ sent }: CaseResult): number => differences(sent, failing.sent).length;
  const [nearest] = taken.toSorted((one, other) => distance(one) - distance(other));
  return nearest === undefined ? undefined : asControl(nearest);
}

/** Where two bodies differ: `instructedAmount.amount`. What is as good as the same is no difference. */
function differences(
  control: unknown,
  faulty: unknown,
  isAlike: (one: unknown, other: unknown) => boolean = () => false,
  path = '',
): readonly string[] {
  if (isObject(control) && isObject(faulty)) {
    const names = new Set([...Object.keys(control), ...Object.keys(faulty)]);
    return [...names].flatMap((name) =>
      differences(control[name], faulty[name], isAlike, path === '' ? name : `${path}.${name}`),
    );
  }
  if (Array.isArray(control) && Array.isArray(faulty)) {
    return Array.from({ length: Math.max(control.length, faulty.length) }, (_, index) =>
      differences(control[index], faulty[index], isAlike, `${path}[${index}]`),
    ).flat();
  }
  return JSON.stringify(control) === JSON.stringify(faulty) || isAlike(control, faulty)
    ? []
    : [path === '' ? 'body' : path];
}

/** Headers that are new with every request. */
const alwaysNew = ['date', 'x-request-id', 'signature', 'digest'];

/** What is different about a faulty request: fields of its body, or else headers. */
export function changedFields(
  context: CheckContext,
  { failing, control }: MinimalPair,
  twist: Twist,
): readonly string[] {
  const { exchange } = failing.answer;
  const created = createdBy(context);
  const isAlike = (one: unknown, other: unknown): boolean => created.has(one) && created.has(other);
  const fields = differences(control.body, wireBody(exchange), isAlike);
  const telling = fields.filter((field) => control.hasOtherAmount !== true || field !== amountField);
  return telling.length > 0 ? telling : changedHeaders(exchange, control.exchange, twist);
}

const amountField = 'instructedAmount.amount';

/** Payments that the check had to create for what it sends: each is as good as another. */
const createdBy = ({ exchanges }: CheckContext): ReadonlySet<unknown> =>
  new Set(
    exchanges
      .filter(({ purpose }) => purpose === freshPaymentPurpose)
      .map(({ response }) => parsedJson(response?.body ?? ''))
      .flatMap((body) =>
        isObject(body) && typeof body['paymentId'] === 'string' ? [body['paymentId']] : [],
      ),
  );

function changedHeaders(failing: Exchange, control: Exchange, { points, label }: Twist): readonly string[] {
  const valuesOf = ({ request }: Exchange) =>
    new Map(request.headers.map(([name, value]) => [name.toLowerCase(), { name, value }]));
  const [before, after] = [valuesOf(control), valuesOf(failing)];
  const different = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key)?.value !== after.get(key)?.value,
  );
  const nameOf = (key: string): string => after.get(key)?.name ?? before.get(key)?.name ?? key;
  const signers = [before, after].map((headers) => signerIn(headers.get('signature')?.value));
  const telling = different.filter(
    (key) => !alwaysNew.includes(key) || (key === 'signature' && signers[0] !== signers[1]),
  );
  if (telling.length > 0) return telling.map(nameOf);
  // Of what is new with every request, what the twist is about; whoever signed otherwise shows it in the signature.
  const named = different.map(nameOf).filter((name) => new RegExp(`\\b${name}\\b`, 'i').test(label));
  if (points !== undefined) return [points];
  return named.length > 0 ? named : different.includes('signature') ? ['Signature'] : [];
}

/** Who has signed, as the header says it: of the same signer only the signature is new. */
function signerIn(header = ''): string | undefined {
  try {
    return /keyId="[^"]*"/.exec(decodeWord(header))?.[0];
  } catch {
    return header;
  }
}

/** The body as it went over the wire, as a value where it is JSON. */
function wireBody({ request: { body } }: Exchange): unknown {
  return body === '' ? undefined : (parsedJson(body) ?? body);
}
