import { expect, test } from 'vitest';
import { certifyInProcess, createTppKeys } from '../proof/tpp/certify.ts';
import { products } from '../spec/products.ts';
import { provokingAmount } from './provocations.ts';

test('a session is ended once for each customer, and never again right after a fresh SCA', async () => {
  const keys = await createTppKeys();
  const { session } = await certifyInProcess(keys, undefined, async (tpp) => [
    ...(await tpp.completeJourneys()),
    ...(await tpp.completeJourneys()),
  ]);
  const asked = session.creations.filter(({ json }) => JSON.stringify(json).includes('"401.00"'));
  expect(asked.map(({ status }) => status)).toEqual([401, 201, 201]);
  // What does not depend on SCA happens as often as it is asked for.
  const refused = session.requests.filter(({ recorded }) => recorded.provocation === 'refused-payment');
  expect(refused).toHaveLength(2);
});

test('a product for larger sums is provoked by larger amounts', () => {
  expect(provokingAmount('busy', products.domestic)).toBe('429.00');
  expect(provokingAmount('busy', products.crossBorder)).toBe('100429.00');
});
