import { expect, test } from 'vitest';
import { journeys } from '../../src/certification/journeys.ts';
import { requirementsOf } from '../../src/checks/check.ts';
import { loadTppSuites } from '../../src/runner/load-tpp-suites.ts';
import { requirementById, requirements } from '../../src/spec/catalogue.ts';

const suites = await loadTppSuites();
const checks = suites.flatMap((suite) => suite.checks);
const cited = new Set(checks.flatMap((check) => requirementsOf(check)));

test('check ids are unique, and checks are named after their requirement', () => {
  const ids = checks.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(checks.filter(({ id, requirement }) => !id.startsWith(requirement))).toEqual([]);
});

test('checks and journeys cite requirements on a TPP', () => {
  const all = [...cited, ...journeys.flatMap((journey) => journey.requirements)];
  expect(all.filter((id) => requirementById.get(id)?.side !== 'tpp')).toEqual([]);
});

test('every requirement on a TPP has a check, or says why it has none', () => {
  const holes = requirements.filter(
    ({ id, side, unobservable }) => side === 'tpp' && (unobservable === undefined) !== cited.has(id),
  );
  expect(holes.map(({ id }) => id)).toEqual([]);
});

test('every check can be explained', () => {
  expect(checks.filter(({ title, looksAt, expected }) => !title || !looksAt || !expected)).toEqual([]);
});
