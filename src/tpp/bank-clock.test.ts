import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BankClock } from './bank-clock.ts';

const start = Date.parse('2026-03-02T10:00:00.000Z');

/** What the bank would write at one of our moments, when its clock is so far ahead. */
const dateAt = (ours: number, ahead: number): string => new Date(ours + ahead).toUTCString();

/** An answer that took so long, in the middle of which the bank wrote its date. */
function observe(clock: BankClock, sent: number, tookMs: number, ahead: number): void {
  clock.observe(dateAt(sent + tookMs / 2, ahead), sent, sent + tookMs);
}

beforeEach(() => {
  vi.useFakeTimers({ now: start, toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the clock of a bank', () => {
  it('is taken for ours while nothing is known', () => {
    const clock = new BankClock();
    expect(clock.measured).toBe(false);
    expect(clock.offsetMs).toBe(0);
    expect(clock.now()).toEqual(new Date(start));
  });

  it('is not learnt from an answer during which our own clock was set back', () => {
    const clock = new BankClock();
    clock.observe(dateAt(start, 0), start, start - 5_000);
    expect(clock.measured).toBe(false);
  });

  it.each([1e9, 9e12, Number.MAX_SAFE_INTEGER])('is not learnt from an answer of Age %d', (age) => {
    const clock = new BankClock();
    for (let time = 0; time < 20; time += 1) clock.observe(dateAt(start, 0), start, start + 10, age);
    expect(clock.measured).toBe(false);
    expect(clock.now()).toEqual(new Date(start));
  });

  it.each([
    undefined,
    '',
    'yesterday',
    'Thu, 01 Jan 1970 00:00:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    '+275760-09-13T00:00:00.001Z',
  ])('is not learnt from the Date %j', (date) => {
    const clock = new BankClock();
    clock.observe(date, start, start + 10);
    expect(clock.measured).toBe(false);
  });

  it.each([0, 400, -90_000, 3_600_000])(
    'is known within its uncertainty after one answer: %i ms',
    (ahead) => {
      const clock = new BankClock();
      observe(clock, start + 123, 40, ahead);
      expect(Math.abs(clock.offsetMs - ahead)).toBeLessThanOrEqual(clock.uncertaintyMs);
      expect(clock.uncertaintyMs).toBeLessThanOrEqual(520);
    },
  );

  it('is known better with every answer', () => {
    const clock = new BankClock();
    const ahead = -73_450;
    for (let index = 0; index < 20; index += 1) observe(clock, start + index * 1037, 20, ahead);
    expect(clock.uncertaintyMs).toBeLessThan(100);
    expect(Math.abs(clock.offsetMs - ahead)).toBeLessThanOrEqual(clock.uncertaintyMs);
    expect(Math.abs(clock.now().getTime() - (start + ahead))).toBeLessThan(100);
  });

  it('is ours when what the bank writes is not what it goes by', () => {
    const clock = new BankClock();
    observe(clock, start, 10, 43_200_000);
    clock.distrust();
    observe(clock, start + 1000, 10, 43_200_000);
    expect(clock.offsetMs).toBe(0);
  });

  it('loses nothing to a slow answer', () => {
    const clock = new BankClock();
    observe(clock, start, 10, 0);
    const before = clock.uncertaintyMs;
    observe(clock, start + 2000, 9000, 0);
    expect(clock.uncertaintyMs).toBeLessThanOrEqual(before);
  });

  it('is learnt anew when it was set', () => {
    const clock = new BankClock();
    for (let index = 0; index < 10; index += 1) observe(clock, start + index * 700, 10, 0);
    for (let index = 0; index < 8; index += 1) observe(clock, start + 10_000 + index * 700, 10, 120_000);
    expect(Math.abs(clock.offsetMs - 120_000)).toBeLessThanOrEqual(clock.uncertaintyMs);
  });

  it('is learnt anew at once while little is known', () => {
    const clock = new BankClock();
    observe(clock, start, 10, 0);
    observe(clock, start + 1000, 10, 120_000);
    expect(Math.abs(clock.offsetMs - 120_000)).toBeLessThanOrEqual(clock.uncertaintyMs);
  });

  it('is not that of the one part of a bank whose Date is off', () => {
    const clock = new BankClock();
    for (let index = 0; index < 40; index += 1)
      observe(clock, start + index * 700, 10, index % 8 === 0 || index < 9 ? 0 : -259_200_000);
    expect(Math.abs(clock.offsetMs)).toBeLessThanOrEqual(clock.uncertaintyMs);
  });

  it('is between those of two machines that answer by turns', () => {
    const clock = new BankClock();
    for (let index = 0; index < 30; index += 1)
      observe(clock, start + index * 700, 10, index % 3 === 0 || index % 4 === 0 ? 20_000 : 0);
    for (const ahead of [0, 20_000])
      expect(Math.abs(clock.offsetMs - ahead)).toBeLessThanOrEqual(clock.uncertaintyMs);
    expect(clock.uncertaintyMs).toBeLessThan(11_000);
  });

  it('is not between two times once it was set', () => {
    const clock = new BankClock();
    for (let index = 0; index < 60; index += 1)
      observe(clock, start + index * 700, 10, index < 30 ? 0 : 20_000);
    expect(Math.abs(clock.offsetMs - 20_000)).toBeLessThanOrEqual(clock.uncertaintyMs);
    expect(clock.uncertaintyMs).toBeLessThan(1000);
  });

  it('is told by an answer from a cache together with its age', () => {
    const clock = new BankClock();
    clock.observe(dateAt(start - 300_000, 45_000), start, start + 10, 300);
    expect(Math.abs(clock.offsetMs - 45_000)).toBeLessThanOrEqual(clock.uncertaintyMs + 1000);
  });
});
