import { expect, test } from 'vitest';
import { alarmsOfHalf, proofSetup } from './prove-bank.test.data.ts';

/** The other half is in the file next to this one: two files run side by side. */
test('no check fails every second pool of compliant dialects', async () => {
  expect(await alarmsOfHalf(0, await proofSetup())).toEqual([]);
}, 300_000);
