import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Exchange } from './exchange.ts';
import { unanswered } from './fake-transport.test.data.ts';
import { Pace } from './pace.ts';
import { Silences } from './silences.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const refused: Exchange = {
  ...unanswered,
  trouble: { kind: 'refused', message: 'no connection' },
};

/** A bank that is silent for so long, then answers for so long, so many times over. */
async function fallsSilent({
  silentMs,
  answersMs,
  times,
}: Record<'silentMs' | 'answersMs' | 'times', number>) {
  const pace = new Pace({ concurrency: 8 });
  const silences = new Silences();
  const told: string[] = [];
  let waitedFor = 0;
  for (; waitedFor < times && pace.ended === undefined; waitedFor += 1) {
    pace.answered(1);
    await vi.advanceTimersByTimeAsync(answersMs);
    pace.answered(1);
    const backAt = Date.now() + silentMs;
    while (!pace.isDoubtful) pace.lost();
    let isOver = false;
    const sittingOut = silences.sitOut(pace, refused, {
      longestMs: 20_000,
      pauseMs: () => 500,
      ask: async () => {
        if (Date.now() >= backAt) pace.answered(1);
        else pace.lost();
        return refused;
      },
      tell: (text) => told.push(text),
    });
    void sittingOut.then(() => {
      isOver = true;
    });
    while (!isOver) await vi.advanceTimersByTimeAsync(500);
  }
  return { waitedFor, told, ended: pace.ended?.message };
}

describe('a bank that falls silent', () => {
  it('is waited for no longer than it may be silent', async () => {
    const { ended, told } = await fallsSilent({ silentMs: 60_000, answersMs: 600_000, times: 1 });
    expect(ended).toMatch(
      /^The bank has stopped answering: .* for 2[01] s; .*no connection\. It was not asked again\.$/,
    );
    expect(told).toEqual([expect.stringContaining('up to 20 s')]);
  });

  it('again and again is not waited for longer in all, where it hardly answers in between', async () => {
    const { ended, waitedFor, told } = await fallsSilent({ silentMs: 7_000, answersMs: 10, times: 50 });
    expect(waitedFor).toBe(3);
    expect(ended).toContain('It had been silent before, 14 s in all.');
    expect(told.at(-1)).toContain('up to 6 s');
  });

  it('again and again is waited for every time, where it answers for longer than that', async () => {
    const { ended, waitedFor } = await fallsSilent({ silentMs: 7_000, answersMs: 10_000, times: 50 });
    expect(ended).toBeUndefined();
    expect(waitedFor).toBe(50);
  });
});
