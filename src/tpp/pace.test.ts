import { setImmediate as immediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pace } from './pace.ts';

// Time passes when a test says so, and by the timers of the pace.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs so many requests at once and tells the milliseconds between the first start and the last. */
async function spread(pace: Pace, count: number): Promise<number> {
  const starts: number[] = [];
  const all = Array.from({ length: count }, () => pace.run(async () => void starts.push(Date.now())));
  await vi.runAllTimersAsync();
  await Promise.all(all);
  return (starts.at(-1) ?? 0) - (starts[0] ?? 0);
}

/** How many of forty requests are under way at once, each of which takes so many turns. */
async function mostAtOnce(pace: Pace, turnsOf: (index: number) => number = () => 1): Promise<number> {
  let [inFlight, most] = [0, 0];
  const indices = Array.from({ length: 40 }, (_, index) => index);
  const done = await Promise.all(
    indices.map((index) =>
      pace.run(async () => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        for (let turn = 0; turn < turnsOf(index); turn += 1) await immediate();
        inFlight -= 1;
        return index;
      }),
    ),
  );
  expect(done).toEqual(indices);
  return most;
}

describe('concurrency', () => {
  it('is used to the full and never exceeded', async () => {
    expect(await mostAtOnce(new Pace({ concurrency: 3 }), (index) => index % 4)).toBe(3);
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

  it('lets one who sends one request after the other pass those who send many at once', async () => {
    const pace = new Pace({ concurrency: 1 });
    const [burst, chain] = [{}, {}];
    const order: string[] = [];
    const send = (name: string, sender: object): Promise<void> =>
      pace.run(async () => void order.push(name), sender);
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => send(name, burst)),
      send('b1', chain).then(() => send('b2', chain)),
    ]);
    // While b1 is answered, a2 has begun.
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'a4', 'a5']);
  });
});

describe('rate', () => {
  it('keeps requests apart', async () => {
    // The first may count as begun a millisecond before.
    expect(await spread(new Pace({ concurrency: 10, requestsPerSecond: 100 }), 6)).toBe(50 - 1);
  });

  it('is unlimited by default', async () => {
    expect(await spread(new Pace({ concurrency: 100 }), 100)).toBe(0);
  });
});

/** Sixteen answers, the given share of them turned away. */
function window(pace: Pace, turnedAway = 0): void {
  for (let index = 0; index < 16; index += 1) {
    if (index < turnedAway) pace.turnedAway();
    else pace.answered(5);
  }
}

/** Requests per second of a run. */
const usualRate = 50;

/** How long it takes until a bank has taken so many requests; one that is turned away comes again a second later. */
async function msToAsk(takes: () => boolean, requests: number): Promise<number> {
  const pace = new Pace({ concurrency: 48, requestsPerSecond: usualRate });
  const since = performance.now();
  let left = requests;
  const ask = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      while (!(await pace.run(() => answered(takes)))) {
        pace.turnedAway();
        await pace.wait(1000);
      }
      pace.answered(20);
    }
  };
  let isDone = false;
  const asking = Promise.all(Array.from({ length: 48 }, ask)).then(() => {
    isDone = true;
  });
  while (!isDone) await vi.advanceTimersByTimeAsync(5);
  await asking;
  return performance.now() - since;
}

async function answered(takes: () => boolean): Promise<boolean> {
  const isTaken = takes();
  await new Promise((resolve) => setTimeout(resolve, 20));
  return isTaken;
}

describe('a bank that turns requests away', () => {
  it('is asked as quickly as before when it only stumbles', async () => {
    const pace = new Pace({ concurrency: 10 });
    window(pace, 4);
    expect(await spread(pace, 10)).toBe(0);
  });

  it('is asked as quickly as before when it stumbles as often, and answers slowly', async () => {
    const pace = new Pace({ concurrency: 10 });
    for (let index = 0; index < 60; index += 1) {
      vi.advanceTimersByTime(300);
      if (index % 5 === 4) pace.turnedAway();
      else pace.answered(300);
    }
    expect(await spread(pace, 10)).toBe(0);
  });

  it('is asked no more often than it takes when it turns many away, and quickly again when it takes all', async () => {
    const pace = new Pace({ concurrency: 10 });
    vi.advanceTimersByTime(160);
    window(pace, 12);
    // It took four in 160 ms, so ten last at least nine times forty.
    expect(await spread(pace, 10)).toBeGreaterThanOrEqual(9 * 40);
    for (let round = 0; round < 12; round += 1) window(pace);
    expect(await spread(pace, 10)).toBe(0);
  });

  it('is asked about as often as it takes, when it takes so many in every second', async () => {
    const perSecond = 25;
    let second = { since: performance.now(), taken: 0 };
    const takes = (): boolean => {
      if (performance.now() - second.since >= 1000) second = { since: performance.now(), taken: 0 };
      second.taken += 1;
      return second.taken <= perSecond;
    };
    const requests = 500;
    expect(await msToAsk(takes, requests)).toBeLessThan(1.2 * (requests / perSecond) * 1000);
  });

  it.each([4, 3])('is asked at its usual pace when it stumbles at any: one in %i', async (one) => {
    let seed = 1;
    const takes = (): boolean => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % one !== 0;
    };
    const requests = 500;
    const sent = requests * (one / (one - 1));
    expect(await msToAsk(takes, requests)).toBeLessThan(2 * (sent / usualRate) * 1000);
  });

  it('gets fewer requests at once when its answers take ever longer, and more again when they do not', async () => {
    const pace = new Pace({ concurrency: 16 });
    /** One in every millisecond, however many are under way and however busy this machine is. */
    const answers = (count: number, latencyMs: number): Promise<unknown> =>
      Promise.all(
        Array.from({ length: count }, () =>
          pace.run(async () => {
            await immediate();
            vi.advanceTimersByTime(1);
            pace.answered(latencyMs);
          }),
        ),
      );
    await answers(32, 5);
    await answers(320, 900);
    expect(await mostAtOnce(pace)).toBe(4);
    await answers(640, 6);
    expect(await mostAtOnce(pace)).toBe(16);
  });
});

