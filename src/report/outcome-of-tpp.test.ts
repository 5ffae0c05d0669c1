import { expect, test } from 'vitest';
import type { Verdict } from '../checks/verdict.ts';
import type { Requirement } from '../spec/requirement.ts';
import { judgeRun } from './outcome.ts';
import { aResult, aRun, someRequirements } from './synthetic-run.test.data.ts';

test('the journeys that a profile cannot do without decide about a TPP', () => {
  const journey = (id: string, mandatoryIn: readonly string[], verdict: Verdict) =>
    aResult({ id: `J ${id}`, requirements: ['TPP-01'], verdict, journey: { id, mandatoryIn } });
  const results = [
    journey('reading', ['accounts'], 'pass'),
    journey('paying', ['domestic-payments'], 'not-applicable'),
  ];
  const tpp = (id: 'accounts' | 'domestic-payments'): Requirement => ({
    ...(someRequirements[5] as Requirement),
    id: `TPP-${id}`,
    profiles: [id],
  });
  const catalogue = [...someRequirements, tpp('accounts'), tpp('domestic-payments')];
  const run = (...ids: string[]) =>
    aRun({ results, header: { side: 'tpp', profiles: Object.fromEntries(ids.map((id) => [id, '1.0'])) } });
  expect(judgeRun(run('accounts'), catalogue)).toMatchObject({ verdict: 'conformant' });
  expect(judgeRun(run('accounts', 'domestic-payments'), catalogue)).toMatchObject({
    verdict: 'incomplete',
    problems: ['1 mandatory journey not completed: paying.'],
  });
});

test('a TPP is not conformant where something of what it did could not be judged', () => {
  const own = {
    ...(someRequirements[5] as Requirement),
    id: 'TPP-accounts',
    profiles: ['accounts'] as const,
  };
  const judged = (verdict: Verdict) =>
    judgeRun(
      aRun({
        results: [aResult({ id: own.id, requirements: [own.id], verdict })],
        header: { side: 'tpp', profiles: { accounts: '1.0' } },
      }),
      [...someRequirements, own],
    );
  expect(judged('pass').verdict).toBe('conformant');
  expect(judged('not-applicable').verdict).toBe('conformant');
  expect(judged('inconclusive')).toMatchObject({
    verdict: 'incomplete',
    gaps: [{ requirement: { id: own.id } }],
  });
});
