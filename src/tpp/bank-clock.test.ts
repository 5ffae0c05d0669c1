import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BankClock } from './bank-clock.ts';

const start = Date.parse('2026-03-02T10:00:00.000Z');

/** What the bank would write at one of our moments, when its clock is so far ahead. */
const dateAt = (ours: number, ahead: number): string => new Date(ours + ahead).toUTCString();

/** An answer that took so long, in the middle of which the bank wrote its date. */
function observe(sent: number, tookMs: number, ahead: number): void {
  clock.observe(dateAt(sent + tookMs / 2, ahead), sent, sent + tookMs);
}

let clock: BankClock;
beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['Date'] });
  clock = new BankClock();
});
afterEach(() => {
  vi.useRealTimers();
});

const expectOffset = (ahead: number): void =>
  expect(Math.abs(clock.offsetMs - ahead)).toBeLessThanOrEqual(clock.uncertaintyMs);

describe('the clock of a bank', () => {
  it('is taken for ours while nothing is known', () => {
    expect(clock.measured).toBe(false);
    expect(clock.offsetMs).toBe(0);
    expect(clock.now()).toEqual(new Date(start));
  });

  it.each([1e9, 9e12, Number.MAX_SAFE_INTEGER])('is not learnt from an answer of Age %d', (age) => {
    for (let time = 0; time < 20; time += 1) clock.observe(dateAt(start, 0), start, start + 10, age);
    expect(clock.measured).toBe(false);
    expect(clock.now()).toEqual(new Date(start));
  });

  it('is not learnt from an answer during which our own clock was set back', () => {
    clock.observe(dateAt(start, 0), start, start - 5_000);
    expect(clock.measured).toBe(false);
  });

  it.each([
    undefined,
    '',
    'yesterday',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    '+275760-09-13T00:00:00.001Z',
  ])('is not learnt from the Date %j', (date) => {
    clock.observe(date, start, start + 10);
    expect(clock.measured).toBe(false);
  });

  it.each([0, 400, -90_000, 3_600_000])(
    'is known within its uncertainty after one answer: %i ms',
    (ahead) => {
      observe(start + 123, 40, ahead);
      expectOffset(ahead);
      expect(clock.uncertaintyMs).toBeLessThanOrEqual(520);
    },
  );

  it('is known better with every answer', () => {
    const ahead = -73_450;
    for (let index = 0; index < 20; index += 1) observe(start + index * 1037, 20, ahead);
    expect(clock.uncertaintyMs).toBeLessThan(100);
    expectOffset(ahead);
    expect(Math.abs(clock.now().getTime() - (start + ahead))).toBeLessThan(100);
  });

  it('is ours when what the bank writes is not what it goes by', () => {
    observe(start, 10, 43_200_000);
    clock.distrust();
    observe(start + 1000, 10, 43_200_000);
    expect(clock.offsetMs).toBe(0);
  });

  it('loses nothing to a slow answer', () => {
    observe(start, 10, 0);
    const before = clock.uncertaintyMs;
    observe(start + 2000, 9000, 0);
    expect(clock.uncertaintyMs).toBeLessThanOrEqual(before);
  });

  it('is learnt anew when it was set', () => {
    for (let index = 0; index < 10; index += 1) observe(start + index * 700, 10, 0);
    for (let index = 0; index < 8; index += 1) observe(start + 10_000 + index * 700, 10, 120_000);
    expectOffset(120_000);
  });

  it('is learnt anew at once while little is known', () => {
    observe(start, 10, 0);
    observe(start + 1000, 10, 120_000);
    expectOffset(120_000);
  });

  it.each<[string, number, (index: number) => number, readonly number[], number]>([
    [
      'not that of the one part of a bank whose Date is off',
      40,
      (index) => (index % 8 === 0 || index < 9 ? 0 : -259_200_000),
      [0],
      Number.POSITIVE_INFINITY,
    ],
    [
      'between those of two machines that answer by turns',
      30,
      (index) => (index % 3 === 0 || index % 4 === 0 ? 20_000 : 0),
      [0, 20_000],
      11_000,
    ],
    ['not between two times once it was set', 60, (index) => (index < 30 ? 0 : 20_000), [20_000], 1000],
  ])('is %s', (_, answers, aheadAt, offsets, mostUncertain) => {
    for (let index = 0; index < answers; index += 1) observe(start + index * 700, 10, aheadAt(index));
    offsets.forEach(expectOffset);
    expect(clock.uncertaintyMs).toBeLessThan(mostUncertain);
  });

  it('is told by an answer from a cache together with its age', () => {
    clock.observe(dateAt(start - 300_000, 45_000), start, start + 10, 300);
    expect(Math.abs(clock.offsetMs - 45_000)).toBeLessThanOrEqual(clock.uncertaintyMs + 1000);
  });
});
