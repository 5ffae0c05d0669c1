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

test('who misspells a switch is told the nearest, or a few that there are', () => {
  expect(() => switchesIn({ deviation: ['SIG-01/unchekked'] })).toThrow('Did you mean SIG-01/unchecked?');
  expect(() => switchesIn({ dialect: ['sessons/short'] })).toThrow('Did you mean sessions/short?');
  expect(() => switchesIn({ deviation: ['SIG-01/nothing of that kind'] })).toThrow(
    /Did you mean SIG-01\/\S+, SIG-01\/\S+, SIG-01\/\S+\? See/,
  );
  expect(() => switchesIn({ dialect: ['zzzzzzzzzzzzzzzzzz'] })).toThrow('There is no dialect "zzzz');
});
