import { expect, test } from 'vitest';
import { clearlyBelowQuadratic, growthOf } from '../tpp/growth.test.data.ts';
import { isUnchanged, SeenExchange } from './seen-exchange.ts';

const seen = (value: string, target = '/v1/accounts'): SeenExchange =>
  new SeenExchange(
    {
      number: 1,
      at: '2026-03-03T10:00:00.000Z',
      durationMs: 1,
      operation: 'listAccounts',
      request: { method: 'GET', target, headers: [['PSU-ID', value]] },
      response: { status: 400, headers: [] },
    },
    'https://bank.example',
  );

test('a header is read without the white space around it, and with what is inside', () => {
  expect(seen(' \t a  b\t ').header('psu-id')).toBe('a  b');
  expect(seen(' ').header('PSU-ID')).toBe('');
  expect(seen('').header('X-Request-ID')).toBeUndefined();
});

test('a header full of spaces takes time in proportion to its length', () => {
  const read = (size: number): unknown => seen(`x${' '.repeat(size)}x`).header('PSU-ID');
  expect(growthOf(read, 5_000)).toBeLessThan(clearlyBelowQuadratic);
});

test('the id in a path is found however it is percent-encoded', () => {
  const about = (path: string): boolean => seen('', path).isAbout('a-b/c');
  expect(
    ['a-b%2Fc', 'a%2Db%2fc/status?x=1', '%61-b%2Fc'].map((part) => about(`/v1/payments/${part}`)),
  ).toEqual([true, true, true]);
  expect(['a-b', 'a-b/c', 'a-b%2Fcd', 'a-b%2Fc%', '%E0%A4%A'].map((part) => about(`/v1/${part}`))).toEqual(
    Array(5).fill(false),
  );
});

test('a request is unchanged where only what always differs does, and changed where a header is added or left out', () => {
  const sent = (...headers: readonly [string, string][]): SeenExchange =>
    new SeenExchange(
      { ...seen('').recorded, request: { method: 'GET', target: '/v1/accounts', headers } },
      'https://bank.example',
    );
  const refused = sent(['PSU-ID', 'a'], ['Date', 'then'], ['User-Agent', 'x']);
  expect(isUnchanged(sent(['psu-id', 'a'], ['date', 'now']), refused)).toBe(true);
  expect(isUnchanged(sent(['PSU-ID', 'b'], ['Date', 'now']), refused)).toBe(false);
  expect(isUnchanged(sent(['PSU-ID', 'a'], ['Date', 'now'], ['X-Request-ID', '1']), refused)).toBe(false);
  expect(isUnchanged(sent(['PSU-ID', 'a'], ['Date', 'now'], ['Date', 'now']), refused)).toBe(false);
  expect(isUnchanged(sent(['PSU-ID', 'a'], ['Date', '']), refused)).toBe(false);
});
