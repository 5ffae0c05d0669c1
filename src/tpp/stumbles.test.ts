import { expect, it } from 'vitest';
import type { Exchange } from './exchange.ts';
import { unanswered } from './fake-transport.test.data.ts';
import { Stumbles } from './stumbles.ts';

const answered = (status: number, operation = 'readBalances', body = ''): Exchange => ({
  ...unanswered,
  operation,
  response: { status, headers: [], body },
});

it('asks again twice where a bank stumbles, and believes what comes each time', () => {
  const stumbles = new Stumbles();
  expect(stumbles.isOne(answered(500), [], true)).toBe(true);
  expect(stumbles.isOne(answered(500), [answered(500)], true)).toBe(true);
  expect(stumbles.isOne(answered(500), [answered(500), answered(500)], true)).toBe(false);
  expect(stumbles.isOne(answered(200), [answered(500)], true)).toBe(false);
});

it('believes at once a bank that breaks down every time, and doubts one that stumbles now and then', () => {
  const stumbles = new Stumbles();
  const twice = [answered(500), answered(500)];
  for (let request = 0; request < 2; request += 1) stumbles.isOne(answered(500), twice, true);
  expect(stumbles.isOne(answered(500), [], true)).toBe(false);
  stumbles.isOne(answered(200), [answered(500)], true);
  expect(stumbles.isOne(answered(500), [], true)).toBe(true);
});

it('believes at once what the bank itself says', () => {
  const own = answered(500, 'readBalances', '{"tppMessages":[{"category":"ERROR","code":"SYSTEM_ERROR"}]}');
  const ofGateway = answered(500, 'readBalances', '{"message":"Internal server error"}');
  expect([own, ofGateway].map((exchange) => new Stumbles().isOne(exchange, [], true))).toEqual([false, true]);
});

it('asks again for nothing that may be refused because it was done before', () => {
  const asksAgain = (operation: string, repeatsWrites: boolean): boolean =>
    new Stumbles().isOne(answered(500, operation), [], repeatsWrites);
  expect(asksAgain('deletePayment', true)).toBe(false);
  expect(asksAgain('createSigningBasket', true)).toBe(false);
  expect(asksAgain('createDomesticPayment', true)).toBe(true);
  expect(asksAgain('createDomesticPayment', false)).toBe(false);
  expect(asksAgain('createConsent', true)).toBe(true);
  expect(asksAgain('createConsent', false)).toBe(false);
  expect(asksAgain('listAccounts', false)).toBe(true);
});
