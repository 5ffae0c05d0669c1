import { Answer } from '../tpp/answer.ts';
import { NoAnswerError } from '../tpp/exchange.ts';
import { saysOnlyNotNow } from '../tpp/gateway.ts';

/** What is needed to tell whether an answer such as 503 is that of the bank. */
interface Questioning {
  /** Sends the same request again, with all its repetitions. */
  readonly again: () => Promise<Answer>;
  /** Sends a request that has to be answered; absent where there is none. */
  readonly control: (() => Promise<Answer>) | undefined;
  /** Whether other requests are turned away as well and then taken. */
  readonly isTroubled: () => boolean;
}

/**
 * A gateway is not the bank: 502, 503, 504 or a page say nothing of it. But who gives such an answer to one kind of
 * request every time, and only to that kind, while the control goes through in between, is the bank, whatever stands
 * before it. Then its answer counts; anything else stays without one, and throws what was there before.
 */
export async function ownAnswer(
  error: NoAnswerError,
  { again, control, isTroubled }: Questioning,
): Promise<Answer> {
  const status = error.answer?.status;
  if (status === undefined || saysOnlyNotNow(status) || control === undefined || isTroubled()) throw error;
  if (!error.exchanges.every(({ response }) => response?.status === status)) throw error;
  const between = await control();
  if (between.afterTrouble || between.status >= 500) throw error;
  try {
    return await again();
  } catch (second) {
    const isTheSame = second instanceof NoAnswerError && second.answer?.status === status && !isTroubled();
    if (!isTheSame || second.answer === undefined) throw second;
    return new Answer(second.answer.exchange, second.answer.bytes);
  }
}
