import { requirementById } from '../spec/catalogue.ts';
import type { Readings } from '../spec/interpretations.ts';
import type { Level } from '../spec/requirement.ts';
import type { Capability } from '../target/capabilities.ts';
import type { CheckContext } from './context.ts';
import type { SuiteReference } from './verdict.ts';

/** A value that tests requirements. It can be listed, explained and run without any test framework. */
export interface Check {
  readonly id: string;
  /** A sentence about the bank. */
  readonly title: string;
  /** The requirement that it judges first of all; a failure is counted there. */
  readonly requirement: string;
  /** Further requirements that it touches. */
  readonly others?: readonly string[];
  /** What the target has to offer. */
  readonly needs: readonly Capability[];
  /** What the check does, in prose, step by step. */
  readonly steps: readonly string[];
  /** What is expected of the bank, in prose. */
  readonly expected: string;
  /** Whether the check judges what other checks have seen, and so runs after them. */
  readonly observes?: boolean;
  /** Another level than that of its requirements, as the readings have it; undefined is not judged at all. */
  readonly levelUnder?: (readings: Readings) => Level | undefined;
  run(context: CheckContext): Promise<void>;
}

type Optional = 'needs' | 'steps' | 'expected';

export type CheckDefinition = Omit<Check, Optional> & Partial<Pick<Check, Optional>>;

export const check = (definition: CheckDefinition): Check => ({
  needs: [],
  steps: [],
  expected: '',
  ...definition,
});

/** Every requirement that a check cites, its own first. */
export const requirementsOf = ({
  requirement,
  others = [],
}: Pick<Check, 'requirement' | 'others'>): readonly string[] => [requirement, ...others];

const levels: readonly Level[] = ['must', 'should', 'advisory'];

/** The strongest level among the requirements of a check, unless a reading says otherwise. */
export function levelOf(check: Check, readings: Readings): Level | undefined {
  if (check.levelUnder !== undefined) return check.levelUnder(readings);
  return (
    levels.find((level) => requirementsOf(check).some((id) => requirementById.get(id)?.level === level)) ??
    'must'
  );
}

export interface Suite {
  readonly title: string;
  readonly section: readonly string[];
  readonly checks: readonly Check[];
}

export const section = (...headings: readonly string[]): readonly string[] => headings;

/** The checks of one topic. The file's path is the id of the suite. */
export const suite = (
  title: string,
  headings: readonly string[],
  checks: readonly (Check | readonly Check[])[],
): Suite => ({ title, section: headings, checks: checks.flat() });

/** A suite with the id that its file gives it. */
export interface LoadedSuite extends Suite {
  readonly id: string;
}

export const referenceOf = ({ id, title, section: headings }: LoadedSuite): SuiteReference => ({
  id,
  title,
  section: headings,
});
