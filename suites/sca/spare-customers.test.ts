import { expect, it } from 'vitest';
import { fakeRunContext } from '../../src/checks/fake-run-context.test.data.ts';
import { withCustomer } from './spare-customers.ts';

const seen = async (ids: readonly string[], goesFirst?: string): Promise<readonly string[]> => {
  const psu = { id: '7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c', other: { nationalId: '01819010192' } };
  const run = fakeRunContext(undefined, { seed: 7, target: { psu, environment: 'production' } });
  const order: string[] = [];
  const use = (id: string): Promise<void> =>
    withCustomer(
      run.contextFor(id, 1),
      'OTHER',
      async () => {
        order.push(id);
        await new Promise((resolve) => setImmediate(resolve));
      },
      { goesFirst: id === goesFirst },
    );
  await Promise.all(ids.map(use));
  return order;
};

it('lends a customer to those that wait in an order that is drawn with the seed, whoever came first', async () => {
  const [first, ...ids] = ['SES-02', 'SES-03', 'SES-04', 'ACC-01', 'RDR-01'];
  const drawn = (await seen([first, ...ids])).slice(1);
  expect((await seen([first, ...ids.toReversed()])).slice(1)).toEqual(drawn);
  expect((await seen([first, ...ids], drawn.at(-1))).at(1)).toBe(drawn.at(-1));
});
