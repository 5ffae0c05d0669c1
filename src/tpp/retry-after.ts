import type { HeaderLine } from './exchange.ts';

const longestMs = 30_000;

/**
 * Milliseconds to wait before the next attempt: what `Retry-After` says (RFC 7231, 7.1.3), or an exponential pause.
 * `Retry-After: 0` is no leave to knock at once, ten times in a row: the least pause is kept.
 */
export function retryDelay(
  headers: readonly HeaderLine[],
  attempt: number,
  patienceMs: number,
  now: number = Date.now(),
): number {
  const value = headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1].trim();
  const asked =
    value === undefined ? Number.NaN : /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  const pause = Number.isNaN(asked) ? patienceMs * 2 ** (attempt - 1) : Math.max(asked, patienceMs);
  return Math.min(pause, longestMs);
}
