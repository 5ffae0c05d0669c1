import { expect, it } from 'vitest';
import { SpentLimits } from './spent-limits.ts';

const patienceMs = 200;

/** Turned away once a second, for so many seconds, by a bank that has last answered others so long after the beginning. */
function turnedAway(seconds: number, othersUntil: (second: number) => number = (second) => second) {
  const limits = new SpentLimits();
  for (let second = 0; second <= seconds; second += 1)
    limits.turnedAway('createDomesticPayment', othersUntil(second) * 1000, patienceMs, second * 1000);
  return limits;
}

it('a limit of a minute is waited for, and one of a day is not', () => {
  expect(turnedAway(70).has('createDomesticPayment')).toBe(false);
  expect(turnedAway(100).has('createDomesticPayment')).toBe(true);
  expect(turnedAway(100).has('listAccounts')).toBe(false);
});

it('a bank that answers nobody has spent no limit', () => {
  expect(turnedAway(100, () => 0).has('createDomesticPayment')).toBe(false);
});

it('what is taken again, or was not asked for meanwhile, is asked for as before', () => {
  const taken = turnedAway(100);
  taken.answered('createDomesticPayment');
  expect(taken.has('createDomesticPayment')).toBe(false);
  const rested = turnedAway(80);
  rested.turnedAway('createDomesticPayment', 200_000, patienceMs, 200_000);
  expect(rested.has('createDomesticPayment')).toBe(false);
});
