import { expect, test } from 'vitest';
import { dialects } from '../../bank/dialects/index.ts';
import { part, proofSetup } from './prove-bank.test.data.ts';
import { proveDialects } from './prove-bank.ts';

/** Each dialect meets other checks; the whole proof runs them all. */
const shares = 12;

test('no check fails a compliant dialect', async () => {
  const { checks, keys } = await proofSetup();
  const alarms: string[] = [];
  for (const [index, dialect] of dialects.entries()) {
    const result = await proveDialects([dialect], part(checks, index % shares, shares), keys, index + 1);
    alarms.push(...result.alarms.map((alarm) => `${dialect.id}: ${alarm}`));
  }
  expect(alarms).toEqual([]);
}, 300_000);
