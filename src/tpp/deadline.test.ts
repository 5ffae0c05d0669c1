import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Doubt, setDeadline } from './deadline.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function endAfter(ms: number, doubt?: Doubt, timeoutMs = 10_000): string | undefined {
  let said: string | undefined;
  setDeadline(timeoutMs, doubt, ({ message }) => {
    said = message;
  });
  vi.advanceTimersByTime(ms);
  return said;
}

it('ends when the time is over, and not before', () => {
  expect(endAfter(9_999)).toBeUndefined();
  expect(endAfter(10_000)).toBe('no answer within 10000 ms');
});

it('ends before, where the request is seen to be lost', () => {
  const looks = [false, false, true];
  const doubt = { afterMs: 2_000, isLost: () => looks.shift() ?? false };
  expect(endAfter(10_000, doubt)).toBe('no answer within 3000 ms, while others were answered');
});

it('ends in time where nothing is seen, or the time is shorter than that', () => {
  expect(endAfter(10_000, { afterMs: 2_100, isLost: () => false })).toBe('no answer within 10000 ms');
  expect(endAfter(700, { afterMs: 2_000, isLost: () => true }, 700)).toBe('no answer within 700 ms');
});

it.each([
  ['back', -3_600_000],
  ['ahead', 3_600_000],
])('ends in time where the clock of the machine is set %s', (_, by) => {
  let said: string | undefined;
  setDeadline(10_000, undefined, ({ message }) => {
    said = message;
  });
  vi.setSystemTime(Date.now() + by);
  vi.advanceTimersByTime(9_000);
  expect(said).toBeUndefined();
  vi.advanceTimersByTime(1_000);
  expect(said).toBe('no answer within 10000 ms');
});

it('is called off', () => {
  const end = vi.fn();
  setDeadline(1_000, { afterMs: 100, isLost: () => true }, end)();
  vi.advanceTimersByTime(5_000);
  expect(end).not.toHaveBeenCalled();
});
