import { describe, expect, it } from 'vitest';
import { textAt } from '../spec/json.ts';
import type { Call } from '../tpp/call.ts';
import type { Exchange } from '../tpp/exchange.ts';
import { createAnew, mustAwaitSca } from './awaiting-sca.ts';
import type { CheckContext } from './context.ts';
import { Inconclusive } from './outcomes.ts';

const contextAt = (environment: 'sandbox' | 'production' = 'sandbox'): CheckContext =>
  ({ run: {}, facts: {}, target: { environment } }) as unknown as CheckContext;

const draw = (): Call => ({
  operation: 'createDomesticPayment',
  body: { creditorAccount: { bban: '86011117947', currency: 'NOK' } },
});

const payeeOf = ({ body }: Call): string => textAt(body, 'creditorAccount', 'bban') ?? '';

/** A bank that counts its payments, and tells of each whether it asks for SCA. */
function bankThat(asksForSca: (call: Call, number: number) => boolean, transactionStatus = 'RCVD') {
  const calls: Call[] = [];
  const send = async (call: Call) => {
    calls.push(call);
    const number = calls.length;
    const isAsked = asksForSca(call, number);
    return {
      status: 201,
      isSuccess: true,
      text: (name: string) => (name === 'paymentId' ? `payment-${number}` : transactionStatus),
      link: () => (isAsked ? 'https://bank.example/sca' : undefined),
      exchange: { purpose: 'create', request: { body: '' } } as unknown as Exchange,
    };
  };
  const create = async (context: CheckContext) => {
    const answer = await createAnew(context, draw, send as unknown as Parameters<typeof createAnew>[2]);
    return answer.text('paymentId');
  };
  return { calls, create };
}

describe('a payment that is to await SCA', () => {
  it('is the first one where that asks for it', async () => {
    const { calls, create } = bankThat(() => true);
    expect(await create(contextAt())).toBe('payment-1');
    expect(calls).toHaveLength(1);
  });

  it('is paid to an account that is made up where the bank trusts the usual one', async () => {
    const { calls, create } = bankThat((call) => payeeOf(call) !== '86011117947');
    expect(await create(contextAt())).toBe('payment-2');
    expect(new Set(calls.map(payeeOf)).size).toBe(2);
  });

  it('is found where one in five asks for SCA', async () => {
    const { create } = bankThat((_, number) => number % 5 === 0);
    const context = contextAt();
    expect([await create(context), await create(context)]).toEqual(['payment-5', 'payment-10']);
  });

  it('is not looked for where money moves', async () => {
    const { calls, create } = bankThat((_, number) => number % 2 === 1);
    const context = contextAt('production');
    expect([await create(context), await create(context)]).toEqual(['payment-1', 'payment-2']);
    expect(calls.map(payeeOf)).toEqual(['86011117947', '86011117947']);
  });

  it('is looked for once where none ever asks for SCA', async () => {
    const { calls, create } = bankThat(() => false);
    const context = contextAt();
    expect(await create(context)).toBe('payment-1');
    const { length } = calls;
    expect(length).toBeLessThan(10);
    await create(context);
    expect(calls).toHaveLength(length + 1);
  });
});

const answerTo = (ids: readonly unknown[], status: number) =>
  ({
    status,
    exchange: { request: { body: JSON.stringify({ paymentIds: ids }) } },
  }) as unknown as Parameters<typeof mustAwaitSca>[1];

it('a basket proves nothing that was refused with a payment which was executed at once', async () => {
  for (const status of ['RCVD', 'ACTC', 'ACSP', 'ACSC']) {
    const context = contextAt();
    const id = await bankThat(() => false, status).create(context);
    const judging = () => mustAwaitSca(context, answerTo([id], 409));
    if (status.startsWith('ACS')) expect(judging).toThrow(/executed at once/);
    else expect(judging).not.toThrow();
  }
});

it('a basket proves nothing that was refused with a payment which others of its kind are not like', async () => {
  const context = contextAt();
  const { create } = bankThat((_, number) => number === 1);
  await create(context);
  const id = await create(context);
  expect(() => mustAwaitSca(context, answerTo([id], 400))).toThrow(Inconclusive);
  expect(() => mustAwaitSca(context, answerTo(['payment-1'], 400))).not.toThrow();
  expect(() => mustAwaitSca(context, answerTo([id], 201))).not.toThrow();
});
