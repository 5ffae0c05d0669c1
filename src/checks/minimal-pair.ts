import { changeAt, type Json, type JsonObject, setAt } from '../payloads/json.ts';
import type { Field } from '../spec/field.ts';
import { isObject } from '../spec/json.ts';
import { products } from '../spec/products.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { type CaseResult, judgeCase, type Question, sendIn, type Twist } from './case.ts';
import type { CheckContext } from './context.ts';
import type { Context } from './contexts.ts';
import { wentThrough } from './expectation.ts';
import { saysNothing } from './outcomes.ts';

/** Requests that may still be spent on a failing case. */
export interface Budget {
  left: number;
}

/** A failing case with nothing about it but its fault, and the same request without the fault. */
export interface MinimalPair {
  readonly failing: CaseResult;
  /** The control as it was answered. */
  readonly control: Exchange;
}

/**
 * Takes away whatever the case fails without: its context, value by value, and its optional fields, one by one. What is
 * left over and its control differ by the fault alone. Undefined where the control of what is left does not go through.
 */
export async function minimalPair(
  context: CheckContext,
  question: Question,
  twist: Twist,
  whole: CaseResult,
  budget: Budget,
): Promise<MinimalPair | undefined> {
  const failing = await withoutFields(
    context,
    question,
    twist,
    await withoutContext(context, question, twist, whole, budget),
    budget,
  );
  const control = await controlOf(context, question, failing);
  return control === undefined ? undefined : { failing, control };
}

/** A case like a failing one; undefined where nothing can be said of it, or nothing more may be sent. */
export async function tryLike(
  context: CheckContext,
  question: Question,
  twist: Twist,
  { values, drawn }: Pick<CaseResult, 'values' | 'drawn'>,
  budget: Budget,
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
function withFreshAmount(context: CheckContext, { of }: Question, body: JsonObject): JsonObject {
  const { instructedAmount } = body;
  if (of.payment === undefined || !isObject(instructedAmount)) return body;
  return setAt(
    body,
    ['instructedAmount', 'amount'],
    context.amounts.next(String(instructedAmount['currency'])),
  );
}

async function withoutContext(
  context: CheckContext,
  question: Question,
  twist: Twist,
  whole: CaseResult,
  budget: Budget,
): Promise<CaseResult> {
  if (whole.values.length === 0) return whole;
  const usual = await stillFailing(context, question, twist, { ...whole, values: [] }, budget);
  if (usual !== undefined) return usual;
  let left = whole;
  for (const value of whole.values) {
    const values: Context = left.values.filter((other) => other !== value);
    if (values.length === 0) break;
    left = (await stillFailing(context, question, twist, { ...left, values }, budget)) ?? left;
  }
  return left;
}

async function withoutFields(
  context: CheckContext,
  question: Question,
  twist: Twist,
  whole: CaseResult,
  budget: Budget,
): Promise<CaseResult> {
  const paths = droppableIn(whole.drawn, question);
  const without = (drawn: JsonObject, dropped: readonly (readonly string[])[]): JsonObject =>
    dropped.reduce((body, path) => changeAt(body, path, () => undefined) as JsonObject, drawn);
  const atOnce = await stillFailing(
    context,
    question,
    twist,
    { ...whole, drawn: without(whole.drawn, paths) },
    paths.length === 0 ? { left: 0 } : budget,
  );
  if (atOnce !== undefined) return atOnce;
  let left = whole;
  for (const path of paths) {
    const drawn = without(left.drawn, [path]);
    left = (await stillFailing(context, question, twist, { ...left, drawn }, budget)) ?? left;
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
async function controlOf(
  context: CheckContext,
  question: Question,
  { base, values }: CaseResult,
): Promise<Exchange | undefined> {
  for (const body of [base, withFreshAmount(context, question, base)]) {
    const answer = await sendIn(values, context, question.of, body);
    if (wentThrough(answer, context.readings)) return answer.exchange;
  }
  return undefined;
}

/** Where two bodies differ: `instructedAmount.amount`. */
export function differences(control: unknown, faulty: unknown, path = ''): readonly string[] {
  if (isObject(control) && isObject(faulty)) {
    const names = new Set([...Object.keys(control), ...Object.keys(faulty)]);
    return [...names].flatMap((name) =>
      differences(control[name], faulty[name], path === '' ? name : `${path}.${name}`),
    );
  }
  if (Array.isArray(control) && Array.isArray(faulty)) {
    return Array.from({ length: Math.max(control.length, faulty.length) }, (_, index) =>
      differences(control[index], faulty[index], `${path}[${index}]`),
    ).flat();
  }
  return JSON.stringify(control) === JSON.stringify(faulty) ? [] : [path];
}

/** Headers that are new with every request. */
const alwaysNew = ['date', 'x-request-id', 'signature', 'digest'];

/** What is different about a faulty request: fields of its body, or else headers. */
export function changedFields(
  base: Json,
  failing: Exchange,
  control: Exchange,
  { points }: Twist,
): readonly string[] {
  const fields = differences(base, parsed(failing.request.body)).filter((path) => path !== '');
  if (fields.length > 0) return fields;
  const valuesOf = ({ request }: Exchange) =>
    new Map(request.headers.map(([name, value]) => [name.toLowerCase(), { name, value }]));
  const [before, after] = [valuesOf(control), valuesOf(failing)];
  const headers = [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => !alwaysNew.includes(key) && before.get(key)?.value !== after.get(key)?.value,
  );
  if (headers.length > 0) return headers.map((key) => after.get(key)?.name ?? before.get(key)?.name ?? key);
  return points === undefined ? [] : [points];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
