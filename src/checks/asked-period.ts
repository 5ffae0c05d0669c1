import { daysBefore, isoDate } from '../spec/days.ts';
import type { Answer } from '../tpp/answer.ts';
import type { Call } from '../tpp/call.ts';

/**
 * Freedom: accounts/parameters. Nothing but an answer tells; the first plain request that is answered decides it for
 * the run.
 */
interface Demand {
  /** How many days ago the period begins. */
  readonly days: number;
  readonly hasEnd: boolean;
}

/** By run. */
const demands = new WeakMap<object, Demand | 'none'>();

/** So long as others may be shown in a test, and then no longer than any bank has to look back. */
const candidates: readonly Demand[] = [
  { days: 180, hasEnd: false },
  { days: 180, hasEnd: true },
  { days: 89, hasEnd: true },
];

const dayBefore = (now: Date, days: number): string => isoDate(daysBefore(now, days));

const inPeriod = (call: Call, { days, hasEnd }: Demand, now: Date): Call => ({
  ...call,
  query: { dateFrom: dayBefore(now, days), ...(hasEnd ? { dateTo: dayBefore(now, 0) } : {}), ...call.query },
});

/** Without any parameter it is a question of its own: how long a page is then (Limits). */
const mayLackPeriod = ({ operation, query }: Call): boolean =>
  operation === 'readTransactions' && query?.bookingStatus !== undefined;

/** Whether this bank takes no request for transactions without a period. */
export const demandsPeriod = (run: object): boolean => typeof demands.get(run) === 'object';

/** The call with the period that this bank is known to demand, of no more days than those. */
export function inKnownPeriod(run: object, call: Call, now: Date, mostDays = Number.POSITIVE_INFINITY): Call {
  const known = demands.get(run);
  if (typeof known !== 'object' || !mayLackPeriod(call)) return call;
  return inPeriod(call, { ...known, days: Math.min(known.days, mostDays) }, now);
}

const isRefused = ({ status, asksForSca, isAbsent }: Answer): boolean =>
  status >= 400 && status < 500 && !asksForSca && !isAbsent;

/** The answer to a request without a fault, or where only a period was lacking, that with one. */
export async function answerInPeriod(
  run: object,
  call: Call,
  answer: Answer,
  { now, send }: { readonly now: Date; readonly send: (call: Call) => Promise<Answer> },
): Promise<Answer> {
  const known = demands.get(run);
  if (known === 'none' || !mayLackPeriod(call) || call.query?.dateFrom !== undefined) return answer;
  // Of pending ones there are few: who takes that without a period may want one of the others.
  if (answer.isSuccess && call.query?.bookingStatus !== 'pending') demands.set(run, 'none');
  if (!isRefused(answer)) return answer;
  // It may have become known while this one was under way.
  for (const candidate of known === undefined ? candidates : [known]) {
    const other = await send(inPeriod(call, candidate, now));
    if (!other.isSuccess) continue;
    // Another request may have told in between that none is needed.
    if (!demands.has(run)) demands.set(run, candidate);
    return other;
  }
  return answer;
}
