import { type Check, type LoadedSuite, levelOf } from '../checks/check.ts';
import { requirements } from '../spec/catalogue.ts';
import { defaultReadings } from '../spec/interpretations.ts';
import type { Level, Requirement } from '../spec/requirement.ts';
import { loadSuites } from './load-suites.ts';

/** A check with its suite, and its level under the default readings. */
export interface CataloguedCheck {
  readonly check: Check;
  readonly suite: LoadedSuite;
  /** Undefined where the default readings leave it unjudged. */
  readonly level: Level | undefined;
}

/** The requirements and the checks that judge them. */
export interface Coverage {
  readonly checks: readonly CataloguedCheck[];
  checksOf(requirement: string): readonly CataloguedCheck[];
  /** Demands on a bank that no check judges, and no reason says why. */
  readonly uncovered: readonly Requirement[];
}

export async function loadCoverage(): Promise<Coverage> {
  const checks = (await loadSuites()).flatMap((suite) =>
    suite.checks.map((check) => ({ check, suite, level: levelOf(check, defaultReadings) })),
  );
  const checksOf = (requirement: string): readonly CataloguedCheck[] =>
    checks.filter(({ check }) => check.requirements.includes(requirement));
  return {
    checks,
    checksOf,
    uncovered: requirements
      .filter(({ side, unobservable }) => side === 'bank' && unobservable === undefined)
      .filter(({ id }) => checksOf(id).length === 0),
  };
}
