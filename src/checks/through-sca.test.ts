import { expect, it, vi } from 'vitest';
import { created, fakeRunContext, scaWanted } from './fake-run-context.test.data.ts';
import { callThroughSca } from './through-sca.ts';

const payment = { operation: 'createDomesticPayment', body: {} } as const;

/** What becomes of a payment at a bank that asks for SCA so many times before it creates one, and how often SCA was passed. */
async function afterScas(times: number): Promise<readonly [status: number, passed: number]> {
  const run = fakeRunContext(({ number }) => (number <= times ? scaWanted() : created()), {
    target: {
      psu: { id: '7c1f2f0e-58a5-4d5c-9d0a-2f1c58a54d5c', nationalId: '01819010001', sca: 'form' },
    },
  });
  const pass = vi.fn(async () => ({}));
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
