import { describe, expect, it } from 'vitest';
import { headerOf, responseOf } from '../tpp/fake-transport.test.data.ts';
import type { WireRequest } from '../tpp/transport.ts';
import { mustHaveBaskets } from './basket-path.ts';
import { aCheck, type FakeBank, verdictAt } from './fake-run-context.test.data.ts';
import { ExpectationFailed } from './outcomes.ts';

/** A basket without any fault that is refused. */
const basket = aCheck({
  run: async (context) => {
    const body = { paymentIds: ['p1'] };
    const answer = await context.call({ operation: 'createSigningBasket', body });
    await mustHaveBaskets(context, answer);
    throw new ExpectationFailed('a basket', String(answer.status));
  },
});

const notFound = (code: string) => responseOf(404, { tppMessages: [{ category: 'ERROR', code }] });
const isSigned = (request: WireRequest): boolean => headerOf(request, 'Signature') !== undefined;
const isBasket = ({ target }: WireRequest): boolean => target.endsWith('/signing-baskets');

const verdictOf = async (answer: (request: WireRequest) => ReturnType<typeof responseOf>) => {
  const bank: FakeBank = ({ wire }) => answer(wire);
  const { verdict, reason = '' } = await verdictAt(bank, basket);
  return { verdict, reason };
};

describe('a basket that the bank does not find', () => {
  it.each<[string, (request: WireRequest) => ReturnType<typeof responseOf>]>([
    ['looks for the path first', () => notFound('NOT_FOUND')],
    ['looks at signatures first', (request) => (isSigned(request) ? notFound('NOT_FOUND') : responseOf(400))],
  ])('says nothing about one that has no such path and %s', async (_, answer) => {
    const { verdict, reason } = await verdictOf(answer);
    expect(verdict).toBe('not-applicable');
    expect(reason).toContain('give paths.signingBaskets in the target file');
  });

  it.each<[string, (request: WireRequest) => ReturnType<typeof responseOf>]>([
    ['the payment', (request) => notFound(isBasket(request) ? 'RESOURCE_UNKNOWN' : 'NOT_FOUND')],
    ['what it is asked for', () => responseOf(400)],
  ])('is refused by one that has the path and does not take %s', async (_, answer) => {
    const { verdict } = await verdictOf((request) => (isSigned(request) ? answer(request) : responseOf(400)));
    expect(verdict).toBe('fail');
  });
});
