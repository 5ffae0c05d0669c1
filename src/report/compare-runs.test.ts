import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../checks/verdict.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { compareRuns, readSummary } from './compare-runs.ts';
import { comparisonHtml, comparisonText } from './comparison-report.ts';
import { writeJournal } from './journal.ts';
import { type Summary, summarize } from './summary.ts';
import {
  aNastyRun,
  aRun,
  brokenAmount,
  failing,
  judge,
  passingExcept,
  type RunChanges,
  someRequirements,
} from './synthetic-run.test.data.ts';

const folder = testFolder('all tests');

const summaryOf = (
  changes: Readonly<Record<string, Partial<CheckResult>>> = {},
  run: RunChanges = {},
): Summary => {
  const record = aRun({ ...run, results: passingExcept(changes) });
  return summarize(record, judge(record));
};

const changesBetween = (before: Summary, after: Summary): Readonly<Record<string, string>> =>
  Object.fromEntries(compareRuns(before, after).requirements.map(({ id, change }) => [id, change]));

const good = summaryOf();
const bad = summaryOf({ 'AMT-01': brokenAmount });
const open = summaryOf({ 'AMT-01': { verdict: 'inconclusive', reason: 'The control was refused.' } });
const untouched = { 'ERR-01': 'never-exercised' };

describe('a requirement', () => {
  it.each([
    ['broke', good, bad],
    ['broke', open, bad],
    ['healed', bad, good],
    ['still-broken', bad, bad],
    ['became-unjudged', good, open],
    ['became-unjudged', bad, open],
    ['became-judged', open, good],
    ['never-exercised', open, open],
    ['warns-now', good, summaryOf({ 'AMT-01': { verdict: 'warning' } })],
    ['warns-no-longer', summaryOf({ 'AMT-01': { verdict: 'warning' } }), good],
  ])('%s', (change, before, after) => {
    expect(changesBetween(before, after)).toEqual({ 'AMT-01': change, ...untouched });
  });

  it('that holds in both is not listed, nor is one that nobody can observe', () => {
    expect(changesBetween(good, good)).toEqual(untouched);
  });

  it('that fails as a known deviation has not broken', () => {
    const knownDeviations = [{ requirement: 'AMT-01', reason: 'ticket 4711' }];
    const known = summaryOf({ 'AMT-01': brokenAmount }, { header: { knownDeviations } });
    expect(changesBetween(good, known)).toMatchObject({ 'AMT-01': 'excused' });
    expect(compareRuns(good, known).broke).toBe(false);
  });

  it('that only one catalogue has was not tested in the other', () => {
    const { requirements, ...rest } = good;
    const without = { ...rest, requirements: requirements.filter(({ id }) => id !== 'AMT-01') };
    expect(changesBetween(without, bad)).toMatchObject({ 'AMT-01': 'broke' });
    expect(changesBetween(bad, without)).toMatchObject({ 'AMT-01': 'became-unjudged' });
  });
});

it('tells what else differs, since that may be the reason', () => {
  const other = summaryOf(
    {},
    { header: { runs: 5, selection: '--only AMT', interpretations: { digestAlgorithms: 'sha-256-only' } } },
  );
  expect(compareRuns(good, other).differences).toEqual([
    'part that was judged: everything before, --only AMT now',
    'cases of each property: 100 before, 5 now',
    'reading digestAlgorithms: sha-256-and-512 before, sha-256-only now',
    'reading amountFractionDigits: exact before, none now',
  ]);
});

describe('for people', () => {
  it('what broke stands first, with expected and actual', () => {
    const text = comparisonText(compareRuns(good, bad), { colour: false, width: 80 });
    expect(text.split('\n').slice(0, 7)).toEqual([
      'BROKE  1 broke, 1 never exercised',
      '',
      'Broke: fails now and did not before (1)',
      '  AMT-01  pass → fail  (AMT-01)',
      '    An amount with more fraction digits than its currency has is refused.',
      '    Expected: any 4xx',
      '    Actual: 201 Created',
    ]);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  it('a page holds the same and nothing that runs', () => {
    const nasty = aNastyRun(40);
    const page = comparisonHtml(compareRuns(good, summarize(nasty, judge(nasty))));
    expect(page).toContain('something broke');
    expect(page).not.toMatch(/<script|<img|<b>bold/);
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('>Seed</th>');
  });

  it('names no seed of certifications, which draw nothing', () => {
    const certified = { ...good, side: 'tpp', seed: 0 } as const;
    expect(comparisonHtml(compareRuns(certified, certified))).not.toContain('Seed');
  });
});

describe('a run', () => {
  it('is read from its folder with or without a summary, and from a file', () => {
    const record = failing;
    writeJournal(folder, record);
    expect(readSummary(folder, someRequirements).verdict).toBe('non-conformant');
    writeFileSync(join(folder, 'summary.json'), JSON.stringify(good));
    expect(readSummary(folder, someRequirements).verdict).toBe('conformant');
    expect(readSummary(join(folder, 'summary.json'), someRequirements).verdict).toBe('conformant');
  });

  it.each([
    ['nothing', undefined, 'there is nothing of that name'],
    ['text', 'hello', 'it is not JSON'],
    ['something else', '{"requirements":[1]}', 'it is no summary of a run'],
    ['a list', '[]', 'it is no summary of a run'],
    ['null', 'null', 'it is no summary of a run'],
  ])('that is %s is refused with what to give', (name, text, why) => {
    const file = join(folder, `${name}.json`);
    if (text !== undefined) writeFileSync(file, text);
    expect(() => readSummary(file, someRequirements)).toThrow(
      `${why}. Give a run folder, or its summary.json.`,
    );
  });
});
