import { expect, it, vi } from 'vitest';
import type { PassedSca } from '../tpp/sca/sca-walker.ts';
import { created, fakeRunContext, scaWanted } from './fake-run-context.test.data.ts';
import { callThroughSca } from './through-sca.ts';

const payment = { operation: 'createDomesticPayment', body: {} } as const;

/** What becomes of a payment at a bank that asks for SCA so many times before it creates one, and how often SCA was passed. */
async function afterScas(
  times: number,
  back: object = {},
): Promise<readonly [status: number, passed: number]> {
  const run = fakeRunContext(({ number }) => (number <= times ? scaWanted() : created()), {
    target: {
      psu: { id: '7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c', nationalId: '01819010001', sca: 'form' },
    },
  });
  const pass = vi.fn(async () => back as PassedSca);
  const context = { ...run, walker: { ...run.walker, pass } }.contextFor('PAY-01', 1);
  const { status } = await callThroughSca(context, payment, 'a payment');
  return [status, pass.mock.calls.length];
}

it('passes the SCA that is asked for, once more where it is asked for again, and not for ever', async () => {
  expect(await afterScas(0)).toEqual([201, 0]);
  expect(await afterScas(1)).toEqual([201, 1]);
  expect(await afterScas(2)).toEqual([201, 2]);
  expect(await afterScas(9)).toEqual([401, 2]);
});

it('does not repeat the call where another PSU than that of the request has passed SCA', async () => {
  expect(await afterScas(1, { psuId: '7C1F2F0E-58A5-4D5C-9D0A-2F1C58A54D5C' })).toEqual([201, 1]);
  expect(await afterScas(1, { psuId: '0b9d6f7c-0d43-4b1e-8f5b-2f1f6a7c9e10' })).toEqual([401, 1]);
});
