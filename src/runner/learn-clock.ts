import type { Answer } from '../tpp/answer.ts';
import type { Variation } from '../tpp/call.ts';
import type { TppClient } from '../tpp/client.ts';
import { NoAnswerError } from '../tpp/no-answer.ts';

/** A Date of the request may be off by 60 s (Authentication, Transport and signing, 4): less needs no second look. */
const tolerableMs = 30_000;

/**
 * Asks for something that changes nothing, so that the bank's clock is known before the first check. Otherwise the
 * requests that are under way until the first answer would carry the date of this machine, which may be off. Where the
 * bank's Date is far from ours, it may also be the Date that is wrong: whichever clock the bank takes is the right one.
 */
export async function learnTheClock(client: TppClient): Promise<void> {
  try {
    if (!client.clock.measured) await ask(client);
    if (Math.abs(client.clock.offsetMs) < tolerableMs || isTaken(await ask(client))) return;
    const withOurDate: Variation = {
      beforeSigning: ({ headers }) => headers.set('Date', new Date().toUTCString()),
    };
    if (isTaken(await ask(client, withOurDate))) client.clock.distrust();
  } catch (error) {
    // The checks will run into the same trouble, and tell of it.
    if (!(error instanceof NoAnswerError)) throw error;
  }
}

const ask = (client: TppClient, variation?: Variation): Promise<Answer> =>
  client.call({ operation: 'listAccounts' }, variation, 'learn the clock');

/** A request for SCA comes after the signature was looked at. */
const isTaken = ({ isSuccess, asksForSca }: Answer): boolean => isSuccess || asksForSca;
