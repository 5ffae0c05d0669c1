import { expect, test } from 'vitest';
import { isDue } from '../../tpp/misbehaving-server/behaviour.ts';
import { growthOf, mixedTrouble, problemsOf, type Soak, soakLines } from './soak.ts';

test('the mixed trouble hits one request in twenty, and never two troubles one request', () => {
  const requests = Array.from({ length: 2000 }, (_, index) => index + 1);
  const hits = requests.map((number) => mixedTrouble.filter(({ when }) => isDue(when, number)).length);
  expect(hits.filter((count) => count > 0)).toHaveLength(100);
  expect(Math.max(...hits)).toBe(1);
});

test('memory that grows to the end is told from memory that was taken once', () => {
  expect(growthOf([50, 150, 200, 210, 205, 208, 212, 206, 209])).toBe(2);
  expect(growthOf([50, 100, 150, 200, 250, 300, 350, 400, 450])).toBe(150);
});

const run = { exitCode: 0, seconds: 10, memory: [200, 200, 200], requests: 2000, failed: [], open: [] };
const soak = (troubled: Partial<Soak['troubled']>): Soak => ({
  runs: 1,
  quiet: run,
  troubled: { ...run, ...troubled },
});

test('a soak is held where trouble shows in nothing but some more time', () => {
  expect(problemsOf(soak({ seconds: 18 }))).toEqual([]);
  expect(problemsOf(soak({ seconds: 60 }))).toHaveLength(1);
  expect(problemsOf(soak({ failed: ['AMT-02'] }))).toEqual(['Blames the bank: AMT-02.']);
  expect(soakLines(soak({ open: ['AMT-02'] }))).toContain('Left open: AMT-02.');
  expect(problemsOf(soak({ memory: [100, 200, 300] }))).toEqual(['Its memory grew by 100 MB to the end.']);
});
