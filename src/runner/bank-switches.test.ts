import { expect, test } from 'vitest';
import { switchesIn } from './bank-switches.ts';

test('what a dialect declares, and the readings of a deviation, are for the target file', () => {
  const { declared } = switchesIn({
    dialect: ['answers/exempt', 'headers/no-date'],
    deviation: ['BSK-14/never-limited'],
  });
  expect(declared.notOffered.map(({ what }) => what)).toEqual(['OWN-03']);
  expect(declared.interpretations).toEqual({ clockReference: 'own-clock', basketLimit: '10' });
});

test('a sandbox whose customers were changed is not called initial', () => {
  expect(switchesIn({ dialect: ['customers/none'] }).changedData).toBe(true);
  expect(switchesIn({}).changedData).toBe(false);
});

test('dialects that decide the same thing are not taken together', () => {
  expect(() => switchesIn({ dialect: ['answers/exempt', 'answers/minimal'] })).toThrow(
    /decide the same thing/,
  );
});
