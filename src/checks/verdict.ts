import type { Readings } from '../spec/interpretations.ts';
import type { ProfileId, Side } from '../spec/profiles.ts';
import type { Level } from '../spec/requirement.ts';
import type { Capability } from '../target/capabilities.ts';
import type { Exchange } from '../tpp/exchange.ts';
import type { Redactor } from '../tpp/redaction.ts';
import { ExpectationFailed } from './outcomes.ts';

/** The six things that a check can say, gravest first: a summary takes the first that occurred. */
export const verdicts = ['error', 'fail', 'inconclusive', 'warning', 'not-applicable', 'pass'] as const;
export type Verdict = (typeof verdicts)[number];

/** The place of a suite: its id (`signing/digest`), title, and the section of the specification that it tests. */
export interface SuiteReference {
  readonly id: string;
  readonly title: string;
  readonly section: readonly string[];
}

/** Everything known about one judged check. It is what the journal holds, and all that any report is made of. */
export interface CheckResult {
  readonly id: string;
  readonly title: string;
  readonly suite: SuiteReference;
  /** The requirement of the check first, then those that it touches as well. Of one that failed, what its failing step shows. */
  readonly requirements: readonly string[];
  /** Of one that failed, those that other steps have shown to hold until then. */
  readonly held?: readonly string[];
  /** Of one that failed, those whose steps did not come any more, or not all of them. */
  readonly notReached?: readonly string[];
  readonly level: Level;
  readonly verdict: Verdict;
  /** The readings of the target file leave the question open, so that nothing is missing when it is not judged. */
  readonly leftOpen?: true;
  /** It is about something that need not be there, and is not: nothing is missing when it is not judged. */
  readonly notOffered?: true;
  /** No answer came that could be judged: it was asked for, and is open whatever the target file declares of it. */
  readonly unanswered?: true;
  /** The run had no leave to ask for what the bank offers: that is open, whatever the target file declares of it. */
  readonly withheld?: true;
  /** The profiles that its verdict counts for, where its requirement belongs to several; all of them when absent. */
  readonly profiles?: readonly string[];
  /** The journey of a TPP that it looks for, and the profiles that cannot do without. */
  readonly journey?: JourneyReference;
  /** One sentence: what failed, what is missing in the target file, why nothing could be concluded. */
  readonly reason?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** Observations that change no verdict: a refusal for another reason than the fault, a tolerated reading. */
  readonly notes: readonly string[];
  /** A refusal pointed at something else than the fault: a pass that is worth a look. */
  readonly pointsElsewhere?: true;
  /** The smallest failing case of a property. */
  readonly counterexample?: Counterexample;
  /** How many generated cases were tried; 1 for a plain check. */
  readonly cases: number;
  /** How many requests it sent; what it shares with other checks is counted where it was sent. */
  readonly requests?: number;
  /** The exchanges that show the verdict, redacted. All of them for a failure, the telling ones otherwise. */
  readonly exchanges: readonly Exchange[];
  /** The command line that runs this check again with the same cases. */
  readonly reproduce: string;
  readonly startedAt: string;
  readonly durationMs: number;
}

/** Something that a TPP brings about at the bank. */
export interface JourneyReference {
  readonly id: string;
  readonly mandatoryIn: readonly string[];
}

export interface Counterexample {
  /** What was sent, as readable JSON. */
  readonly value: string;
  /** Replays it. */
  readonly path: string;
  /** The same body without the fault. */
  readonly control?: string;
  /** Where the two requests differ: fields (`instructedAmount.amount`), or headers. */
  readonly changed?: readonly string[];
}

/** Cases of each property, unless a run is told otherwise. Fewer show less, and make no certificate. */
export const defaultRuns = 10;

/** What is known of a run before its first check. */
export interface RunHeader {
  readonly tool: { readonly name: string; readonly version: string };
  readonly catalogue: string;
  readonly target: { readonly name: string; readonly baseUrl: string; readonly environment: string };
  readonly interpretations: Readonly<Record<string, string>>;
  readonly knownDeviations: readonly KnownDeviation[];
  /** The profiles that are judged, with their versions; all that bind the environment when absent. */
  readonly profiles?: Readonly<Record<string, string>>;
  /** What the target file declares not to be there. */
  readonly notOffered?: readonly NotOffered[];
  /** Any server certificate was accepted, so that nobody knows who answered. */
  readonly insecure?: true;
  readonly seed: number;
  readonly runs: number;
  readonly startedAt: string;
  /** The ids of all checks that this run set out to judge. */
  readonly planned: readonly string[];
  /** Set when the run judges only a part on purpose (`--only`, `--shard`). */
  readonly selection?: string;
  /** Shards that a merged run lacks, such as `3/3`. */
  readonly missingShards?: readonly string[];
  /** The target file, seen from the run folder; absent for the embedded bank. */
  readonly targetFile?: string;
  /** What was odd before the first check and yet no reason to stop, warnings about the target file included. */
  readonly remarks?: readonly string[];
  /** Why it cannot be whole, whatever its checks say; a sentence each. */
  readonly incomplete?: readonly string[];
  /** Whom the run judges; a bank when absent. */
  readonly side?: Side;
  /** SHA-256 fingerprints of the certificates that took part, by their use: `TLS of the bank`. */
  readonly fingerprints?: Readonly<Record<string, string>>;
}

