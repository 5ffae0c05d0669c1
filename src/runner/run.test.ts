import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Check, check, suite } from '../checks/check.ts';
import { placeChecks } from '../checks/engine.ts';
import { readJournal } from '../report/journal.ts';
import { writeReports } from '../report/write-reports.ts';
import { requirements } from '../spec/catalogue.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { type OpenTarget, openTarget } from './open-target.ts';
import { judgeTarget } from './run.ts';

const folder = testFolder('all tests');

const passing = (id: string) =>
  check({ id, requirement: 'TRN-01', title: 'passes at once', run: async () => {} });
const endless = check({
  id: 'endless',
  requirement: 'TRN-01',
  title: 'waits for an answer that never comes',
  run: () => new Promise<never>(() => {}),
});

const given = (out: string, checks: readonly Check[], opening: Promise<OpenTarget>) => ({
  opening,
  out,
  seed: 7,
  runs: 1,
  repeatsPayments: false,
  command: 'xs2a-conformance run',
  planned: placeChecks([{ ...suite('Suite', ['Limits'], checks), id: 'suite' }]),
  listener: { judged: () => {}, remark: () => {} },
});

/** Judges these checks on the embedded bank, and tells what stood in the journal whenever a verdict was heard of. */
async function judged(name: string, checks: readonly Check[], stopAfter = Number.POSITIVE_INFINITY) {
  const out = join(folder, name);
  const stopping = new AbortController();
  const heard: { readonly id: string; readonly journalled: readonly string[] }[] = [];
  await judgeTarget({
    ...given(out, checks, openTarget(undefined, {})),
    maxTimeMs: 60_000,
    listener: {
      judged: ({ id }) => {
        heard.push({ id, journalled: readJournal(out).results.map((result) => result.id) });
        if (heard.length === stopAfter) stopping.abort();
      },
      remark: () => {},
    },
    signal: stopping.signal,
  });
  return { heard, journal: readJournal(out) };
}

/** A target that nobody listens at. */
const unreachable = async (): Promise<OpenTarget> => {
  const embedded = await openTarget(undefined, {});
  await embedded.close();
  const target = { ...embedded.target, pace: { ...embedded.target.pace, retries: 0 } };
  return { ...embedded, target, close: async () => {} };
};

describe('a run that is blocked', () => {
  it('leaves a journal, and reports that say why', async () => {
    const out = join(folder, 'blocked');
    const { blocker, isJournalled } = await judgeTarget(given(out, [passing('A')], unreachable()));
    expect(isJournalled).toBe(true);
    expect(blocker).toMatch(/cannot be reached/);
    const { outcome, paths } = await writeReports(out, { requirements, html: false });
    expect(outcome).toMatchObject({ verdict: 'incomplete', exitCode: 3 });
    expect(outcome.problems[0]).toContain('cannot be reached');
    const junit = await readFile(paths.junit, 'utf8');
    expect(junit.match(/<testcase /g)).toHaveLength(1);
    expect(junit).toMatch(/<error type="incomplete" message="No check could be run.*cannot be reached/);
    for (const report of [paths.summary, paths.matrix]) {
      expect(await readFile(report, 'utf8')).toContain('cannot be reached');
    }
  });
});

describe('a run that is interrupted before the first check', () => {
  it('leaves a journal as soon as its target is known, and asks nothing of the bank', async () => {
    const out = join(folder, 'early');
    const stopping = new AbortController();
    stopping.abort();
    const opening = Promise.resolve(await unreachable());
    const { isJournalled } = await judgeTarget({
      ...given(out, [passing('A')], opening),
      signal: stopping.signal,
    });
    expect(isJournalled).toBe(true);
    const { footer } = readJournal(out);
    expect(footer).toMatchObject({
      interrupted: true,
      requests: 0,
      blocker: expect.stringMatching(/^Interrupted/),
    });
  });
});

describe('a run', () => {
  it('tells each verdict as it falls, when it stands in the journal', async () => {
    const { heard, journal } = await judged('whole', [passing('A'), passing('B'), passing('C')]);
    expect(heard).toEqual([
      { id: 'A', journalled: ['A'] },
      { id: 'B', journalled: ['A', 'B'] },
      { id: 'C', journalled: ['A', 'B', 'C'] },
    ]);
    expect(journal.header.planned).toEqual(['A', 'B', 'C']);
    expect(journal.footer).toMatchObject({ interrupted: false });
  });

  it('ends when it is interrupted, with what was judged, and waits for no check', async () => {
    const { heard, journal } = await judged('interrupted', [passing('A'), passing('B'), endless], 1);
    expect(heard.map(({ id }) => id)).toEqual(['A']);
    expect(journal.results.map(({ id }) => id)).toEqual(['A']);
    expect(journal.footer).toMatchObject({ interrupted: true });
  });
});
