import { describe, expect, it } from 'vitest';
import type { HeaderLine } from './exchange.ts';
import { GatewayWatch, retryDelay } from './gateway.ts';

const now = Date.parse('2026-03-02T10:00:00Z');
const delay = (value: string | undefined, attempt = 1) =>
  retryDelay(value === undefined ? [] : [['retry-AFTER', value]], attempt, 200, now);

describe('the pause before a further attempt', () => {
  it.each([
    ['1', 1000],
    [' 7 ', 7000],
    ['Mon, 02 Mar 2026 10:00:05 GMT', 5000],
  ])('is what Retry-After says: %j', (value, pause) => {
    expect(delay(value)).toBe(pause);
    expect(delay(value, 5)).toBe(pause);
  });

  it.each(['0', 'Mon, 02 Mar 2026 09:59:00 GMT'])('is never shorter than the least one: %j', (value) => {
    expect(delay(value)).toBe(200);
  });

  it.each(['60', 'Mon, 02 Mar 2026 10:01:00 GMT'])('is never so long that a run would hang: %j', (value) => {
    expect(delay(value)).toBe(15_000);
  });

  it.each([
    undefined,
    'soon',
    '1.5s',
    '-5',
    '1e9',
    '',
    '86400',
    '99999999999999999999',
    'Tue, 03 Mar 2026 10:00:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
  ])('grows from attempt to attempt without one that can be followed: %j', (value) => {
    expect([1, 2, 3, 4].map((attempt) => delay(value, attempt))).toEqual([200, 400, 800, 1000]);
  });
});

describe('JSON without an end', () => {
  const answer = (text: string, ...headers: readonly HeaderLine[]) => ({
    status: 201,
    headers: [['Content-Type', 'application/json'] as const, ...headers],
    body: Buffer.from(text),
  });
  const cut = '{"paymentId":"p1","transac';

  it('may have been cut on the way, where only the end of the connection ends the body', () => {
    const watch = new GatewayWatch();
    expect(watch.isOnTheWay(answer(cut), false)).toBe(true);
    expect(watch.isOnTheWay(answer('{"paymentId":"p1"}'), false)).toBe(false);
  });

  it('is what the bank says, where it says so again, or says how long it is', () => {
    const watch = new GatewayWatch();
    expect(watch.isOnTheWay(answer(cut), true)).toBe(false);
    expect(watch.isOnTheWay(answer(cut, ['content-length', String(cut.length)]), false)).toBe(false);
    expect(watch.isOnTheWay(answer(cut, ['Transfer-Encoding', 'chunked']), false)).toBe(false);
  });
});
