import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CheckResult } from '../checks/verdict.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { compareRuns, readSummary } from './compare-runs.ts';
import { comparisonHtml } from './comparison-report.ts';
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

it('a page of nasty answers holds nothing that runs', () => {
  const nasty = aNastyRun(40);
  const page = comparisonHtml(compareRuns(good, summarize(nasty, judge(nasty))));
  expect(page).toContain('something broke');
  expect(page).not.toMatch(/<script|<img|<b>bold/);
  expect(page).toContain("default-src 'none'");
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
