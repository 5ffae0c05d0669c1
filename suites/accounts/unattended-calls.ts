import { inKnownPeriod } from '../../src/checks/asked-period.ts';
import type { CheckContext } from '../../src/checks/context.ts';
import { TurnsInRun } from '../../src/checks/kept-in-run.ts';
import { member } from '../../src/spec/json.ts';
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

/** The code of a limit on what is accessed, where one on the pace has none of its own (Errors). */
export const tellsOfTheLimit = ({ json }: Answer): boolean =>
  [member(json, 'tppMessages')].flat().some((message) => member(message, 'code') === 'ACCESS_EXCEEDED');

/** Whoever has let through fewer calls than it may, and says 429 alone, may have a limit on the pace in mind. */
export const mayBeOfThePace = (refusal: Answer, successes: number): boolean =>
  onlyAsksToSlowDown(refusal) && !tellsOfTheLimit(refusal) && successes < limits.unattendedCalls;

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
