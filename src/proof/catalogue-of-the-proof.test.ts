import { expect, test } from 'vitest';
import { compliantDesign } from '../bank/compliant-design.ts';
import { deviations } from '../bank/deviations/index.ts';
import { dialects } from '../bank/dialects/index.ts';
import { placeChecks } from '../checks/judge.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { requirementById } from '../spec/catalogue.ts';
import { combinationsOf, costlyChecks, planProof } from './proof-plan.ts';
import { needlessChecks, unprovedRequirements } from './verdict-of-proof.ts';

const repeated = (ids: readonly string[]): readonly string[] =>
  ids.filter((id, index) => ids.indexOf(id) !== index);

test('ids are unique and name a requirement that exists', () => {
  expect(repeated(deviations.map(({ id }) => id))).toEqual([]);
  expect(repeated(dialects.map(({ id }) => id))).toEqual([]);
  const strange = deviations.filter(({ requirement }) => !requirementById.has(requirement));
  expect(strange.map(({ id }) => id)).toEqual([]);
});

test('there are hundreds of deviations and dozens of dialects', () => {
  expect(deviations.length).toBeGreaterThan(1000);
  expect(dialects.length).toBeGreaterThan(100);
});

test('every must-level requirement that a check covers is broken by a deviation', async () => {
  expect(unprovedRequirements(deviations, placeChecks(await loadSuites()))).toEqual([]);
});

test('every deviation and dialect gives a design of its own', () => {
  for (const { apply } of [
    ...deviations,
    ...dialects.filter(({ prefix, signsResponses }) => !prefix && !signsResponses),
  ]) {
    expect(apply(compliantDesign)).not.toBe(compliantDesign);
  }
});

test('combinations are drawn by seed and decide no question twice', () => {
  const drawn = combinationsOf(50, 7);
  expect(combinationsOf(50, 7)).toEqual(drawn);
  expect(drawn.every((ids) => ids.length >= 2)).toBe(true);
  const decided = drawn.map((ids) =>
    ids.map((id) => dialects.find((dialect) => dialect.id === id)?.decides ?? ''),
  );
  expect(decided.flatMap(repeated)).toEqual([]);
});

test('a plan holds everything once, and only what was asked for', () => {
  const plan = planProof({ full: false, combinations: 3, seed: 1 });
  expect(plan.filter(({ kind }) => kind === 'deviation')).toHaveLength(deviations.length);
  expect(plan.filter(({ kind }) => kind === 'dialect')).toHaveLength(dialects.length + 3);
  const some = planProof({ full: true, combinations: 3, seed: 1, only: /^NDC-11\// });
  expect(some.length).toBeGreaterThan(2);
  expect(some.every((task) => task.kind === 'deviation' && task.all && task.id.startsWith('NDC-11/'))).toBe(
    true,
  );
});

test('a check is needless when another one of its requirement notices all that it does', async () => {
  const checks = placeChecks(await loadSuites()).slice(0, 2);
  const [first = '', second = ''] = checks.map(({ check }) => check.id);
  expect(needlessChecks([{ blamedBy: [first, second] }, { blamedBy: [first] }], checks)).toEqual([second]);
});

test('the costly checks are checks', async () => {
  const known = placeChecks(await loadSuites()).map(({ check }) => check.id);
  expect(costlyChecks.filter((id) => !known.includes(id))).toEqual([]);
});
