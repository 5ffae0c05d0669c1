import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CheckResult, RunHeader, Verdict } from '../checks/verdict.ts';
import {
  type Progress,
  ProgressCount,
  progressText,
  type Reporter,
  shownTime,
  showProgress,
} from './progress.ts';

const header: RunHeader = {
  tool: { name: 'xs2a-conformance', version: '1.2.3' },
  catalogue: '2026-03',
  target: { name: 'My bank', baseUrl: 'https://bank.example/psd2', environment: 'sandbox' },
  interpretations: {},
  knownDeviations: [],
  profiles: { core: '1.0', accounts: '1.0' },
  seed: 7,
  runs: 10,
  startedAt: '2026-03-01T10:00:00.000Z',
  planned: ['A-1', 'A-2', 'B-1'],
};

const judged = (id: string, verdict: Verdict = 'pass'): CheckResult => ({
  id,
  title: `the title of ${id}`,
  suite: { id: id.slice(0, 1), title: `Suite ${id.slice(0, 1)}`, section: [] },
  requirements: ['DIG-01'],
  level: 'must',
  verdict,
  notes: [],
  cases: 1,
  exchanges: [],
  reproduce: '',
  startedAt: '2026-03-01T10:00:00.000Z',
  durationMs: 1,
});

beforeEach(() => vi.useFakeTimers({ now: 0 }));
afterEach(() => vi.useRealTimers());

function progressOn(reporter: Reporter, isTty: boolean): { progress: Progress; shown: () => string } {
  let text = '';
  const write = (more: string): void => {
    text += more;
  };
  const progress = showProgress(
    { isTty, colour: false, width: 80, write, writeOwn: write },
    {
      reporter,
      suites: new Map([
        [
          'A',
          {
            title: 'Suite A',
            checks: new Map([
              ['A-1', 400],
              ['A-2', 400],
            ]),
          },
        ],
        ['B', { title: 'Suite B', checks: new Map([['B-1', 200]]) }],
      ]),
      out: 'reports/bank',
    },
  );
  return { progress, shown: () => text };
}

describe('in a log', () => {
  it('begins with who is judged and how, before the first check', () => {
    const { progress, shown } = progressOn('line', false);
    progress.opened(header);
    expect(shown()).toBe(
      [
        'My bank  xs2a-conformance 1.2.3',
        '  Address   https://bank.example/psd2 (sandbox)',
        '  Profiles  core, accounts',
        '  Checks    3 in 2 suites, 10 cases of each property',
        '  Seed      7 (--seed 7 draws the same cases again)',
        '  Reports   reports/bank',
        '\n',
      ].join('\n'),
    );
  });

  it('gets a line with its own time every few seconds, whether verdicts fall or not', () => {
    const { progress, shown } = progressOn('line', false);
    let requests = 0;
    progress.checking(() => requests);
    requests = 500;
    vi.advanceTimersByTime(5_000);
    progress.judged({ ...judged('A-1'), requests: 500 });
    vi.advanceTimersByTime(5_000);
    progress.end();
    const lines = shown().trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toBe('[0:05] 0 of 3  500 requests sent  100 requests/s  about 0:08 left');
    expect(lines[1]).toMatch(/^\[0:10\] 1 of 3 {2}1 pass {2}50 requests\/s {2}about 0:15 left$/);
  });

  it('tells failures as they fall, and suites as they finish', () => {
    const { progress, shown } = progressOn('line', false);
    progress.checking(() => 0);
    progress.judged(judged('A-1', 'fail'));
    progress.judged(judged('A-2'));
    expect(shown()).toBe(['  FAIL   A-1  the title of A-1', '  ✗ Suite A  1 pass, 1 fail', ''].join('\n'));
  });

  it('tells a known deviation as known, and no suite as in order of which nothing was judged', () => {
    const { progress, shown } = progressOn('line', false);
    progress.opened({ ...header, knownDeviations: [{ requirement: 'DIG-01', reason: 'ticket 4711' }] });
    const before = shown().length;
    progress.judged(judged('A-1', 'fail'));
    progress.judged(judged('A-2'));
    progress.judged(judged('B-1', 'not-applicable'));
    expect(shown().slice(before).split('\n')).toEqual([
      '  KNOWN  A-1  the title of A-1',
      '  ! Suite A  1 pass, 1 known deviation',
      '  – Suite B  1 not applicable',
      '',
    ]);
  });

  it('says what happens after the last verdict', () => {
    const { progress, shown } = progressOn('line', false);
    progress.doing('Building the HTML report');
    expect(shown()).toBe('Building the HTML report …\n');
  });
});

describe('on a terminal', () => {
  it('keeps one live line below what stays', () => {
    const { progress, shown } = progressOn('line', true);
    progress.checking(() => 10);
    progress.judged(judged('B-1'));
    vi.advanceTimersByTime(1_000);
    const lastLine = stripVTControlCharacters(shown()).split('\r').at(-1);
    expect(lastLine).toBe('1 of 3  1 pass  0 requests/s  0:01');
    expect(shown()).toContain('✓ Suite B  1 pass\n');
  });
});

