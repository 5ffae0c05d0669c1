import type { Side } from '../spec/profiles.ts';
import type { AttestedWords } from './attested.ts';
import type { OverallVerdict } from './outcome.ts';
import type { DeviationState, RequirementVerdict } from './requirement-results.ts';

export const languages = ['en', 'nb'] as const;
export type Language = (typeof languages)[number];

/** The fixed words of `requirements.html`. What the catalogue, the checks and the bank say stays in their own language. */
export interface MatrixWords {
  readonly page: string;
  readonly skip: string;
  readonly interrupted: string;
  readonly report: string;
  readonly certificate: string;
  readonly attested: AttestedWords;
  readonly facts: Readonly<
    Record<
      | 'baseUrl'
      | 'environment'
      | 'started'
      | 'duration'
      | 'tool'
      | 'catalogue'
      | 'seed'
      | 'part'
      | 'certificate',
      string
    >
  >;
  readonly seconds: (seconds: string, requests: number) => string;
  readonly cases: (seed: number, runs: number) => string;
  readonly notVerified: string;
  readonly overall: Readonly<Record<OverallVerdict, string>>;
  readonly verdicts: Readonly<Record<RequirementVerdict, string>>;
  readonly meanings: Readonly<Record<RequirementVerdict, string>>;
  readonly deviationStates: Readonly<Record<DeviationState, string>>;
  readonly headings: Readonly<
    Record<
      | 'summary'
      | 'sections'
      | 'trend'
      | 'profiles'
      | 'broken'
      | 'warnings'
      | 'deviations'
      | 'requirements'
      | 'notJudged'
      | 'leftOpen'
      | 'unobservable'
      | 'interpretations'
      | 'notBinding'
      | 'remarks'
      | 'checks'
      | 'contents'
      | 'verdicts',
      string
    >
  >;
  readonly columns: Readonly<
    Record<
      | 'id'
      | 'statement'
      | 'level'
      | 'levelAndProfiles'
      | 'verdict'
      | 'checks'
      | 'proof'
      | 'profile'
      | 'title'
      | 'version'
      | 'judged'
      | 'against'
      | 'what'
      | 'kind'
      | 'why'
      | 'requirement'
      | 'reason'
      | 'until'
      | 'state'
      | 'interpretation'
      | 'open'
      | 'taken'
      | 'seen'
      | 'run',
      string
    >
  >;
  readonly bind: (count: number, side: Side) => string;
  readonly hidden: (count: number, notTested: number) => string;
  readonly profilesIntro: string;
  readonly interpretationsIntro: string;
  readonly trendIntro: string;
  readonly firstRun: string;
  readonly proofIntro: string;
  readonly of: (part: number, whole: number) => string;
  readonly reading: string;
  readonly unobservable: string;
  readonly knownDeviation: string;
  /** Why a requirement that must hold has no more than a warning. */
  readonly onlyAdvised: (checks: string) => string;
  readonly excused: string;
  readonly broken: string;
  readonly notExercised: string;
  readonly missingJourneys: string;
  readonly openEnd: string;
  readonly andMore: (count: number) => string;
  readonly everythingJudged: string;
  readonly notCited: string;
  readonly filter: {
    readonly search: string;
    readonly verdict: string;
    readonly section: string;
    readonly all: string;
    readonly clear: string;
    /** With %shown and %all. */
    readonly count: string;
    readonly none: string;
  };
  readonly printed: (count: number) => string;
  readonly written: string;
}
