import { expect, test } from 'vitest';
import { dialects } from '../bank/dialects/index.ts';
import { proveDialects } from './prove-dialect.ts';
import { part, proofSetup } from './proved.test.data.ts';

/** Each dialect meets other checks; the whole proof runs them all. */
const shares = 12;

test('no check fails a compliant dialect', async () => {
  const { checks, ground } = await proofSetup();
  const alarms: string[] = [];
  for (const [index, dialect] of dialects.entries()) {
    const result = await proveDialects([dialect], part(checks, index % shares, shares), ground, index + 1);
    alarms.push(...result.alarms.map((alarm) => `${dialect.id}: ${alarm}`));
  }
  expect(alarms).toEqual([]);
}, 300_000);
