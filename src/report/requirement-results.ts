import type { CheckResult, Verdict } from '../checks/verdict.ts';
import type { Requirement, Side } from '../spec/requirement.ts';

export type RequirementVerdict = Verdict | 'not-tested';

/** What a run says about one requirement. */
export interface RequirementResult {
  readonly requirement: Requirement;
  readonly verdict: RequirementVerdict;
  /** The results of the checks that cite it. */
  readonly checks: readonly CheckResult[];
}

/**
 * Gravest first. A broken requirement outranks our own error, because the evidence for it stands. What was
 * judged outranks what does not apply: a check without its precondition takes nothing from one that passed.
 */
const gravity: readonly Verdict[] = ['fail', 'error', 'inconclusive', 'warning', 'pass', 'not-applicable'];

/**
 * The requirements that bind the judged side, in the order of the catalogue, and those that a check cited next to them.
 * An id that this catalogue does not know (a run of another version) is kept, or its failure would vanish.
 */
export function requirementResults(
  results: readonly CheckResult[],
  requirements: readonly Requirement[],
  judged: Side = 'bank',
): readonly RequirementResult[] {
  const checksById = new Map<string, CheckResult[]>();
  for (const result of results) {
    for (const id of new Set(result.requirements)) {
      const checks = checksById.get(id);
      if (checks === undefined) checksById.set(id, [result]);
      else checks.push(result);
    }
  }
  const known = new Set(requirements.map(({ id }) => id));
  const citedOnly = [...checksById]
    .filter(([id]) => !known.has(id))
    .map(([id, checks]) => unknownRequirement(id, checks, judged));
  return [...requirements.filter(({ id, side }) => side === judged || checksById.has(id)), ...citedOnly].map(
    (requirement) => {
      const checks = checksById.get(requirement.id) ?? [];
      return { requirement, verdict: gravest(checks), checks };
    },
  );
}

function gravest(checks: readonly CheckResult[]): RequirementVerdict {
  return gravity.find((verdict) => checks.some((check) => check.verdict === verdict)) ?? 'not-tested';
}

function unknownRequirement(id: string, checks: readonly CheckResult[], side: Side): Requirement {
  return {
    id,
    statement: 'This requirement is not in the catalogue of this version.',
    section: checks[0]?.suite.section ?? [],
    level: checks[0]?.level ?? 'must',
    side,
  };
}
