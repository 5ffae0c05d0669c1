import { expect, test, vi } from 'vitest';
import type { RunContext } from './context.ts';
import { AnswersInRun, KeptInRun, TurnsInRun } from './kept-in-run.ts';

const aRun = (): RunContext => ({}) as RunContext;

test('what a run keeps is made once, and for each run anew', () => {
  const kept = new KeptInRun<string, object>();
  const run = aRun();
  const make = vi.fn(() => ({}));
  expect(kept.of(run, 'a', make)).toBe(kept.of(run, 'a', make));
  expect(kept.of(run, 'b', make)).not.toBe(kept.of(run, 'a', make));
  expect(kept.of(aRun(), 'a', make)).not.toBe(kept.of(run, 'a', make));
  expect(make).toHaveBeenCalledTimes(3);
});

test('an answer is kept, and asked for anew where none came', async () => {
  const answers = new AnswersInRun<'accounts', string>();
  const run = aRun();
  const ask = vi.fn().mockRejectedValueOnce(new Error('no answer')).mockResolvedValue('answer');
  await expect(answers.of(run, 'accounts', ask)).rejects.toThrow('no answer');
  expect(await answers.of(run, 'accounts', ask)).toBe('answer');
  expect(await answers.of(run, 'accounts', ask)).toBe('answer');
  expect(ask).toHaveBeenCalledTimes(2);
});

test('an answer that does not last is given to who waits for it, and asked for anew by who comes later', async () => {
  const answers = new AnswersInRun<'status', number>((status) => status !== 401);
  const run = aRun();
  const ask = vi.fn().mockResolvedValueOnce(401).mockResolvedValue(200);
  expect(await Promise.all([answers.of(run, 'status', ask), answers.of(run, 'status', ask)])).toEqual([
    401, 401,
  ]);
  expect(await answers.of(run, 'status', ask)).toBe(200);
  expect(await answers.of(run, 'status', ask)).toBe(200);
  expect(ask).toHaveBeenCalledTimes(2);
});

test('turns are taken one after the other, also behind one that failed', async () => {
  const turns = new TurnsInRun();
  const run = aRun();
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 5));
    order.push(`${name} ends`);
    if (name === 'first') throw new Error(name);
  };
  await Promise.allSettled([turns.take(run, work('first')), turns.take(run, work('second'))]);
  expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});
