import { expect, test } from 'vitest';
import { type Observation, Observations } from './observations.ts';

const answered = (operation: string, status: number) =>
  ({ exchange: { operation }, answer: { status, bytes: Buffer.alloc(0) } }) as Observation;

test('a long run keeps the first answers of each kind, and every server error', () => {
  const observations = new Observations(1);
  for (const status of [201, 400, 201, 503, 400, 503]) observations.add(answered('create', status));
  observations.add(answered('read', 201));
  expect(observations.kept.map(({ answer }) => answer.status)).toEqual([201, 400, 503, 503, 201]);
  expect(observations.seen).toBe(7);
});

test('bodies are kept as long as there is room, and then only short ones', () => {
  const observations = new Observations();
  const large = { exchange: { operation: 'read' }, answer: { status: 200, bytes: Buffer.alloc(8_000_000) } };
  for (let index = 0; index < 10; index += 1) observations.add(large as Observation);
  observations.add(answered('read', 200));
  expect(observations.kept).toHaveLength(5);
});

test('a very long run goes on to keep answers of kinds that are new to it', () => {
  const observations = new Observations();
  for (let index = 0; index < 40_000; index += 1) observations.add(answered(`operation ${index % 10}`, 201));
  for (let index = 0; index < 1_000; index += 1) observations.add(answered('late', 201));
  expect(observations.kept).toHaveLength(8_050);
  expect(observations.seen).toBe(41_000);
});
