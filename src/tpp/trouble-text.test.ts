import { expect, it } from 'vitest';
import type { Exchange } from './exchange.ts';
import { unanswered } from './fake-transport.test.data.ts';
import { noAnswer } from './trouble-text.ts';

const exchangeOf = (status: number, repeatedId?: string, body = ''): Exchange => ({
  ...unanswered,
  request: { ...unanswered.request, headers: [['x-request-id', 'own']] },
  response: {
    status,
    headers: repeatedId === undefined ? [] : [['X-Request-ID', repeatedId]],
    body,
  },
});

it.each([
  [400, 'other', '400 (to another request, by the X-Request-ID that it repeats)'],
  [400, 'own', '400 (from a gateway, or a bank that is not available)'],
  [502, 'other', '502 (from a gateway, or a bank that is not available)'],
  [429, undefined, '429 (the bank asks to slow down)'],
])('tells why %i with the X-Request-ID %s is no answer', (status, repeatedId, told) => {
  expect(noAnswer([exchangeOf(status, repeatedId)], undefined).message).toContain(told);
});

it.each([
  [201, '{"paymentId":"p1","_links":{', '201 (JSON that is cut off, by the bank or on the way)'],
  [200, '<!DOCTYPE html><title>Log in</title>', '200 (a web page, where the interface sends JSON)'],
  [
    503,
    '<!DOCTYPE html><title>Be back soon</title>',
    '503 (from a gateway, or a bank that is not available)',
  ],
])('tells what it was that came with %i in place of an answer: %s', (status, body, told) => {
  expect(noAnswer([exchangeOf(status, undefined, body)], undefined).message).toContain(told);
});

it('counts attempts where there were several', () => {
  expect(noAnswer([exchangeOf(502)], undefined).message).toMatch(/got no usable answer: 502/);
  expect(noAnswer([exchangeOf(502), exchangeOf(504)], undefined).message).toMatch(
    /in 2 attempts; the last one: 504/,
  );
});

it('names what helps where the bank asked to slow down to the end, and nowhere else', () => {
  expect(noAnswer([exchangeOf(429)], undefined).message).toMatch(/give pace\.requestsPerSecond/);
  expect(noAnswer([exchangeOf(429), exchangeOf(502)], undefined).message).not.toContain('pace');
});
