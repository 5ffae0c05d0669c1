import { describe, expect, it } from 'vitest';
import { loadSuites, suiteFiles, suiteId } from './load-suites.ts';

const suites = await loadSuites();

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

  it('of a TPP come from the wire to what is said over it', async () => {
    expect((await loadSuites('tpp')).map(({ id }) => id)).toEqual([
      'tpp/transport',
      'tpp/signature',
      'tpp/headers',
      'tpp/customers',
      'tpp/payments',
      'tpp/baskets',
      'tpp/conduct',
      'tpp/operations',
    ]);
  });
});
