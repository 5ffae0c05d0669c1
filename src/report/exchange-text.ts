import type { CheckResult } from '../checks/verdict.ts';
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
