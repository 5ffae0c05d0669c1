import { expect, test } from 'vitest';
import { dialectById } from '../../bank/dialects/index.ts';
import { proofSetup } from './prove-bank.test.data.ts';
import { proveDialects } from './prove-dialects.ts';

/** The warnings of one requirement at a bank that is unusual and right. */
async function warningsAt(id: string, requirement: string): Promise<readonly string[]> {
  const { checks, keys } = await proofSetup();
  const dialect = dialectById.get(id);
  if (dialect === undefined) throw new Error(`There is no dialect ${id}.`);
  const some = checks.filter(({ check }) => check.requirement === requirement);
  const { warnings, alarms } = await proveDialects([dialect], some, keys);
  return [...alarms, ...warnings];
}

test.each([
  ['dates/cut-off', 'EXD-01'],
  ['dates/banking-days', 'EXD-01'],
  ['strict/weekdays', 'EXD-01'],
  ['strict/registered-redirects', 'TRN-12'],
])('%s earns no warning by %s', async (id, requirement) => {
  expect(await warningsAt(id, requirement)).toEqual([]);
});

test('a bank that takes plain addresses only, whichever they are, is warned of that', async () => {
  expect(await warningsAt('strict/plain-redirects', 'TRN-12')).not.toEqual([]);
});
