import type { CheckResult, RunRecord } from '../checks/verdict.ts';
import type { Requirement } from '../spec/requirement.ts';

const byIdNumber = new Intl.Collator('en', { numeric: true });

/**
 * Puts the results into the order of the specification: suites by their first requirement in the catalogue,
 * checks by id. Verdicts fall in any order, and shards in another; the reports must not differ for that.
 */
export function inSpecificationOrder(run: RunRecord, requirements: readonly Requirement[]): RunRecord {
  const position = new Map(requirements.map(({ id }, index) => [id, index]));
  const suitePosition = new Map<string, number>();
  for (const { suite, requirements: cited } of run.results) {
    const first = Math.min(...cited.map((id) => position.get(id) ?? Number.MAX_SAFE_INTEGER));
    suitePosition.set(suite.id, Math.min(first, suitePosition.get(suite.id) ?? Number.MAX_SAFE_INTEGER));
  }
  const rank = ({ suite }: CheckResult): number => suitePosition.get(suite.id) ?? Number.MAX_SAFE_INTEGER;
  const results = run.results.toSorted(
    (a, b) =>
      rank(a) - rank(b) || byIdNumber.compare(a.suite.id, b.suite.id) || byIdNumber.compare(a.id, b.id),
  );
  return { ...run, results };
}
