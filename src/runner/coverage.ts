import { type LoadedTppSuite, levelOfTppCheck } from '../certification/tpp-check.ts';
import { type Check, type LoadedSuite, levelOf, requirementsOf } from '../checks/check.ts';
import { requirements } from '../spec/catalogue.ts';
import { defaultReadings } from '../spec/interpretations.ts';
import type { Level, Requirement } from '../spec/requirement.ts';
import { loadSuites } from './load-suites.ts';
import { loadTppSuites } from './load-tpp-suites.ts';

/** A check with its suite, and its level under the default readings. */
export interface CataloguedCheck {
  readonly check: Pick<Check, 'id' | 'title' | 'requirement' | 'others' | 'needs' | 'steps' | 'expected'>;
  readonly suite: Pick<LoadedSuite, 'id' | 'title' | 'section'>;
  /** Undefined where the default readings leave it unjudged. */
  readonly level: Level | undefined;
  /** Whom it judges: `run` a bank, `certify-tpp` a TPP. */
  readonly judges: Requirement['side'];
}

/** The requirements and the checks that judge them. */
export interface Coverage {
  readonly checks: readonly CataloguedCheck[];
  checksOf(requirement: string): readonly CataloguedCheck[];
  /** Demands on a bank or a TPP that no check judges, and no reason says why. */
  readonly uncovered: readonly Requirement[];
}

export async function loadCoverage(): Promise<Coverage> {
  const [ofBanks, ofTpps] = await Promise.all([loadSuites(), loadTppSuites()]);
  const checks = [...ofBanks.flatMap(bankChecks), ...ofTpps.flatMap(tppChecks)];
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

const bankChecks = (suite: LoadedSuite): readonly CataloguedCheck[] =>
  suite.checks.map((check) => ({ check, suite, level: levelOf(check, defaultReadings), judges: 'bank' }));

/** It waits for what a TPP does by itself, so it has nothing to send and needs nothing. */
const tppChecks = (suite: LoadedTppSuite): readonly CataloguedCheck[] =>
  suite.checks.map(({ looksAt, ...check }) => ({
    check: { ...check, needs: [], steps: [`Wait for ${looksAt}.`] },
    suite,
    level: levelOfTppCheck(check),
    judges: 'tpp',
  }));
