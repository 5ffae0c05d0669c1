import { beforeAll, expect, test } from 'vitest';
import { build, commandFile } from '../../cli/built-command.test.data.ts';
import { plannedFaults, proveFaults } from './prove-faults.ts';

beforeAll(build, 120_000);

/** One of each kind that `npm run proof -- --faults` puts before the command line. */
const sample =
  /^(?:http\/resets-some|gateway\/(?:502|200-empty)|body\/(?:gzip-bomb|packed)|text\/terminal-escapes)$/;

test('a run holds against servers that misbehave', async () => {
  const results = await proveFaults({
    command: commandFile,
    combinations: 0,
    seed: 1,
    lanes: 1,
    only: sample,
  });
  expect(results).toHaveLength(6);
  expect(results.filter(({ faults }) => Object.keys(faults).length > 0)).toEqual([]);
}, 400_000);

test('combinations are drawn by seed, and hide nothing behind what keeps a run from starting', () => {
  const drawn = plannedFaults({ combinations: 50, seed: 7 }).filter(({ length }) => length > 1);
  expect(drawn).toEqual(plannedFaults({ combinations: 50, seed: 7 }).filter(({ length }) => length > 1));
  expect(drawn.length).toBeGreaterThan(40);
  expect(drawn.flat().filter(({ outcome }) => outcome === 'blocked')).toEqual([]);
});

test('parts make up the whole', () => {
  const parts = [1, 2, 3].map((index) =>
    plannedFaults({ combinations: 20, seed: 7, shard: { index, count: 3 } }),
  );
  const whole = plannedFaults({ combinations: 20, seed: 7 });
  expect(parts.flat()).toHaveLength(whole.length);
  expect(new Set(parts.flat())).toEqual(new Set(whole));
});
