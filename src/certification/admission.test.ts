import { expect, test } from 'vitest';
import { Admission, boundText, mostUnsigned } from './admission.ts';
import type { ReachedBound, RecordedExchange } from './recording.ts';

const exchange = (operation = 'unknown', status = 404, body = ''): RecordedExchange => ({
  number: 1,
  at: '2026-03-03T10:00:00.000Z',
  durationMs: 1,
  operation,
  request: { method: 'GET', target: '/', headers: [], body },
  response: { status, headers: [] },
});
const unsigned = () => false;

function admission(): { readonly admission: Admission; readonly reached: ReachedBound[] } {
  const reached: ReachedBound[] = [];
  return { admission: new Admission((bound) => reached.push(bound)), reached };
}

test('requests that nobody signed are kept up to a number for each source, and the bound is told once', () => {
  const { admission: subject, reached } = admission();
  const kept = Array.from({ length: mostUnsigned.requests + 50 }, () =>
    subject.admits(exchange(), '192.0.2.7', unsigned),
  );
  expect(kept.filter(Boolean)).toHaveLength(mostUnsigned.requests);
  expect(reached.map(({ source }) => source)).toEqual(['192.0.2.7']);
  expect(reached.map(boundText)).toEqual([expect.stringContaining('from 192.0.2.7')]);
  expect(subject.admits(exchange(), '192.0.2.8', unsigned)).toBe(true);
});

test('what was signed, and visits to pages that the bank gave out, are always kept', () => {
  const { admission: subject, reached } = admission();
  for (let count = 0; count <= mostUnsigned.requests; count += 1) {
    subject.admits(exchange(), '192.0.2.7', unsigned);
  }
  expect(subject.admits(exchange('readBalances', 200), '192.0.2.7', () => true)).toBe(true);
  expect(subject.admits(exchange('page', 303), '192.0.2.7', unsigned)).toBe(true);
  expect(subject.admits(exchange('page', 404), '192.0.2.7', unsigned)).toBe(false);
  expect(reached).toHaveLength(1);
});

test('large bodies and many sources are bounded as well', () => {
  const { admission: subject, reached } = admission();
  const megabyte = 'x'.repeat(1024 * 1024);
  const kept = Array.from({ length: 40 }, () =>
    subject.admits(exchange('unknown', 404, megabyte), '192.0.2.7', unsigned),
  );
  expect(kept.filter(Boolean).length).toBeLessThan(40);
  for (let host = 0; host < mostUnsigned.sources + 5; host += 1) {
    subject.admits(exchange(), `198.51.100.${host}`, unsigned);
  }
  expect(reached.map(({ source }) => source)).toEqual(['192.0.2.7', undefined]);
  expect(boundText({ at: '' })).toContain(`more than ${mostUnsigned.sources} addresses`);
});
