import { requirementsOf } from '../checks/check.ts';
import type { PlacedCheck } from '../checks/judge.ts';
import { type KillScores, killScoresFrom } from '../checks/kill-score.ts';
import { requirements } from '../spec/catalogue.ts';
import type { DeviationResult } from './prove-deviation.ts';
import type { DialectResult } from './prove-dialect.ts';
import type { TaskResult } from './prover.ts';

/** Everything that a proof has found. */
export interface Proof {
  readonly deviations: readonly DeviationResult[];
  /** Dialects alone. */
  readonly dialects: readonly DialectResult[];
  readonly combinations: readonly DialectResult[];
  readonly survivors: readonly DeviationResult[];
  /** Killed, but by no check of the requirement that was broken. */
  readonly unblamed: readonly DeviationResult[];
  readonly falseAlarms: readonly DialectResult[];
  /** Requirements that a check covers and that nothing breaks: no one knows whether the check would notice. */
  readonly unproved: readonly string[];
  /** Checks that the proof would not miss: whatever they notice, another check of the same requirement does. */
  readonly needless: readonly string[];
  readonly holds: boolean;
}

export function verdictOf(results: readonly TaskResult[], checks: readonly PlacedCheck[]): Proof {
  const deviations = results.filter((result) => result.kind === 'deviation').toSorted(byId);
  const ofDialects = results.filter((result) => result.kind === 'dialect');
  const survivors = deviations.filter(({ killed }) => !killed);
  const unblamed = deviations.filter(({ killed, blamed }) => killed && !blamed);
  const falseAlarms = ofDialects.filter(({ alarms }) => alarms.length > 0);
  const unproved = unprovedRequirements(deviations, checks);
  const needless = needlessChecks(deviations, checks);
  return {
    deviations,
    dialects: ofDialects.filter(({ ids }) => ids.length === 1),
    combinations: ofDialects.filter(({ ids }) => ids.length > 1),
    survivors,
    unblamed,
    falseAlarms,
    unproved,
    needless,
    holds: [survivors, unblamed, falseAlarms, unproved, needless].every(({ length }) => length === 0),
  };
}

/** By requirement and way, with numbers in their order. */
function byId(a: DeviationResult, b: DeviationResult): number {
  return a.id.localeCompare(b.id, 'en', { numeric: true });
}

/** Must-level requirements that bind the bank, that a check covers, and that no deviation breaks. */
export function unprovedRequirements(
  deviations: readonly Pick<DeviationResult, 'requirement'>[],
  checks: readonly PlacedCheck[],
): readonly string[] {
  const broken = new Set(deviations.map(({ requirement }) => requirement));
  const covered = new Set(checks.flatMap(({ check }) => requirementsOf(check)));
  return requirements
    .filter(
      ({ id, side, level }) => side === 'bank' && level === 'must' && covered.has(id) && !broken.has(id),
    )
    .map(({ id }) => id);
}

/** Checks without a deviation that they alone notice, so that nobody would miss them. */
export function needlessChecks(
  deviations: readonly Pick<DeviationResult, 'blamedBy'>[],
  checks: readonly PlacedCheck[],
): readonly string[] {
  const needed = new Set(deviations.flatMap(({ blamedBy }) => (blamedBy.length === 1 ? blamedBy : [])));
  return checks.map(({ check }) => check.id).filter((id) => !needed.has(id));
}

/** How many of the ways to break each requirement are noticed by a check of that requirement. */
export const killScoresOf = ({ deviations }: Proof): KillScores =>
  killScoresFrom(deviations.map(({ requirement, blamed }) => ({ requirement, isNoticed: blamed })));
