import { expect, test } from 'vitest';
import { requirementsOf } from '../../checks/check.ts';
import { loadSuites } from '../../runner/load-suites.ts';
import { type DeviationResult, needlessChecks } from '../verdict-of-proof.ts';
import { createTppKeys } from './certify.ts';
import { conditionalTppDeviations, tppDeviations } from './conditional.ts';
import { tppDialects } from './dialects.ts';
import { proveTppDeviation, proveTppDialect } from './prove-tpp.ts';

const [keys, suites] = await Promise.all([createTppKeys(), loadSuites('tpp')]);
const checks = suites.flatMap((suite) => suite.checks);

test('every deviation of a TPP is found out and blamed for nothing else, and no check could be left out', async () => {
  const results: DeviationResult[] = [];
  for (const deviation of tppDeviations) results.push(await proveTppDeviation(deviation, suites, keys));
  const wrong = results.filter(({ blamed, others }) => !blamed || others.length > 0);
  expect(wrong).toEqual([]);
  expect(needlessChecks(results, checks)).toEqual([]);
}, 240_000);

test('no check complains about a TPP that is only unusual, and all its journeys are seen', async () => {
  const alarms: string[] = [];
  for (const dialect of tppDialects) {
    const result = await proveTppDialect(dialect, suites, keys);
    alarms.push(...result.alarms.map((alarm) => `${dialect.id}: ${alarm}`));
  }
  expect(alarms).toEqual([]);
}, 240_000);

test('a TPP that breaks a rule in one part of its code is found out, and one that never comes to it is left out', async () => {
  const proved = async (id: string): Promise<DeviationResult> => {
    const deviation = conditionalTppDeviations.find((candidate) => candidate.id === id);
    if (deviation === undefined) throw new Error(`There is no deviation ${id}.`);
    return proveTppDeviation(deviation, suites, keys);
  };
  expect(await proved('TPP-08/lower-case@corporate')).toMatchObject({
    condition: 'corporate',
    blamedBy: ['TPP-08'],
  });
  expect(await proved('TPP-28/number@again')).toMatchObject({ condition: 'again', blamed: true });
  expect(await proved('TPP-19/payments@baskets')).toMatchObject({ isIdle: true, killed: false });
});

test('a TPP that nobody finds out, or that is blamed for something else, is told apart from one that is', async () => {
  const [deviation] = tppDeviations.filter(({ id }) => id === 'TPP-08/lower-case');
  if (deviation === undefined) throw new Error('There is no such deviation.');
  const without = (...ids: readonly string[]) =>
    suites.map((suite) => ({
      ...suite,
      checks: suite.checks.filter((check) => !requirementsOf(check).some((id) => ids.includes(id))),
    }));
  expect(await proveTppDeviation(deviation, without('TPP-08', 'TPP-52'), keys)).toMatchObject({
    killed: false,
    blamed: false,
  });
  // The net under all checks: a refusal that none of them explains.
  expect(await proveTppDeviation(deviation, without('TPP-08'), keys)).toMatchObject({
    blamed: false,
    others: ['TPP-52'],
  });
  const mistaken = { ...deviation, requirement: 'TPP-09' };
  expect(await proveTppDeviation(mistaken, suites, keys)).toMatchObject({
    killed: true,
    blamed: false,
    others: ['TPP-08'],
  });
  const [dialect] = tppDialects;
  if (dialect === undefined) throw new Error('There are no dialects.');
  const { alarms } = await proveTppDialect({ ...dialect, change: deviation.change }, suites, keys);
  expect(alarms).toContainEqual(expect.stringMatching(/^TPP-08: Expected SN in upper-case hexadecimal/));
  expect(alarms).toContain('JRN-first-payment: the journey was not seen');
});
