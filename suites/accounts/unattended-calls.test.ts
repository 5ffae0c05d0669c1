import { expect, it } from 'vitest';
import type { Answer } from '../../src/tpp/answer.ts';
import { mayBeOfThePace } from './unattended-calls.ts';

const refusal = (status: number, json: unknown = {}, retryAfter?: string): Answer =>
  ({ status, json, headers: { get: () => retryAfter } }) as unknown as Answer;

it('a bare 429 before the calls of a day are spent may be a limit on the pace', () => {
  expect(mayBeOfThePace(refusal(429), 1)).toBe(true);
  expect(mayBeOfThePace(refusal(429, {}, '1'), 3)).toBe(true);
});

it('it is that of the day where the calls are spent, or the bank says so', () => {
  expect(mayBeOfThePace(refusal(429), 4)).toBe(false);
  expect(mayBeOfThePace(refusal(429, {}, '3600'), 1)).toBe(false);
  expect(mayBeOfThePace(refusal(429, { tppMessages: [{ code: 'ACCESS_EXCEEDED' }] }), 1)).toBe(false);
  expect(mayBeOfThePace(refusal(403), 1)).toBe(false);
});
