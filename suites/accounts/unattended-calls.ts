import { inKnownPeriod } from '../../src/checks/asked-period.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { TurnsInRun } from '../../src/checks/kept-in-run.ts';
import { limits } from '../../src/spec/limits.ts';
import type { Answer } from '../../src/tpp/answer.ts';
import type { Call, Variation } from '../../src/tpp/call.ts';
import { patiently } from '../../src/tpp/patience.ts';
import { limitAnswers, type Reader, unattended } from '../sca/readers.ts';

/** The calls of a day are spent once in a run, in this order: what is old first, and then all the others. */
export const turns = new TurnsInRun();

/** A limit of the day lasts longer than ten minutes, but for its last ones. */
export const onlyAsksToSlowDown = ({ status, headers }: Answer): boolean =>
  status === 429 && !(Number(headers.get('Retry-After')) > 600);

/** Where a bank demands a period, one that needs nobody to be present. */
export const ask = (
  context: CheckContext,
  call: Call,
  variation: Variation,
  purpose: string,
): Promise<Answer> =>
  context.client
    .with({ ownStatuses: limitAnswers })
    .call(
      inKnownPeriod(context.run, call, context.facts.now, limits.unattendedTransactionDays - 1),
      variation,
      purpose,
    );

/** Who only asks to slow down is asked again a little later: the limit of a day is still there then. */
export const readAlone = (
  context: CheckContext,
  { psu }: Reader,
  call: Call,
  purpose: string,
  variation = unattended,
): Promise<Answer> =>
  patiently(
    context.run,
    () => ask(context, { ...call, psu }, variation, purpose),
    (answer) => !onlyAsksToSlowDown(answer),
  );

export const isRefused = ({ status }: Answer): boolean => status >= 400 && status < 500 && status !== 408;
