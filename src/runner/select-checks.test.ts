import { expect, it } from 'vitest';
import { placeChecks } from '../checks/engine.ts';
import { loadSuites } from './load-suites.ts';
import { estimateRun } from './select-checks.ts';

it('takes minutes for an ordinary run and many hours for a hundred thousand cases, at the usual pace', async () => {
  const checks = placeChecks(await loadSuites());
  const usual = estimateRun(checks, 10, { requestsPerSecond: 50 });
  expect(usual.seconds).toBeGreaterThan(60);
  expect(usual.seconds).toBeLessThan(300);
  const many = estimateRun(checks, 100_000, { requestsPerSecond: 50 });
  expect(many.seconds).toBeGreaterThan(8 * 3600);
  expect(estimateRun(checks, 10, {}).seconds).toBeLessThan(usual.seconds);
});
