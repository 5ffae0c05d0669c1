import { describe, expect, it } from 'vitest';
import { requirementsOf } from '../checks/check.ts';
import { requirementById } from '../spec/catalogue.ts';
import { capabilities } from '../target/capabilities.ts';
import { loadSuites, suiteFiles, suiteId } from './load-suites.ts';

const suites = await loadSuites();
const checks = suites.flatMap((suite) => suite.checks);

describe('suites', () => {
  it('come in the order of the specification, and by name within an area', () => {
    const order = [
      'transport',
      'signing',
      'headers',
      'payments',
      'baskets',
      'sca',
      'accounts',
      'sandbox',
      'errors',
    ];
    const files = suiteFiles().map((file) => file.split('/').slice(-2));
    const places = files.map(([area = '', name = '']) => [order.indexOf(area), name] as const);
    for (const [area] of places) expect(area).toBeGreaterThanOrEqual(0);
    expect(places).toEqual(places.toSorted(([a, one], [b, other]) => a - b || (one < other ? -1 : 1)));
  });

  it('are named after their files', () => {
    expect(suites.map(({ id }) => id)).toContain('signing/digest');
    expect(suiteFiles().map(suiteId)).toEqual(suites.map(({ id }) => id));
    expect(new Set(suites.map(({ id }) => id)).size).toBe(suites.length);
  });

  it('have a title and checks', () => {
    for (const { id, title, section, checks: own } of suites) {
      expect(title, id).not.toBe('');
      expect(section, id).not.toHaveLength(0);
      expect(own, id).not.toHaveLength(0);
    }
  });
});

describe('checks', () => {
  it('have ids of their own: a verdict is asked for by id', () => {
    const ids = checks.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('cite no requirement twice, and none that binds the TPP', () => {
    for (const check of checks) {
      const { id } = check;
      const requirements = requirementsOf(check);
      expect(new Set(requirements).size, id).toBe(requirements.length);
      for (const requirement of requirements) expect(requirementById.get(requirement)?.side, id).toBe('bank');
    }
  });

  it('need only what a target can offer', () => {
    for (const { id, needs } of checks) for (const need of needs) expect(capabilities, id).toContain(need);
  });

  it('say what is expected', () => {
    expect(checks.filter(({ expected }) => expected === '').map(({ id }) => id)).toEqual([]);
  });

  it('have titles that tell them apart within their suite', () => {
    for (const { id, checks: own } of suites) {
      const titles = own.map(({ title }) => title);
      expect(
        titles.filter((title, index) => titles.indexOf(title) !== index),
        id,
      ).toEqual([]);
    }
  });
});