export interface KnownDeviation {
  readonly requirement: string;
  readonly reason: string;
  readonly until?: string;
}

/** A requirement, profile or operation that is not there, and why. */
export interface NotOffered {
  readonly what: string;
  readonly reason: string;
}

/** What is known of a run after its last check. */
export interface RunFooter {
  readonly durationMs: number;
  readonly requests: number;
  readonly interrupted: boolean;
  /** The number of failures that ended it, where it was told to end after so many. */
  readonly failuresAllowed?: number;
  /** Why no check was run. */
  readonly blocker?: string;
}

/** A run as read from its journal: complete, interrupted, or killed (then there is no footer). */
export interface RunRecord {
  readonly header: RunHeader;
  readonly results: readonly CheckResult[];
  readonly footer?: RunFooter;
  /** Lines of the journal that could not be read, and were passed over. */
  readonly damagedLines?: readonly number[];
}

/** One check under way, whichever side it judges: all that its result is made of. */
export abstract class CheckRun {
  readonly notes: string[] = [];
  /** A refusal pointed at something else than the fault; one of the notes says at what. */
  pointsElsewhere = false;
  /** Exchanges of this check, in the order of their answers. */
  readonly exchanges: Exchange[] = [];
  /** How many of these another check has sent, so that they count there. */
  adopted = 0;
  /** How many of those it would have had to send by itself, were it alone. */
  lent = 0;
  /** The exchanges that show the verdict, when the check has pointed at them. */
  evidence: Exchange[] = [];
  counterexample: CheckResult['counterexample'];
  /** Those of its requirements that steps of their own have shown to hold, so far. */
  readonly held = new Set<string>();
  cases = 1;
  beginnings = 1;
  /** How many exchanges there were before the last of them. */
  protected begunAt = 0;
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
  /** Whether whoever runs the suite has given no leave for something that the target offers. */
  withheld(_need: Capability): boolean {
    return false;
  }
  /** A sentence for a check whose profiles are not judged; undefined when one of them is. */
  unjudged(_profiles: readonly ProfileId[]): string | undefined {
    return undefined;
  }
  /** What ended it, once everything is known that may have led to it. */
  async reconsidered(error: unknown): Promise<unknown> {
    return error;
  }
  /** Whether what ended it was trouble on the way that may well not be there when the check is begun again. */
  mayBeginAgain(_error: unknown): boolean {
    return false;
  }
  /** Whether it may have ended so because of what other checks did meanwhile. */
  mayBeDisturbed(_error: unknown): boolean {
    return false;
  }
  /** Whether the bank has done since, for whomever, what it said it does not have. */
  get isBelied(): boolean {
    return false;
  }
  /** What a beginning has pointed at does not show the verdict of the next one. */
  beginAgain(): void {
    this.beginnings += 1;
    this.begunAt = this.exchanges.length;
    this.evidence = [];
    this.counterexample = undefined;
    this.held.clear();
    this.pointsElsewhere = false;
  }
  /** Whether anybody will look at the exchanges of its result. */
  get keepsEvidence(): boolean {
    return true;
  }
  abstract readonly redactor: Redactor;

  /**
   * Keeps an exchange. In a check of thousands those in the middle are shown by nobody: they are counted, and nothing else of
   * them is kept.
   */
  record(exchange: Exchange): void {
    const place = this.exchanges.push(exchange) - 1 - lastKept;
    const past = this.exchanges[place];
    if (past === undefined || place < firstKept) return;
    // A failure shows the first control, however long ago it was.
    const control = this.exchanges.find(({ purpose }) => purpose === 'control');
    if (past !== control) this.exchanges[place] = leftOut;
  }

  /** Takes a step that shows this requirement, instead of that of the check: a failure in it breaks this one alone. */
  showing<Result>(requirement: string | undefined, step: () => Result): Result {
    const held = <Value>(value: Value): Value => {
      if (requirement !== undefined) this.held.add(requirement);
      return value;
    };
    const failed = (error: unknown): never => {
      throw error instanceof ExpectationFailed ? error.breaking(requirement) : error;
    };
    try {
      const result = step();
      return result instanceof Promise ? (result.then(held, failed) as Result) : held(result);
    } catch (error) {
      return failed(error);
    }
  }

  note(sentence: string): void {
    if (!this.notes.includes(sentence)) this.notes.push(sentence);
  }
}

/** The first show a pass, the last show where it ended, and no check looks further back than this. */
const firstKept = 20;
const lastKept = 200;

const leftOut: Exchange = {
  id: '',
  purpose: 'left out',
  operation: 'other',
  attempt: 1,
  startedAt: '',
  durationMs: 0,
  request: { method: '', url: '', headers: [], body: '' },
};

/** What the checks of one run share, whichever side they judge. */
export interface Run<Context extends CheckRun> {
  /** What one check works with; `place` is its position among all checks. */
  contextFor(id: string, place: number): Context;
  readonly seed: number;
}
