import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Pace } from './pace.ts';

/** Timers may fire a little early when measured with another clock. */
const tolerance = 3;

/** Runs so many requests at once and tells when each of them started. */
async function startsOf(pace: Pace, count: number): Promise<readonly number[]> {
  const starts: number[] = [];
  await Promise.all(
    Array.from({ length: count }, () =>
      pace.run(async () => {
        starts.push(Date.now());
      }),
    ),
  );
  return starts;
}

describe('concurrency', () => {
  it('is used to the full and never exceeded', async () => {
    const pace = new Pace({ concurrency: 3 });
    let inFlight = 0;
    let most = 0;
    const done = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        pace.run(async () => {
          inFlight += 1;
          most = Math.max(most, inFlight);
          await sleep(index % 4);
          inFlight -= 1;
          return index;
        }),
      ),
    );
    expect(most).toBe(3);
    expect(done).toEqual(Array.from({ length: 40 }, (_, index) => index));
  });

  it('gets its place back from a request that throws', async () => {
    const pace = new Pace({ concurrency: 1 });
    const failing = Array.from({ length: 3 }, () => pace.run(() => Promise.reject(new Error('lost'))));
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(
      Array(3).fill('rejected'),
    );
    await expect(pace.run(async () => 'next')).resolves.toBe('next');
  });

  it('lets those who wait in by their order', async () => {
    const pace = new Pace({ concurrency: 1 });
    const order: number[] = [];
    await Promise.all([1, 2, 3, 4].map((number) => pace.run(async () => void order.push(number))));
    expect(order).toEqual([1, 2, 3, 4]);
  });
});

describe('rate', () => {
  it('keeps requests apart', async () => {
    const starts = await startsOf(new Pace({ concurrency: 10, requestsPerSecond: 100 }), 6);
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(50 - tolerance);
  });

  it('is unlimited by default', async () => {
    const starts = await startsOf(new Pace({ concurrency: 100 }), 100);
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeLessThan(200);
  });
});

describe('a bank that asks for patience', () => {
  it('is left alone until the pause is over', async () => {
    const pace = new Pace({ concurrency: 5 });
    const asked = Date.now();
    pace.holdBack(60);
    const [first = 0] = await startsOf(pace, 3);
    expect(first - asked).toBeGreaterThanOrEqual(60 - tolerance);
  });

  it('is left alone by those who were about to start', async () => {
    const pace = new Pace({ concurrency: 5, requestsPerSecond: 50 });
    const starting = startsOf(pace, 3);
    const asked = Date.now();
    pace.holdBack(80);
    const [, ...later] = await starting;
    for (const start of later) expect(start - asked).toBeGreaterThanOrEqual(80 - tolerance);
  });

  it('is not met with all who waited at once', async () => {
    const pace = new Pace({ concurrency: 10, requestsPerSecond: 100 });
    const asked = Date.now();
    pace.holdBack(40);
    const starts = await startsOf(pace, 5);
    // The pace is half of what it was. One timer may be late, so each start is held to its place, not to the one before.
    for (const [index, start] of starts.entries()) {
      expect(start - asked).toBeGreaterThanOrEqual(40 + index * 20 - tolerance);
    }
  });

  it('slows the run down once when it turns many away together', async () => {
    const pace = new Pace({ concurrency: 32 });
    for (let index = 0; index < 32; index += 1) pace.holdBack(20);
    const starts = await startsOf(pace, 10);
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeLessThan(500);
  });

  it('slows the run down again when it asks again', async () => {
    const pace = new Pace({ concurrency: 32 });
    for (let round = 0; round < 3; round += 1) {
      pace.holdBack(1);
      await sleep(3);
    }
    const asked = Date.now();
    const starts = await startsOf(pace, 4);
    for (const [index, start] of starts.entries()) {
      expect(start - asked).toBeGreaterThanOrEqual(index * 40 - tolerance);
    }
  });
});
