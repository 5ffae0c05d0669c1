import { expect, test } from 'vitest';
import { requirementsOf } from '../src/checks/check.ts';
import { loadSuites } from '../src/runner/load-suites.ts';
import { requirementById, requirements } from '../src/spec/catalogue.ts';

const suites = await loadSuites();
const checks = suites.flatMap((suite) => suite.checks);
const cited = new Set(checks.flatMap((check) => requirementsOf(check)));

test('check ids are unique', () => {
  const ids = checks.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('checks cite requirements that exist and bind the bank', () => {
  const wrong = [...cited].filter((id) => requirementById.get(id)?.side !== 'bank');
  expect(wrong).toEqual([]);
});

test('a check is named after its requirement, so that one can be found by the other', () => {
  const wrong = checks.filter(({ id, requirement }) => !id.startsWith(requirement));
  expect(wrong.map(({ id }) => id)).toEqual([]);
});

test('every requirement on the bank has a check, or says why it has none', () => {
  const holes = requirements.filter(
    ({ id, side, unobservable }) => side === 'bank' && unobservable === undefined && !cited.has(id),
  );
  expect(holes.map(({ id }) => id)).toEqual([]);
});

test('no check judges what is said to be unobservable', () => {
  const wrong = [...cited].filter((id) => requirementById.get(id)?.unobservable !== undefined);
  expect(wrong).toEqual([]);
});

test('every check can be explained: it has a title, steps and what it expects', () => {
  const mute = checks.filter(
    ({ title, steps, expected }) => title === '' || steps.length === 0 || expected === '',
  );
  expect(mute.map(({ id }) => id)).toEqual([]);
});
