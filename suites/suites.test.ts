import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { journeys } from '../src/certification/journeys.ts';
import { requirementsOf } from '../src/checks/check.ts';
import { loadAllSuites } from '../src/runner/coverage.ts';
import { requirementById, requirements } from '../src/spec/catalogue.ts';
import { headerPrefixes } from '../src/spec/headers.ts';
import { everyProduct } from '../src/spec/products.ts';
import { capabilities } from '../src/target/capabilities.ts';
import { suffixes } from './id-suffixes.ts';

const suites = await loadAllSuites();
const checks = suites.flatMap((suite) => suite.checks);
const cited = new Set(checks.flatMap(requirementsOf));

const idsOf = (found: readonly { readonly id: string }[]): readonly string[] => found.map(({ id }) => id);
const repeated = (values: readonly string[]): readonly string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe('every suite', () => {
  test('has a title, a section and checks', () => {
    const empty = suites.filter(
      ({ title, section, checks: own }) => title === '' || section.length === 0 || own.length === 0,
    );
    expect(idsOf(empty)).toEqual([]);
  });

  test('has checks whose titles tell them apart', () => {
    const alike = suites.flatMap(({ id, checks: own }) =>
      repeated(own.map(({ title }) => title)).map((title) => `${id}: ${title}`),
    );
    expect(alike).toEqual([]);
  });
});

describe('every check', () => {
  test('has an id of its own: a verdict is asked for by id', () => {
    expect(repeated(idsOf(checks))).toEqual([]);
  });

  test('is named after its requirement, so that one can be found by the other', () => {
    expect(idsOf(checks.filter(({ id, requirement }) => !id.startsWith(requirement)))).toEqual([]);
  });

  test('cites requirements that exist and bind the side that it judges, none of them twice', () => {
    const wrong = checks.filter((check) => {
      const own = requirementsOf(check);
      return repeated(own).length > 0 || own.some((id) => requirementById.get(id)?.side !== check.side);
    });
    expect(idsOf(wrong)).toEqual([]);
  });

  test('can be explained: it has a title, steps and what it expects', () => {
    const mute = checks.filter(
      ({ title, steps, expected }) => title === '' || steps.length === 0 || expected === '',
    );
    expect(idsOf(mute)).toEqual([]);
  });

  test('expects the status that its requirement fixes, where it fixes one', () => {
    // What is taken either way (201, or 401 with a link; accepted, or 400) names the status as well.
    const wrong = checks.filter(({ requirement, expected }) => {
      const status = requirementById.get(requirement)?.status;
      return status !== undefined && !expected.includes(String(status));
    });
    expect(wrong.map(({ id, expected }) => `${id}: ${expected}`)).toEqual([]);
  });

  test('needs only what a target can offer', () => {
    expect(idsOf(checks.filter(({ needs }) => needs.some((need) => !capabilities.includes(need))))).toEqual(
      [],
    );
  });
});

test('every requirement has a check, or says why none can observe it', () => {
  const holes = requirements.filter(({ id, unobservable }) => (unobservable === undefined) !== cited.has(id));
  expect(idsOf(holes)).toEqual([]);
});

test('journeys cite requirements on a TPP', () => {
  const all = journeys.flatMap((journey) => journey.requirements);
  expect(all.filter((id) => requirementById.get(id)?.side !== 'tpp')).toEqual([]);
});

const sources = ['suites', 'src/spec'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8')),
);
const isWritten = (id: string): boolean =>
  sources.some((text) => text.includes(`'${id}'`) || text.includes(`\`${id}$`));
const endings = [
  ...Object.values(suffixes),
  ...everyProduct.flatMap(({ suffix, word }) => [suffix, `-${word}`]),
].filter((ending) => ending !== '');

/** Ids of header checks are those of their requirements: the prefix of a column and the number of a row. */
const isOfHeaders = (id: string): boolean =>
  Object.values(headerPrefixes).some((prefix) => new RegExp(`^${prefix}-\\d{2}$`).test(id));

function isFound(id: string): boolean {
  if (isWritten(id) || isOfHeaders(id)) return true;
  return endings.some((ending) => id.endsWith(ending) && isFound(id.slice(0, -ending.length)));
}

test('the id of a check on a bank is found in the sources, as a whole or without its suffixes', () => {
  const lost = checks.filter(({ side, id }) => side === 'bank' && !isFound(id));
  expect(lost.map(({ id }) => id)).toEqual([]);
});
