import type { Readings } from '../spec/interpretations.ts';
import type { ProfileId } from '../spec/profiles.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Exchange } from '../tpp/exchange.ts';
import type { CheckResult } from './verdict.ts';

/** One check under way, whichever side it judges: all that its result is made of. */
export abstract class CheckRun {
  readonly notes: string[] = [];
  /** A refusal pointed at something else than the fault; one of the notes says at what. */
  pointsElsewhere = false;
  /** Exchanges of this check, in the order of their answers. */
  readonly exchanges: Exchange[] = [];
  /** The exchanges that show the verdict, when the check has pointed at them. */
  evidence: Exchange[] = [];
  counterexample: CheckResult['counterexample'];
  cases = 1;
  /** Told as expected whatever the verdict; what fails says by itself what it expected. */
  expected: string | undefined;
  /** Profiles of the operations that it has called, apart from what had to be created beforehand. */
  readonly calledProfiles = new Set<ProfileId>();
  /** What is judged after the fact carries the time at which it was recorded. */
  readonly recordedAt: string | undefined = undefined;

  abstract readonly readings: Readings;
  /** The command line that judges the same again. */
  abstract readonly reproduce: string;
  /** A sentence for what is not there and would be needed; undefined when it is. */
  abstract missing(need: Capability): string | undefined;
  /** Why something is not there although the target file has all that it takes; undefined when it has not. */
  prevented(_need: Capability): string | undefined {
    return undefined;
  }
  /** A sentence for a check whose profiles are not judged; undefined when one of them is. */
  unjudged(_profiles: readonly ProfileId[]): string | undefined {
    return undefined;
  }
  abstract redactText(text: string): string;
  abstract redactExchange(exchange: Exchange): Exchange;

  note(sentence: string): void {
    if (!this.notes.includes(sentence)) this.notes.push(sentence);
  }
}

/** What the checks of one run share, whichever side they judge. */
export interface Run<Context extends CheckRun> {
  /** What one check works with; `place` is its position among all checks. */
  contextFor(id: string, place: number): Context;
}
