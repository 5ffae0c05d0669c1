import { describe, expect, it } from 'vitest';
import { InFlightLimit } from './in-flight-limit.ts';

/** A bank in simulated time: how long an answer takes, by how many are under way and by its number. */
type Bank = (underWay: number, number: number) => number;

/** Asks it for so many answers with as many under way as may be, and tells the limit after each. */
function limitsWith(bank: Bank, answers: number, most = 32): readonly number[] {
  let now = 0;
  const limit = new InFlightLimit(most, () => now);
  // Ahead of the crowd, as in a run: one request after the other, of which one shows how quick it can be.
  for (let number = 0; number < 60; number += 1) {
    const latencyMs = number === 0 ? 10 : bank(1, number);
    now += latencyMs;
    limit.answered(latencyMs, false);
  }
  const underWay: { readonly started: number; readonly ends: number }[] = [];
  return Array.from({ length: answers }, (_, number) => {
    while (underWay.length < limit.limit)
      underWay.push({ started: now, ends: now + bank(underWay.length + 1, number + underWay.length) });
    underWay.sort((one, other) => one.ends - other.ends);
    const [next] = underWay.splice(0, 1);
    if (next === undefined) throw new Error('Nothing is under way.');
    now = next.ends;
    limit.answered(now - next.started, true);
    return limit.limit;
  });
}

/** Evenly spread and the same every time: the fraction part of multiples of the golden ratio. */
const spreadOver = (from: number, to: number, number: number): number =>
  from + (to - from) * ((number * 0.618_034) % 1);

describe('the number of requests under way', () => {
  it('falls where a bank answers the more slowly the more it is asked', () => {
    const limits = limitsWith((underWay) => 40 * underWay, 1000);
    expect(Math.max(...limits.slice(-200))).toBeLessThanOrEqual(6);
  });

  it.each([
    ['10 to 300 ms', 10, 300],
    ['10 to 2000 ms', 10, 2000],
    ['900 to 1000 ms', 900, 1000],
  ])('stays where answers take %s however few are under way', (_, from, to) => {
    const limits = limitsWith((__, number) => spreadOver(from, to, number), 3000);
    const mean = limits.reduce((sum, each) => sum + each, 0) / limits.length;
    expect(mean).toBeGreaterThan(24);
    expect(limits.at(-1)).toBe(32);
  });

  it('rises again when the bank is quick again', () => {
    const limits = limitsWith((underWay, number) => (number < 500 ? 40 * underWay : 10), 1500);
    expect(Math.min(...limits)).toBeLessThanOrEqual(6);
    expect(limits.at(-1)).toBe(32);
  });

  it('rises again where a bank that was asked too much is slow by itself afterwards', () => {
    const limits = limitsWith((underWay, number) => (number < 500 ? 150 * underWay : 750), 1500);
    expect(Math.min(...limits)).toBe(4);
    expect(limits.at(-1)).toBe(32);
  });

  it('is never raised above what it may be', () => {
    expect(Math.max(...limitsWith(() => 5, 500, 2))).toBe(2);
  });

  it('falls to as many as there are connections for, and rises by one at a time', () => {
    const limit = new InFlightLimit(16);
    for (let refused = 0; refused < 12; refused += 1) limit.notConnected();
    expect(limit.limit).toBe(4);
    const answer = (count: number): number => {
      for (let answered = 0; answered < count; answered += 1) limit.answered(5, true);
      return limit.limit;
    };
    expect(answer(500)).toBe(4);
    expect(answer(1_600)).toBe(5);
    expect(answer(2_048)).toBe(6);
  });

  it('never falls below one', () => {
    const limit = new InFlightLimit(2);
    for (let refused = 0; refused < 5; refused += 1) limit.notConnected();
    expect(limit.limit).toBe(1);
  });
});
