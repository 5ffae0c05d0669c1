import type { CheckResult } from '../checks/verdict.ts';
import { isObject } from '../spec/json.ts';
import type { Exchange, HeaderLine } from '../tpp/exchange.ts';

/** One line about an exchange: `POST /v1/payments/… → 400 (control)`. */
export function exchangeLine(exchange: Exchange): string {
  const { request, response, trouble, attempt, purpose } = exchange;
  const answer = response !== undefined ? String(response.status) : (trouble?.kind ?? 'no answer');
  const remarks = [...(purpose === '' ? [] : [purpose]), ...(attempt > 1 ? [`attempt ${attempt}`] : [])].join(
    ', ',
  );
  return `${request.method} ${pathOf(request.url)} → ${answer}${remarks === '' ? '' : ` (${remarks})`}`;
}

/** The request as it went over the wire. */
export function requestText({ request }: Exchange): string {
  return messageText(`${request.method} ${request.url}`, request.headers, request.body);
}

/** The response as it came, or why none came. */
export function responseText({ response, trouble }: Exchange): string {
  const trailer = trouble === undefined ? '' : `${trouble.kind}: ${trouble.message}`;
  if (response === undefined)
    return trailer === '' ? 'No response was recorded.' : `No usable answer. ${trailer}`;
  const text = messageText(`HTTP ${response.status}`, response.headers, response.body);
  return trailer === '' ? text : `${text}\n\n${trailer}`;
}

/**
 * The exchange that shows the verdict: the last one whose status the check names as actual, because shrinking
 * ends with the smallest failing case and its neighbours that pass; else the first with the fault in it.
 */
export function tellingExchange({ exchanges, actual = '' }: CheckResult): Exchange | undefined {
  const faulty = exchanges.filter(({ purpose }) => purpose !== 'control');
  const named = faulty.findLast(
    ({ response }) => response !== undefined && new RegExp(`\\b${response.status}\\b`).test(actual),
  );
  const answered = faulty.find(({ response }) => response !== undefined);
  return named ?? answered ?? faulty.at(-1) ?? exchanges.at(-1);
}

/** Cuts what would make a page unreadable and says so; the journal keeps the whole. */
export function shortened(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Never half a surrogate pair: it would turn into a replacement character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? limit - 1 : limit;
  return `${text.slice(0, end)}\n\n[${text.length - end} of ${text.length} characters are left out here; journal.ndjson holds them all.]`;
}

function messageText(startLine: string, headers: readonly HeaderLine[], body: string): string {
  const head = [startLine, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n');
  return body === '' ? head : `${head}\n\n${body}`;
}

function pathOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  return parsed === undefined ? url : `${parsed.pathname}${parsed.search}`;
}

/** One thing in which a failing request differs from its control. */
export interface ChangedField {
  /** `instructedAmount.amount`, or the name of a header. */
  readonly name: string;
  /** What stands there in either; absent where nobody can see the difference, as between two ways to write one thing. */
  readonly sides?: { readonly control: string; readonly failing: string };
}

/** The control of a failure and its answer. */
export const controlExchange = ({ exchanges }: CheckResult): Exchange | undefined =>
  exchanges.find(({ purpose }) => purpose === 'control');

/** Where a failing request and its control differ, with what stands there in either: a diff of two lines each. */
export function changedFields(result: CheckResult): readonly ChangedField[] {
  const { counterexample } = result;
  const control = controlExchange(result);
  const failing = tellingExchange(result);
  if (counterexample?.changed === undefined) return onlyDifference(control, failing);
  const [before, after] = [bodyOf(counterexample.control), bodyOf(counterexample.value)];
  return counterexample.changed.map((name) => {
    const inBody =
      name === 'body'
        ? { control: compact(counterexample.control), failing: compact(counterexample.value) }
        : { control: textAt(before, name), failing: textAt(after, name) };
    const inHeaders = { control: headerOf(control, name), failing: headerOf(failing, name) };
    const found = [inBody, inHeaders].find((pair) => pair.control !== pair.failing);
    return fieldOf(name, found?.control, found?.failing);
  });
}

/** New in every request, and in no check the fault alone: the digest follows the body, and the signature all of it. */
const passing: ReadonlySet<string> = new Set([
  'date',
  'x-request-id',
  'digest',
  'content-length',
  'signature',
]);

/**
 * What a request of a check that is written by hand has different from its control. Nobody has made a pair of the two, so
 * that they are one only if they differ in a single thing: whatever else differed would pass for the fault.
 */
function onlyDifference(
  control: Exchange | undefined,
  failing: Exchange | undefined,
): readonly ChangedField[] {
  if (control === undefined || failing === undefined || control === failing) return [];
  const [before, after] = [control.request, failing.request];
  if (before.method !== after.method || pathnameOf(before.url) !== pathnameOf(after.url)) return [];
  const headers = [...before.headers, ...after.headers].map(([name]) => name.toLowerCase());
  const inHeaders = [...new Set(headers)]
    .filter((name) => !passing.has(name))
    .map((name) => fieldOf(nameIn(after, name), headerOf(control, name), headerOf(failing, name)));
  const inQuery = fieldOf('query', searchOf(before.url), searchOf(after.url));
  const [one, other] = [bodyOf(before.body), bodyOf(after.body)];
  const inBody =
    isObject(one) && isObject(other)
      ? [...new Set([...Object.keys(one), ...Object.keys(other)])].map((name) =>
          fieldOf(name, memberText(one[name]), memberText(other[name])),
        )
      : [fieldOf('body', compact(before.body), compact(after.body))];
  const different = [...inHeaders, inQuery, ...inBody].filter(({ sides }) => sides !== undefined);
  return different.length === 1 ? different : [];
}

const fieldOf = (name: string, control = '(not there)', failing = '(not there)'): ChangedField => ({
  name,
  ...(control === failing ? {} : { sides: { control, failing } }),
});

const nameIn = ({ headers }: Exchange['request'], wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[0] ?? wanted;

/** A list of texts by its length: ids are of things made for the request, and never the same. */
function memberText(value: unknown): string | undefined {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.length === 1 ? '1 entry' : `${value.length} entries`;
  }
  return value === undefined ? undefined : JSON.stringify(value);
}

const pathnameOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);
const searchOf = (url: string): string | undefined =>
  (URL.canParse(url) ? new URL(url).search : '') || undefined;

/** The same as lines of a text: the field, then what the control has there and what failed. */
export const changedLines = (result: CheckResult): readonly string[] =>
  changedFields(result).flatMap(({ name, sides }) => [
    `Changed:  ${name}`,
    ...(sides === undefined
      ? []
      : [`  - ${shortened(sides.control, longestValue)}`, `  + ${shortened(sides.failing, longestValue)}`]),
  ]);

const longestValue = 300;

function bodyOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A body as a whole, without the white space that makes it readable. */
const compact = (text: string | undefined): string | undefined =>
  text === undefined || text === '' ? undefined : (JSON.stringify(bodyOf(text)) ?? text);

/** What stands at `paymentIds[0]` or `instructedAmount.amount`, as JSON. */
function textAt(body: unknown, path: string): string | undefined {
  let value = body;
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.hasOwn(value, index ?? name ?? '')
      ? (value as Readonly<Record<string, unknown>>)[index ?? name ?? '']
      : undefined;
  }
  return value === undefined ? undefined : JSON.stringify(value);
}

function headerOf(exchange: Exchange | undefined, name: string): string | undefined {
  const values = (exchange?.request.headers ?? [])
    .filter(([header]) => header.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(', ');
}
