import { describe, expect, it } from 'vitest';
import { idList, isNumberOfRuns, mostRuns, runsOf, seedOf } from './arguments.ts';

describe('a seed', () => {
  it('is a number, or the same for a whole day', () => {
    expect(seedOf('4711')).toBe(4711);
    const morning = seedOf('date', new Date('2026-11-15T00:00:01Z'));
    expect(morning).toBe(20_261_115);
    expect(seedOf('date', new Date('2026-11-15T23:59:59Z'))).toBe(morning);
    expect(seedOf('date', new Date('2026-11-16T00:00:00Z'))).not.toBe(morning);
  });

  it.each(['0', 'today', '2147483648', ''])('is not %j', (text) => {
    expect(() => seedOf(text)).toThrow(/or date for one seed a day/);
  });
});

describe('the cases of each property', () => {
  it('are a number, up to what the memory holds', () => {
    expect(runsOf('1')).toBe(1);
    expect(runsOf(String(mostRuns))).toBe(mostRuns);
    expect([0, 1.5, mostRuns + 1, 1e9, Number.NaN].filter(isNumberOfRuns)).toEqual([]);
  });

  it.each(['0', '1e9', '1000000000', '-1', '1.5', 'many', ''])('are not %j', (text) => {
    expect(() => runsOf(text)).toThrow(`Give a whole number from 1 to ${mostRuns}.`);
  });
});

describe('ids', () => {
  it('stand behind one flag, or behind the same one again', () => {
    expect(idList('AMT-02, DIG-03')).toEqual(['AMT-02', 'DIG-03']);
    expect(idList('CLK', idList('AMT-02,DIG-03'))).toEqual(['AMT-02', 'DIG-03', 'CLK']);
    expect(() => idList(' , ')).toThrow('Give ids such as');
  });
});
