import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import type { Exchange } from '../tpp/exchange.ts';
import type { CheckContext } from './context.ts';
import { freshPayments, keepSpare, type Subject, sparePayments } from './subject.ts';

afterEach(() => vi.useRealTimers());

const subject: Subject = {
  title: 'a payment',
  bodies: () => fc.constant({}),
  call: () => ({ operation: 'createDomesticPayment' }),
};

/** A run against a bank that counts the payments it creates. */
function contextOf(): CheckContext {
  let created = 0;
  const call = async () => {
    created += 1;
    const request = { method: 'POST', url: 'https://bank.example', headers: [], body: '' };
    const exchange = { startedAt: new Date().toISOString(), request } as unknown as Exchange;
    return {
      text: () => `payment-${created}`,
      link: () => 'https://bank.example',
      exchange,
      isSuccess: true,
      status: 201,
    };
  };
  return { run: {}, seed: 1, target: { psu: {} }, call, adopt: () => undefined } as unknown as CheckContext;
}

it('payments that were spared are used again, until a bank may have given them up', async () => {
  vi.useFakeTimers();
  const context = contextOf();
  const ids = await freshPayments(context, 1, subject);
  keepSpare(context, ids, subject);
  vi.advanceTimersByTime(20_000);
  expect(await sparePayments(context, 1, subject)).toEqual(ids);
  keepSpare(context, ids, subject);
  vi.advanceTimersByTime(20_000);
  expect(await sparePayments(context, 1, subject)).not.toEqual(ids);
});
