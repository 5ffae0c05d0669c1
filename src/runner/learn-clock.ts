import { NoAnswerError, type TppClient } from '../tpp/client.ts';

/**
 * Asks for something that changes nothing, so that the bank's clock is known before the first check. Otherwise the
 * requests that are under way until the first answer would carry the date of this machine, which may be off.
 */
export async function learnTheClock(client: TppClient): Promise<void> {
  if (client.clock.measured) return;
  try {
    await client.call({ operation: 'listAccounts' }, {}, 'learn the clock');
  } catch (error) {
    // The checks will run into the same trouble, and tell of it.
    if (!(error instanceof NoAnswerError)) throw error;
  }
}
