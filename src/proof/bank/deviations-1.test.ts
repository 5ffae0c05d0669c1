import { expect, test } from 'vitest';
import { deviations } from '../../bank/deviations/index.ts';
import { part, proofSetup, unnoticed } from './prove-bank.test.data.ts';

/** The other half is in the file next to this one: two files run side by side. */
test('every second deviation is noticed by a check of the requirement that it breaks', async () => {
  expect(await unnoticed(part(deviations, 0, 2), await proofSetup(), 12)).toEqual([]);
}, 300_000);
