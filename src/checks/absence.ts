import { isAbsence } from '../tpp/answer.ts';
import { type Exchange, headerValue } from '../tpp/exchange.ts';
import type { Observations } from './observations.ts';
import { Inconclusive, NotOffered } from './outcomes.ts';

/** Who asked for what, in which session. */
const questionOf = ({ request: { method, url, headers } }: Exchange): string =>
  [
    method,
    url,
    ...['PSU-ID', 'PSU-Corporate-ID', 'TPP-Session-ID'].map((name) => headerValue(headers, name)),
  ].join(' ');

/**
 * What was shown before to the same PSU in the same session is there: who says now and then that it is not has told
 * nothing, and must not get around being judged so. Whatever does more than read may be possible at times only.
 */
export function unlessThereBefore(
  error: unknown,
  last: Exchange | undefined,
  { kept }: Observations,
): unknown {
  const status = last?.response?.status;
  if (!(error instanceof NotOffered) || last === undefined || status === undefined) return error;
  if (last.request.method !== 'GET' || !isAbsence(status)) return error;
  const question = questionOf(last);
  return kept.some(({ answer, exchange }) => answer.isSuccess && questionOf(exchange) === question)
    ? new Inconclusive(
        `GET ${new URL(last.request.url).pathname} was answered ${status}, as if it was not offered, and went through before.`,
      )
    : error;
}

/** Whether an operation that was answered as if it was not offered has gone through elsewhere in the run. */
export const isThereAfterAll = (last: Exchange | undefined, { kept }: Observations): boolean =>
  last?.response !== undefined &&
  isAbsence(last.response.status) &&
  kept.some(({ answer, exchange }) => answer.isSuccess && exchange.operation === last.operation);
