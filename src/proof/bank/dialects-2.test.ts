import { expect, test } from 'vitest';
import { alarmsOfHalf, proofSetup } from './prove-bank.test.data.ts';

test('no check fails any other pool of compliant dialects', async () => {
  expect(await alarmsOfHalf(1, await proofSetup())).toEqual([]);
}, 300_000);
