import type { HeaderLine } from './exchange.ts';
import { headerValue } from './gateway.ts';

/** No single pause is longer, so that a run does not hang on one request. */
const longestMs = 15_000;

/** Who asks for more than this (a day, say) is not waited for: the request is tried as if nothing had been asked. */
const endlessMs = 120_000;

/** Pauses grow from attempt to attempt up to this many times the first one. */
const mostSteps = 5;

/**
 * Milliseconds to wait before the next attempt: what `Retry-After` says (RFC 9110, 10.2.3, seconds or a date), or a
 * pause that grows. What is no number of seconds and no date is ignored, and `0` is no leave to knock at once.
 */
export function retryDelay(
  headers: readonly HeaderLine[],
  attempt: number,
  patienceMs: number,
  now: number = Date.now(),
): number {
  const asked = askedFor(headerValue(headers, 'retry-after')?.trim(), now);
  const usual = patienceMs * Math.min(2 ** (attempt - 1), mostSteps);
  if (asked === undefined || asked > endlessMs) return usual;
  return Math.min(Math.max(asked, patienceMs), longestMs);
}

function askedFor(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  // Date.parse takes "-5" and "1.5" for years and months: a date has a name of a month in it.
  const date = /[a-z]{3}/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : date - now;
}
