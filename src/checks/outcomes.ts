import { SigningProgramError } from '../signing/command-signer.ts';
import type { Answer } from '../tpp/answer.ts';
import { NoAnswerError } from '../tpp/exchange.ts';

/** How a check ends when it does not pass. Each carries the sentence that the report shows. */

/** The requirement is not met: what was expected, and what came instead. */
export class ExpectationFailed extends Error {
  override readonly name = 'ExpectationFailed';
  readonly expected: string;
  readonly actual: string;
  /** What the failing step shows, where that is not the requirement of the check alone. */
  broken: readonly string[] | undefined;

  constructor(expected: string, actual: string, message: string = `Expected ${expected}, but got ${actual}`) {
    super(message);
    this.expected = expected;
    this.actual = actual;
  }

  /** Says what was broken, unless whoever looked closer has said it. */
  breaking(requirements: string | readonly string[] | undefined): this {
    this.broken ??= typeof requirements === 'string' ? [requirements] : requirements;
    return this;
  }
}

/** The target does not offer what the check needs; the message says what to add to the target file. */
export class NotApplicable extends Error {
  override readonly name: string = 'NotApplicable';
}

/** The check is about something that need not be there, and is not. Nothing has to be added. */
export class NotOffered extends NotApplicable {
  override readonly name = 'NotOffered';
}

/** Judged only by leave of the target file, and not today: what it takes was spent before. That is no gap. */
export class LeftOpen extends NotApplicable {
  override readonly name = 'LeftOpen';
}

/** The target offers it, and whoever runs the suite has given no leave to ask for it. */
export class Withheld extends NotApplicable {
  override readonly name = 'Withheld';
}

/** Nothing can be concluded: the control was refused, or no usable answer came. */
export class Inconclusive extends Error {
  override readonly name: string = 'Inconclusive';
}

/** The same, because something died on the way that may have been carried out. The check may be begun again. */
export class LostOnTheWay extends Inconclusive {
  override readonly name = 'LostOnTheWay';
}

/** The same, because SCA that was begun rightly has failed. A newer link of the PSU may have ended this one. */
export class SentBack extends Inconclusive {
  override readonly name = 'SentBack';
}

/** The same, because a session was over that has been renewed since. The check may be begun again. */
export class SessionRenewed extends Inconclusive {
  override readonly name = 'SessionRenewed';
}

/** What died on the way and was sent again may be refused because it was done the first time. */
export const isRefusedRepetition = ({ afterTrouble, status, asksForSca }: Answer): boolean =>
  afterTrouble && status >= 400 && status < 500 && !asksForSca;

export const doneBefore = ({ exchange: { request, purpose }, status }: Answer): LostOnTheWay =>
  new LostOnTheWay(
    `A ${request.method} (${purpose}) died on the way and was sent again, and then answered ${status}: it may have been carried out the first time.`,
  );

/** Nothing was created that a check could go on with, for the reason told; or what was lost was created before. */
export const notCreated = (answer: Answer, told: string): Inconclusive =>
  isRefusedRepetition(answer) ? doneBefore(answer) : new Inconclusive(told);

/** Whether an error says nothing about the bank: no answer came, none that can be judged, or nothing could be signed. */
export const saysNothing = (error: unknown): error is Error =>
  error instanceof Inconclusive || error instanceof NoAnswerError || error instanceof SigningProgramError;

/** Whether nothing came back to what was asked: trouble on the way, or nothing could be sent. */
export const isUnanswered = (error: Error): boolean =>
  !(error instanceof Inconclusive) || error instanceof LostOnTheWay;
