import { steadyNow } from '../spec/steady-clock.ts';
import type { Answer } from './answer.ts';
import { type Exchange, headerValue, NoAnswerError } from './exchange.ts';
import { isOfGateway, isPage, mayBeCut, saysOnlyNotNow } from './gateway.ts';

/* What is said of requests that got no usable answer, and of banks that have fallen silent. */

export const kindOf = ({ response, trouble }: Exchange): NoAnswerError['kind'] =>
  trouble?.kind ?? (saysOnlyNotNow(response?.status ?? 0) ? 'overload' : 'gateway');

export const notRepeated = ' It was not sent again: it may have been carried out, and this is no sandbox.';

export function noAnswer(
  exchanges: readonly Exchange[],
  answer: Answer | undefined,
  remark = '',
): NoAnswerError {
  const last = exchanges.at(-1) as Exchange;
  const { method, url } = last.request;
  const tried = exchanges.length === 1 ? '' : ` in ${exchanges.length} attempts; the last one`;
  const message = `${method} ${url} got no usable answer${tried}: ${told(last)}.${remark}${remedyFor(last)}`;
  return new NoAnswerError(kindOf(last), message, exchanges, answer);
}

/** The run finds out a limit on all of its requests, but not one on those of a single PSU. */
const remedyFor = ({ response }: Exchange): string =>
  response?.status === 429
    ? ' Where the bank limits how often it is asked for one PSU, give pace.requestsPerSecond in the target file.'
    : '';

function told({ request, response, trouble }: Exchange): string {
  if (trouble !== undefined) return `${trouble.kind}: ${trouble.message.replace(/\.$/, '')}`;
  const status = response?.status ?? 0;
  if (status === 429) return '429 (the bank asks to slow down)';
  if (!isOfGateway(status) && namesAnother(request, response))
    return `${status} (to another request, by the X-Request-ID that it repeats)`;
  return `${status} (${isOfGateway(status) ? unavailable : whyDoubted(response)})`;
}

const unavailable = 'from a gateway, or a bank that is not available';

/** What shows that an answer may not be the bank's, whose status tells nothing. */
function whyDoubted(response: Exchange['response']): string {
  if (response === undefined) return unavailable;
  const told = { headers: response.headers, body: Buffer.from(response.body) };
  if (mayBeCut(told)) return 'JSON that is cut off, by the bank or on the way';
  return isPage(told) ? 'a web page, where the interface sends JSON' : unavailable;
}

function namesAnother(request: Exchange['request'], response: Exchange['response']): boolean {
  const named = headerValue(response?.headers ?? [], 'x-request-id');
  return named !== undefined && named !== headerValue(request.headers, 'x-request-id');
}

export function silence(inARow: number, last: Exchange, since: number, pastMs: number): string {
  const before = pastMs < 1000 ? '' : ` It had been silent before, ${Math.round(pastMs / 1000)} s in all.`;
  return `The bank has stopped answering: the last ${inARow} requests got no usable answer, for ${secondsSince(since)} s; the last one: ${told(last)}.${before} It was not asked again.`;
}

const secondsSince = (since: number): number => Math.round((steadyNow() - since) / 1000);

/** What is said while the bank is waited for. */
export const outage = (last: Exchange, longestMs: number): string =>
  `The bank answers nobody any more (${told(last)}). It is waited for, up to ${Math.round(longestMs / 1000)} s (pace.outageSeconds).`;

export const isBack = (since: number): string => `The bank answers again, after ${secondsSince(since)} s.`;
