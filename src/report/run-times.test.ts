import { expect, test } from 'vitest';
import { clearlyBelowQuadratic, growthOf } from '../tpp/growth.test.data.ts';
import { sharesOfTime, slotsOf } from './run-times.ts';

const at = (id: string, second: number, durationMs: number) => ({
  id,
  startedAt: new Date(Date.parse('2026-03-01T10:00:00.000Z') + second * 1000).toISOString(),
  durationMs,
});

test('time that checks share is divided among them, and adds up to the run', () => {
  const shares = sharesOfTime([at('A', 0, 4000), at('B', 1, 2000), at('C', 2, 1000)]);
  expect(shares.get('A')).toBeCloseTo(1000 + 500 + 1000 / 3 + 1000);
  expect(shares.get('B')).toBeCloseTo(500 + 1000 / 3);
  expect(shares.get('C')).toBeCloseTo(1000 / 3);
  expect([...shares.values()].reduce((sum, share) => sum + share)).toBeCloseTo(4000);
});

test('many at once take work in proportion to their number', () => {
  const share = (size: number): unknown =>
    sharesOfTime(Array.from({ length: size }, (_, index) => at(`Z-${index}`, 0, 1000 + index)));
  expect(growthOf(share, 2_000)).toBeLessThan(clearlyBelowQuadratic);
});

test('a pause of the run belongs to no check, and a check without a length has none', () => {
  const shares = sharesOfTime([at('A', 0, 1000), at('B', 5, 1000), at('C', 5, 0)]);
  expect(Object.fromEntries(shares)).toEqual({ A: 1000, B: 1000, C: 0 });
});

test('times of a damaged journal count as none', () => {
  const shares = sharesOfTime([
    { id: 'A', startedAt: 'yesterday', durationMs: Number.NaN },
    at('B', 0, 1000),
  ]);
  expect(Object.fromEntries(shares)).toEqual({ A: 0, B: 1000 });
});

test('checks of one slot never overlap', () => {
  const slots = slotsOf([at('A', 0, 4000), at('B', 1, 2000), at('C', 3, 1000), at('D', 4, 1000)]);
  expect(Object.fromEntries(slots)).toEqual({ A: 1, B: 2, C: 2, D: 1 });
});
