import { expect, test } from 'vitest';
import { allowedReadings, deviations } from '../bank/deviations/index.ts';
import { dialects } from '../bank/dialects/index.ts';
import { loadAllSuites } from '../runner/coverage.ts';
import { requirementById } from '../spec/catalogue.ts';
import { isProfileId } from '../spec/profiles.ts';
import { dialectsToLearn } from './bank/prove-dialects.ts';
import { poolSize, poolsOf } from './dialect-pools.ts';
import { combinationsOf, costlyChecks, planProof } from './proof-plan.ts';
import { tppDeviations } from './tpp/conditional.ts';
import { tppDialects } from './tpp/dialects.ts';
import { needlessChecks, unprovedRequirements } from './verdict-of-proof.ts';

const repeated = (ids: readonly string[]): readonly string[] =>
  ids.filter((id, index) => ids.indexOf(id) !== index);

const suites = await loadAllSuites();
const checks = suites.flatMap((suite) => suite.checks);

test('ids are unique, and every deviation names a requirement on its side', () => {
  for (const list of [tppDeviations, tppDialects]) {
    expect(repeated(list.map(({ id }) => id))).toEqual([]);
  }
  const sideOf = (id: string) => requirementById.get(id)?.side;
  expect(deviations.filter(({ requirement }) => sideOf(requirement) !== 'bank')).toEqual([]);
  expect(tppDeviations.filter(({ requirement }) => sideOf(requirement) !== 'tpp')).toEqual([]);
});

test('what is listed by name is there, and what dialects declare is something', () => {
  const ids = new Set([...deviations, ...dialects].map(({ id }) => id));
  expect([...Object.keys(allowedReadings), ...dialectsToLearn].filter((id) => !ids.has(id))).toEqual([]);
  expect(new Set(dialectsToLearn).size).toBeGreaterThanOrEqual(20);
  const declared = dialects.flatMap((dialect) => dialect.declared?.notOffered ?? []);
  expect(declared.filter(({ what }) => !requirementById.has(what) && !isProfileId(what))).toEqual([]);
});

test('every requirement that can be broken is broken by a deviation', () => {
  expect(unprovedRequirements([...deviations, ...tppDeviations], checks)).toEqual([]);
});

test('combinations are drawn by seed and decide no question twice', () => {
  const drawn = combinationsOf(50, 7);
  expect(combinationsOf(50, 7)).toEqual(drawn);
  expect(drawn.every((ids) => ids.length >= 2)).toBe(true);
  const decided = drawn.map((ids) =>
    ids.flatMap((id) => dialects.find((dialect) => dialect.id === id)?.decides ?? []),
  );
  expect(decided.flatMap(repeated)).toEqual([]);
});

test('pools are drawn by seed, hold every dialect once and decide no question twice', () => {
  const pools = poolsOf(dialects, poolSize, 7);
  expect(poolsOf(dialects, poolSize, 7)).toEqual(pools);
  expect(poolsOf(dialects, poolSize, 8)).not.toEqual(pools);
  const ids = pools.flatMap((pool) => pool.map(({ id }) => id));
  expect(ids.toSorted()).toEqual(dialects.map(({ id }) => id).toSorted());
  expect(pools.flatMap((pool) => repeated(pool.flatMap(({ decides }) => decides)))).toEqual([]);
  expect(Math.max(...pools.map(({ length }) => length))).toBeLessThanOrEqual(poolSize + 1);
});

test('what is declared in a target file would count for a whole pool, so whoever declares something is alone', () => {
  const declaring = poolsOf(dialects, poolSize, 7).filter((pool) =>
    pool.some(({ declared }) => declared !== undefined),
  );
  expect(declaring.length).toBeGreaterThan(5);
  expect(declaring.every(({ length }) => length === 1)).toBe(true);
});

test('a plan holds everything once, and only what was asked for', () => {
  const plan = planProof({ full: false, combinations: 3, conditional: 6, seed: 1 });
  const planned = (side: string, kind: string) =>
    plan.filter((task) => task.side === side && task.kind === kind);
  expect(planned('bank', 'deviation')).toHaveLength(deviations.length + 6);
  const pooled = plan.flatMap((task) => (task.kind === 'pool' ? task.ids : []));
  expect(pooled.toSorted()).toEqual(dialects.map(({ id }) => id).toSorted());
  expect(planned('bank', 'dialect')).toHaveLength(3);
  const each = planProof({ full: false, each: true, combinations: 3, conditional: 6, seed: 1 });
  expect(each.filter(({ kind }) => kind === 'pool')).toHaveLength(dialects.length);
  // A third as many of TPPs.
  expect(planned('tpp', 'deviation')).toHaveLength(tppDeviations.length + 2);
  expect(planned('tpp', 'dialect')).toHaveLength(tppDialects.length);
  const some = planProof({ full: true, combinations: 3, conditional: 6, seed: 1, only: /^NDC-11\// });
  expect(some.length).toBeGreaterThan(2);
  expect(some.every((task) => task.kind === 'deviation' && task.all && task.id.startsWith('NDC-11/'))).toBe(
    true,
  );
  const ofTpps = planProof({ full: false, combinations: 3, conditional: 6, seed: 1, side: 'tpp' });
  expect(ofTpps).toHaveLength(tppDeviations.length + 2 + tppDialects.length);
});

test('a check is needless when another one of its requirement notices all that it does', () => {
  const [first, second] = checks;
  if (first === undefined || second === undefined) throw new Error('There are checks.');
  const results = [{ blamedBy: [first.id, second.id] }, { blamedBy: [first.id] }];
  expect(needlessChecks(results, [first, second])).toEqual([second.id]);
});

test('a check that needs more of the target is no substitute', () => {
  const results = [{ blamedBy: ['A', 'B'] }];
  const [plain, demanding] = [
    { id: 'A', needs: [] },
    { id: 'B', needs: ['corporate-psu'] },
  ] as const;
  expect(needlessChecks(results, [plain, demanding])).toEqual(['B']);
});

test('the costly checks are checks', () => {
  expect(costlyChecks.filter((id) => !checks.some((check) => check.id === id))).toEqual([]);
});
