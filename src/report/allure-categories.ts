import { Status } from 'allure-js-commons';
import type { CheckResult, Verdict } from '../checks/verdict.ts';
import type { Outcome } from './outcome.ts';

/** A group of results that call for the same kind of action. */
export interface Category {
  readonly name: string;
  readonly status: Status;
  /** What the message of its results begins with, which is how Allure tells them apart. */
  readonly opening: string;
}

const categories = {
  broken: { name: 'Requirement broken', status: Status.FAILED, opening: 'Requirement broken' },
  known: { name: 'Known deviation', status: Status.FAILED, opening: 'Known deviation' },
  inconclusive: { name: 'Inconclusive', status: Status.BROKEN, opening: 'Inconclusive' },
  error: { name: 'Error of this tool', status: Status.BROKEN, opening: 'Error of this tool' },
  missing: { name: 'Missing in the target file', status: Status.SKIPPED, opening: 'Not applicable' },
  warning: { name: 'Warning', status: Status.PASSED, opening: 'Warning' },
  otherReason: { name: 'Refused for another reason', status: Status.PASSED, opening: 'Passed, but' },
} as const satisfies Record<string, Category>;

/** In the order in which an auditor reads them. */
export const allCategories: readonly Category[] = Object.values(categories);

/** A pass whose note says that the refusal had another cause than the fault: not proof, and worth a look. */
const otherReason = /\b(another|other|wrong|different) reason\b/i;

const byVerdict: Readonly<Record<Exclude<Verdict, 'pass'>, Category>> = {
  fail: categories.broken,
  warning: categories.warning,
  'not-applicable': categories.missing,
  inconclusive: categories.inconclusive,
  error: categories.error,
};

/** The category of a result; a plain pass has none. */
export function categoryOf(result: CheckResult, { excused }: Outcome): Category | undefined {
  if (excused.has(result.id)) return categories.known;
  if (result.verdict !== 'pass') return byVerdict[result.verdict];
  return result.notes.some((note) => otherReason.test(note)) ? categories.otherReason : undefined;
}