describe('a bank that may be gone', () => {
  it('is doubted after some requests in a row without an answer, and no longer after one', () => {
    const pace = new Pace({ concurrency: 4 });
    for (let index = 0; index < 7; index += 1) pace.lost();
    expect(pace.isDoubtful).toBe(false);
    pace.turnedAway();
    expect(pace.isDoubtful).toBe(true);
    pace.answered(5);
    expect(pace.isDoubtful).toBe(false);
  });

  it('is asked nothing while the pace is closed, and everything that waited when it answers', async () => {
    const pace = new Pace({ concurrency: 4 });
    pace.close();
    const started: number[] = [];
    const waiting = [1, 2, 3].map((number) => pace.run(async () => void started.push(number)));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(started).toEqual([]);
    pace.answered(5);
    await Promise.all(waiting);
    expect(started).toEqual([1, 2, 3]);
  });
});

describe('the end of a run', () => {
  it('is told to whoever waits, and to whoever comes later', async () => {
    const pace = new Pace({ concurrency: 1 });
    pace.close();
    const waiting = pace.run(async () => 'sent');
    const sleeping = pace.wait(60_000);
    pace.end('gateway', 'The bank has stopped answering.');
    await expect(waiting).rejects.toMatchObject({ name: 'NoAnswerError', kind: 'gateway' });
    await expect(pace.run(async () => 'sent')).rejects.toThrow('The bank has stopped answering.');
    await expect(sleeping).resolves.toBeUndefined();
  });

  it('comes when its time is used up', async () => {
    const pace = new Pace({ concurrency: 1, maxTimeMs: 20 });
    const waiting = pace.wait(60_000);
    await vi.advanceTimersByTimeAsync(20);
    await waiting;
    await expect(pace.run(async () => 'sent')).rejects.toThrow(/--max-time/);
  });

  it('comes with the last request of its budget, whoever sends it', async () => {
    const pace = new Pace({ concurrency: 4, budget: { asked: '3', requests: 3 } });
    const sent = await Promise.allSettled(
      Array.from({ length: 5 }, () => pace.run(async () => pace.spend())),
    );
    expect(sent.map(({ status }) => status)).toEqual([...Array(3).fill('fulfilled'), 'rejected', 'rejected']);
    expect(pace.sent).toBe(3);
    expect(pace.ended).toMatchObject({ kind: 'budget', message: expect.stringContaining('--budget 3') });
  });

  it('does not come at once when its time is more than a timer can take', async () => {
    const pace = new Pace({ concurrency: 1, maxTimeMs: 2 ** 31 });
    await vi.advanceTimersByTimeAsync(60_000);
    await expect(pace.run(async () => 'sent')).resolves.toBe('sent');
  });
});

describe('a request that wants to be alone', () => {
  it('goes as soon as those under way are done, before all that wait', async () => {
    const pace = new Pace({ concurrency: 2 });
    const order: string[] = [];
    const done: (() => void)[] = [];
    const request = (name: string) => async (): Promise<void> => {
      order.push(name);
      await new Promise<void>((resolve) => done.push(resolve));
    };
    const end = async (): Promise<void> => {
      done.shift()?.();
      await vi.advanceTimersByTimeAsync(0);
    };
    const all = ['a', 'b', 'c', 'd'].map((name) => pace.run(request(name)));
    all.push(pace.alone(request('alone')));
    await vi.advanceTimersByTimeAsync(0);
    expect(order).toEqual(['a', 'b']);
    await end();
    expect(order).toEqual(['a', 'b']);
    await end();
    expect(order).toEqual(['a', 'b', 'alone']);
    await end();
    expect(order).toEqual(['a', 'b', 'alone', 'c', 'd']);
    await end();
    await end();
    await Promise.all(all);
  });
});
