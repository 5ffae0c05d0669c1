import { expect, test } from 'vitest';
import { inSpecificationOrder } from './specification-order.ts';
import { aResult, aRun, someRequirements } from './synthetic-run.test.data.ts';

test('results follow the catalogue by suite, then their ids by number, however they fell', () => {
  const errors = { id: 'errors', title: 'Errors', section: ['Errors'] };
  const results = [
    aResult({ id: 'ERR-01', requirements: ['ERR-01'], suite: errors }),
    aResult({ id: 'DIG-10' }),
    aResult({ id: 'DIG-9', requirements: [] }),
    aResult({ id: 'OLD-01', requirements: ['OLD-01'], suite: { id: 'old', title: 'Old', section: [] } }),
    aResult({ id: 'DIG-2', requirements: ['DIG-02'] }),
  ];
  const ordered = inSpecificationOrder(aRun({ results }), someRequirements);
  expect(ordered.results.map(({ id }) => id)).toEqual(['DIG-2', 'DIG-9', 'DIG-10', 'ERR-01', 'OLD-01']);
});