describe('other reporters', () => {
  it('give a dot for each check', () => {
    const { progress, shown } = progressOn('dots', false);
    progress.checking(() => 0);
    for (const verdict of ['pass', 'fail', 'warning', 'not-applicable', 'inconclusive', 'error'] as const)
      progress.judged(judged('A-1', verdict));
    progress.end();
    expect(shown()).toBe('.FW-?E\n');
  });

  it('have nothing between the dots of a long run', () => {
    const { progress, shown } = progressOn('dots', false);
    progress.checking(() => 0);
    for (const id of ['A-1', 'A-2', 'B-1']) {
      progress.judged(judged(id));
      vi.advanceTimersByTime(6_000);
    }
    expect(shown()).toBe('...');
  });

  it('give a line for each check', () => {
    const { progress, shown } = progressOn('verbose', false);
    progress.checking(() => 0);
    progress.judged(judged('A-1'));
    progress.judged(judged('A-2', 'not-applicable'));
    expect(shown()).toBe('  PASS   A-1  the title of A-1\n  N/A    A-2  the title of A-2\n');
  });

  it('give an object for each event, one per line', () => {
    const { progress, shown } = progressOn('json', true);
    progress.opened(header);
    progress.judged(judged('A-1', 'fail'));
    progress.remark('two\nlines');
    const events = shown()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(events).toMatchObject([
      { event: 'start', seed: 7, checks: 3, target: { name: 'My bank' } },
      { event: 'check', id: 'A-1', verdict: 'fail', done: 1, total: 3 },
      { event: 'remark', text: 'two\nlines' },
    ]);
  });
});

describe('the time that is left', () => {
  /**
   * A run at 100 requests per second that are shared by all checks, and where each sends so many times what is expected: ten
   * that send much end last, those that send nothing at the end, and for the second half the bank is slower.
   */
  function runOf(times: number) {
    const expected = new Map<string, number>();
    for (let index = 0; index < 700; index += 1) expected.set(`small-${index}`, 2);
    for (let index = 0; index < 30; index += 1) expected.set(`large-${index}`, 60);
    for (let index = 0; index < 130; index += 1) expected.set(`observing-${index}`, 0);
    const open = new Map([...expected].map(([id, requests]) => [id, requests * times]));
    const all = [...open.values()].reduce((sum, requests) => sum + requests, 0);
    const count = new ProgressCount(expected);
    let [now, sent] = [0, 0];
    count.start(now, () => sent);
    const told: { now: number; leftMs: number | undefined }[] = [];
    while (sent < all) {
      for (const [id, left] of open) {
        if (left === 0) continue;
        now += sent < all / 2 ? 10 : 13;
        sent += 1;
        open.set(id, left - 1);
        if (left === 1) count.add({ id, verdict: 'pass', requests: (expected.get(id) ?? 0) * times });
        if (sent % 20 === 0) told.push({ now, leftMs: count.at(now).leftMs });
      }
    }
    for (const id of expected.keys()) {
      if (!id.startsWith('observing')) continue;
      now += 15;
      count.add({ id, verdict: 'pass', requests: 0 });
    }
    return { told, end: now };
  }

  it.each([1, 1.5])(
    'is not wrong by a factor of two, where checks send %f times what is expected',
    (times) => {
      const { told, end } = runOf(times);
      const between = told.filter(({ now }) => now > end / 10 && now < end * 0.95);
      expect(between.length).toBeGreaterThan(40);
      for (const { now, leftMs = 0 } of between) {
        expect(leftMs / (end - now)).toBeGreaterThan(0.5);
        expect(leftMs / (end - now)).toBeLessThan(2);
      }
    },
  );
});

describe('the progress text', () => {
  it('drops what there is no room for, and never half a word', () => {
    const ids = Array.from({ length: 212 }, (_, index) => `A-${index}`);
    const count = new ProgressCount(new Map(ids.map((id) => [id, 3])));
    let requests = 10;
    count.start(0, () => requests);
    requests = 210;
    for (const [index, id] of ids.slice(0, 41).entries())
      count.add({ id, verdict: index < 40 ? 'pass' : 'fail', requests: 4 });
    const moment = count.at(2_000);
    expect(progressText(moment, 80)).toBe(' 41 of 212  40 pass  1 fail  100 requests/s  about 0:06 left');
    expect(progressText(moment, 50)).toBe(' 41 of 212  40 pass  1 fail  about 0:06 left');
    expect(progressText(moment, 30)).toBe(' 41 of 212  40 pass  1 fail');
    expect(progressText(moment, 12)).toBe(' 41 of 212');
  });

  it('shows hours where there are any', () => {
    expect([7_000, 750_000, 3_725_000].map(shownTime)).toEqual(['0:07', '12:30', '1:02:05']);
  });
});
