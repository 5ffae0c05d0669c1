import { type CheckDescription, type LoadedSuite, levelOf, requirementsOf } from '../checks/check.ts';
import { requirements } from '../spec/catalogue.ts';
import { defaultReadings } from '../spec/interpretations.ts';
import type { Level, Requirement } from '../spec/requirement.ts';
import { loadSuites } from './load-suites.ts';

/** A check with its suite, and its level under the default readings. */
export interface CataloguedCheck {
  readonly check: CheckDescription;
  readonly suite: LoadedSuite<CheckDescription>;
  /** Undefined where the default readings leave it unjudged. */
  readonly level: Level | undefined;
}

/** The suites of both sides, those of a bank first. */
export async function loadAllSuites(): Promise<readonly LoadedSuite<CheckDescription>[]> {
  const [ofBanks, ofTpps] = await Promise.all([loadSuites('bank'), loadSuites('tpp')]);
  return [...ofBanks, ...ofTpps];
}

/** The requirements and the checks that judge them. */
export interface Coverage {
  readonly checks: readonly CataloguedCheck[];
  checksOf(requirement: string): readonly CataloguedCheck[];
  /** Demands on a bank or a TPP that no check judges, and no reason says why. */
  readonly uncovered: readonly Requirement[];
}

export async function loadCoverage(): Promise<Coverage> {
  const checks = (await loadAllSuites()).flatMap((suite) =>
    suite.checks.map((check) => ({ check, suite, level: levelOf(check, defaultReadings) })),
  );
  const checksOf = (requirement: string): readonly CataloguedCheck[] =>
    checks.filter(({ check }) => requirementsOf(check).includes(requirement));
  return {
    checks,
    checksOf,
    uncovered: requirements.filter(
      ({ id, unobservable }) => unobservable === undefined && checksOf(id).length === 0,
    ),
  };
}
