import { expect, test } from 'vitest';
import { type Observation, Observations } from './observations.ts';

const answered = (status: number) => ({ exchange: {}, answer: { status } }) as Observation;

test('a long run keeps its first answers and every server error', () => {
  const observations = new Observations(2);
  for (const status of [201, 400, 201, 503, 200, 500]) observations.add(answered(status));
  expect(observations.kept.map(({ answer }) => answer.status)).toEqual([201, 400, 503, 500]);
  expect(observations.seen).toBe(6);
});
