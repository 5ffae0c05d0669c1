import type { CheckContext } from '../../src/checks/context.ts';
import { AnswersInRun } from '../../src/checks/kept-in-run.ts';
import { ExpectationFailed } from '../../src/checks/outcomes.ts';
import { daysBefore, isoDate } from '../../src/spec/days.ts';
import { limits } from '../../src/spec/limits.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call } from '../../src/tpp/call.ts';
import { accountOf, type Reader } from '../sca/readers.ts';
import { callAgainAfterSca } from '../sca/walks.ts';
import { bookingDayOf, busyAccountOf, transactionsIn } from './transaction-lists.ts';
import { readAlone } from './unattended-calls.ts';

/** Asked before the calls of the day are spent; whoever comes first asks for both. */
const oldOnes = new AnswersInRun<Asker, OldTransactions>();

export type Asker = 'person' | 'company';

export interface OldTransactions {
  /** With the PSU present, and without. */
  readonly attended: Answer;
  readonly alone: Answer;
  readonly params: { readonly accountId: string };
  readonly before: string;
}

export const dateBefore = (date: Date, days: number): string => isoDate(daysBefore(date, days));

/** Two days more than the limit, since days begin at different times. */
export const margin = 2;

export function oldTransactions(
  context: CheckContext,
  reader: Reader,
  asker: Asker = 'person',
): Promise<OldTransactions> {
  const { now } = context.facts;
  const before = dateBefore(now, limits.unattendedTransactionDays + margin);
  const call = {
    operation: 'readTransactions',
    params: asker === 'person' ? busyAccountOf(context, reader) : accountOf(reader),
    query: {
      // Companies are asked for the younger of the two, which the limit holds for as well.
      bookingStatus: asker === 'person' ? 'both' : 'all',
      dateFrom: dateBefore(now, 2 * limits.unattendedTransactionDays),
      dateTo: before,
    },
  } as const satisfies Call;
  return oldOnes.of(context.run, asker, async () => {
    const attended = await callAgainAfterSca(context, reader, call, 'old transactions with the PSU present');
    // The youngest day among them: a bank that refuses older ones may still show what is not old enough for it.
    const dateFrom = daysIn(attended, before).toSorted().at(-1) ?? call.query.dateFrom;
    const recent = { ...call, query: { ...call.query, dateFrom } };
    const alone = await readAlone(context, reader, recent, 'old transactions without the PSU present');
    return { attended, alone, params: call.params, before };
  });
}

/** Those that were booked until a day. */
export const oldOnesIn = (answer: Answer, before: string): readonly unknown[] =>
  transactionsIn(answer).booked.filter((transaction) => (bookingDayOf(transaction) ?? '9999') <= before);

const daysIn = (answer: Answer, before: string): readonly string[] =>
  oldOnesIn(answer, before).flatMap((transaction) => bookingDayOf(transaction) ?? []);

export function mustBeRecent(answer: Answer, before: string): void {
  const [shown] = daysIn(answer, before);
  if (shown !== undefined)
    throw new ExpectationFailed('no transaction older than 90 days', `one of ${shown}`);
}
