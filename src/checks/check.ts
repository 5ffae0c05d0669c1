import { requirementById } from '../spec/catalogue.ts';
import type { Readings } from '../spec/interpretations.ts';
import { once } from '../spec/once.ts';
import type { ProfileId, Side } from '../spec/profiles.ts';
import type { Level } from '../spec/requirement.ts';
import type { Capability } from '../target/capabilities.ts';
import type { CheckContext } from './context.ts';
import type { CheckRun, JourneyReference, SuiteReference } from './verdict.ts';

/** What can be listed and explained of a check, whichever side it judges. */
export interface CheckDescription {
  readonly id: string;
  /** A sentence about the side that it judges. */
  readonly title: string;
  /** Whom it judges: `run` a bank, `certify-tpp` a TPP. */
  readonly side: Side;
  /** The requirement that it judges first of all; a failure is counted there. */
  readonly requirement: string;
  /** Further requirements that it touches. */
  readonly others?: readonly string[];
  /** It touches so many requirements that whoever names one of them does not mean it: `--only CLK-03`. */
  readonly isOnlyMeantByName?: true;
  /** Fewer profiles than its requirement belongs to, where it looks at one of several operations. */
  readonly profiles?: readonly ProfileId[];
  /** The journey of a TPP that it looks for. */
  readonly journey?: JourneyReference;
  /** What the target has to offer. */
  readonly needs: readonly Capability[];
  /** What the check does, in prose, step by step. */
  readonly steps: readonly string[];
  /** What is expected of whom it judges, in prose. */
  readonly expected: string;
  /** Whether the check judges what other checks have seen, and so runs after them. */
  readonly observes?: boolean;
  /**
   * What the others do meanwhile would mislead it: they take the connections for which a bank has room, or pass SCA. It
   * comes last.
   */
  readonly needsQuiet?: true;
  /** It asks much one after the other, or waits for those who do: begun last, it would be waited for alone. */
  readonly takesLong?: true;
  /** Whether it tries as many cases as a run is told to (`--runs`). */
  readonly isProperty?: boolean;
  /** Another level than that of its requirements, as the readings have it; undefined is not judged at all. */
  readonly levelUnder?: (readings: Readings) => Level | undefined;
}

/** A value that tests requirements of one side. It can be listed, explained and run without any test framework. */
export interface CheckOf<Context extends CheckRun> extends CheckDescription {
  run(context: Context): Promise<void>;
}

/** A check on a bank, which sends requests of its own. */
export interface Check extends CheckOf<CheckContext> {
  readonly side: 'bank';
}

type Optional = 'needs' | 'steps' | 'expected';

export type CheckDefinition = Omit<Check, Optional | 'side'> & Partial<Pick<Check, Optional>>;

export const check = (definition: CheckDefinition): Check => ({
  side: 'bank',
  needs: [],
  steps: [],
  expected: '',
  ...definition,
});

/** Every requirement that a check cites, its own first. */
export const requirementsOf = ({
  requirement,
  others = [],
}: Pick<CheckDescription, 'requirement' | 'others'>): readonly string[] => [requirement, ...others];

/** The profiles that a check is run for. */
export const profilesOf = ({
  requirement,
  profiles = requirementById.get(requirement)?.profiles ?? ['core'],
}: Pick<CheckDescription, 'requirement' | 'profiles'>): readonly ProfileId[] => profiles;

const levels: readonly Level[] = ['must', 'should', 'advisory'];

/** The strongest level among the requirements of a check, or among those it broke, unless a reading says otherwise. */
export function levelOf(
  check: CheckDescription,
  readings: Readings,
  among = requirementsOf(check),
): Level | undefined {
  if (check.levelUnder !== undefined) return check.levelUnder(readings);
  return levels.find((level) => among.some((id) => requirementById.get(id)?.level === level)) ?? 'must';
}

export interface Suite<Checks extends CheckDescription = Check> {
  readonly title: string;
  readonly section: readonly string[];
  readonly checks: readonly Checks[];
}

export const section = (...headings: readonly string[]): readonly string[] => headings;

type ChecksOfSuite<Checks> = readonly (Checks | readonly Checks[])[];

/**
 * The checks of one topic. The file's path is the id of the suite. They are made when they are first asked for: a run of a
 * part needs few of them.
 */
export function suite<Checks extends CheckDescription>(
  title: string,
  headings: readonly string[],
  checks: ChecksOfSuite<Checks> | (() => ChecksOfSuite<Checks>),
): Suite<Checks> {
  const all = once(() => (typeof checks === 'function' ? checks() : checks).flat() as readonly Checks[]);
  return {
    title,
    section: headings,
    get checks() {
      return all();
    },
  };
}

/** A suite with the id that its file gives it. */
export interface LoadedSuite<Checks extends CheckDescription = Check> extends Suite<Checks> {
  readonly id: string;
}

export const referenceOf = ({
  id,
  title,
  section: headings,
}: LoadedSuite<CheckDescription>): SuiteReference => ({ id, title, section: headings });
