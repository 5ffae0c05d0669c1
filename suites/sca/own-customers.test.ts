import { describe, expect, it } from 'vitest';
import type { CheckContext } from '../../src/checks/context.ts';
import { ownCustomerName, rememberCustomers, withoutOwnCustomers } from './own-customers.ts';

const customer = (customerId: string, customerName = 'Kari') => ({ customerId, customerName });
const [first, second] = [customer('a'), customer('b')];

/** A run whose bank lists these, one after the other. */
function runListing(...listings: unknown[]) {
  const run = {};
  const context = { run, call: async () => ({ json: listings.shift() }) };
  return context as unknown as CheckContext;
}

describe('customers that the suite has created', () => {
  it('are those who were not there before, whatever the bank calls them', async () => {
    const context = runListing([first, second]);
    await rememberCustomers(context);
    expect(await withoutOwnCustomers(context, [first, customer('c', 'Kunde 3'), second])).toEqual([
      first,
      second,
    ]);
  });

  it('are known by their name where another shard has created them, or an earlier run', async () => {
    const own = customer('d', `${ownCustomerName} 01819010001`);
    expect(await withoutOwnCustomers(runListing(), [first, own])).toEqual([first]);
  });

  it('are looked for once, and before the first of them comes', async () => {
    const context = runListing([first], [first, second]);
    await rememberCustomers(context);
    await rememberCustomers(context);
    expect(await withoutOwnCustomers(context, [first, second])).toEqual([first]);
  });

  it('are taken for none where the bank lists nobody, or breaks down', async () => {
    const empty = runListing(undefined);
    await rememberCustomers(empty);
    expect(await withoutOwnCustomers(empty, [first])).toEqual([first]);
    const broken = { run: {}, call: () => Promise.reject(new Error('lost')) } as unknown as CheckContext;
    await expect(rememberCustomers(broken)).rejects.toThrow('lost');
    expect(await withoutOwnCustomers(broken, [first])).toEqual([first]);
  });
});
