import { expect, test } from 'vitest';
import { deviations } from '../../bank/deviations/index.ts';
import { part, proofSetup, unnoticed } from './prove-bank.test.data.ts';

test('every other deviation is noticed by a check of the requirement that it breaks', async () => {
  expect(await unnoticed(part(deviations, 1, 2), await proofSetup(), 11)).toEqual([]);
}, 300_000);
