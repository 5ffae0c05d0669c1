import { expect, it } from 'vitest';
import { requestLogLine } from './serve.ts';

const now = new Date('2026-03-01T10:00:00.123Z');
const plain = { colour: false };

it('names the requirement of the rule that refused a request, and what was wrong', () => {
  const line = {
    method: 'POST',
    path: '/v1/payments/x',
    status: 400,
    requirement: 'DIG-03',
    rule: 'a Digest is that of the body',
    text: 'The Digest is not that of the body.',
    durationMs: 3.4,
  };
  expect(requestLogLine(line, plain, now)).toBe(
    '10:00:00.123  400  POST    /v1/payments/x  3 ms  DIG-03  The Digest is not that of the body.',
  );
});

it('keeps control characters of a request off the terminal', () => {
  const line = { method: 'GET', path: '/\u001b[2J', status: 404, durationMs: 1 };
  expect(requestLogLine(line, plain, now)).toContain('/\\x1b[2J');
});
