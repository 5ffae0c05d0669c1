import type { CheckContext } from '../../src/checks/context.ts';
import { describeAnswer, type Expectation } from '../../src/checks/expectation.ts';
import { ExpectationFailed, Inconclusive } from '../../src/checks/outcomes.ts';
import type { Answer } from '../../src/tpp/answer.ts';

/** Holds an answer to what is expected, with the exchange as evidence. */
export function expectAnswer(
  context: CheckContext,
  answer: Answer,
  { met, text }: Expectation,
  when: string,
): void {
  context.evidence = [answer.exchange];
  if (!met(answer, context.readings)) throw new ExpectationFailed(`${text} ${when}`, describeAnswer(answer));
}

/** A step that has to succeed before anything can be concluded. */
export function mustSucceed(answer: Answer, what: string): Answer {
  if (answer.isSuccess) return answer;
  throw new Inconclusive(
    `The control was refused: ${what} was answered ${describeAnswer(answer)}. Nothing follows from what comes after it.`,
  );
}

/** Any 2xx: the shapes of this operation are not shown. */
export const succeeded = (): Expectation => ({ text: 'a success (2xx)', met: (answer) => answer.isSuccess });
