import { expect, test } from 'vitest';
import { clearlyBelowQuadratic, growthOf } from '../tpp/growth.test.data.ts';
import { SeenExchange } from './seen-exchange.ts';

const seen = (value: string): SeenExchange =>
  new SeenExchange(
    {
      number: 1,
      at: '2026-03-03T10:00:00.000Z',
      durationMs: 1,
      operation: 'listAccounts',
      request: { method: 'GET', target: '/v1/accounts', headers: [['PSU-ID', value]] },
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
