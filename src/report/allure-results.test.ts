import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestResult } from 'allure-js-commons';
import { describe, expect, test } from 'vitest';
import type { KillScores } from '../checks/proof-findings.ts';
import type { CheckResult, RunRecord } from '../checks/verdict.ts';
import { allureFiles, writeAllureResults } from './allure-results.ts';
import {
  anExchange,
  aResult,
  aRun,
  brokenAmount,
  failing,
  judge,
  passing,
} from './synthetic-run.test.data.ts';

const filesOf = (run: RunRecord, killScores?: KillScores) =>
  new Map(allureFiles(run, judge(run), killScores));
const resultsOf = (run: RunRecord, killScores?: KillScores): TestResult[] =>
  [...filesOf(run, killScores)].flatMap(([name, content]) =>
    name.endsWith('-result.json') ? [JSON.parse(content)] : [],
  );
const only = (changes: Partial<CheckResult>): TestResult | undefined =>
  resultsOf(aRun({ results: [aResult(changes)] }))[0];
const failure = resultsOf(failing).find(({ testCaseId }) => testCaseId === 'AMT-01');

describe('an Allure result', () => {
  test('of a failure says what it said before, under the same id whatever the seed', async () => {
    const counterexample = {
      value: '{"instructedAmount":{"amount":"1.001"},"creditorName":"a"}',
      control: '{"instructedAmount":{"amount":"1.00"},"creditorName":"a"}',
      changed: ['instructedAmount.amount'],
      path: '0',
    };
    const requirements = ['DIG-02', 'AMT-01'];
    const [result] = resultsOf(
      aRun({ results: [aResult({ ...brokenAmount, counterexample, requirements })] }),
      new Map([['DIG-02', { killed: 3, total: 4 }]]),
    );
    await expect(`${JSON.stringify(result, null, 1)}\n`).toMatchFileSnapshot(
      '../../fixtures/pages/allure-result.json',
    );
  });

  test('names the suite below the section where its title says more', () => {
    const suite = { id: 's', title: 'Encoded words', section: ['Signing'] };
    expect(only({ suite })?.titlePath).toEqual(['Signing', 'Encoded words']);
  });

  test('has a step per exchange, the telling one failed, each with attachments of its own', () => {
    expect(failure?.steps.map(({ name, status }) => [name, status])).toEqual([
      ['POST /psd2/v1/payments/norwegian-domestic-credit-transfers → 201 (control)', 'passed'],
      ['POST /psd2/v1/payments/norwegian-domestic-credit-transfers → 201 (with the fault)', 'failed'],
    ]);
    const attachments = failure?.steps.flatMap((step) => step.attachments) ?? [];
    expect(attachments.map(({ name, type }) => [name, type])).toEqual([
      ['Request', 'text/plain'],
      ['Response', 'text/plain'],
      ['Request', 'text/plain'],
      ['Response', 'text/plain'],
    ]);
    expect(new Set(attachments.map(({ source }) => source)).size).toBe(4);
    for (const { source } of attachments) expect(filesOf(failing).has(source)).toBe(true);
  });

  test('of a pass has a step per exchange, and the messages of the one that shows it', () => {
    const exchanges = [anExchange({ id: 'x-0', purpose: 'control' }), anExchange()];
    expect(only({ exchanges })?.steps.map(({ attachments }) => attachments.length)).toEqual([0, 2]);
  });

  test.each([
    ['pass', 'passed', undefined],
    ['fail', 'failed', /^Requirement broken: /],
    ['error', 'broken', /^Error of this tool: /],
    ['inconclusive', 'broken', /^Inconclusive: /],
    ['not-applicable', 'skipped', /^Not applicable: /],
    ['warning', 'unknown', /^Warning: /],
  ] as const)('of the verdict %s is %s', (verdict, status, message) => {
    const result = only({ verdict, reason: 'because' });
    expect(result?.status).toBe(status);
    if (message === undefined) expect(result?.statusDetails.message).toBeUndefined();
    else expect(result?.statusDetails.message).toMatch(message);
  });

  test.each([
    [{ leftOpen: true }, /^Left open: /],
    [{ notOffered: true }, /^Not offered: /],
  ] as const)('that was not judged says whether anything is missing for that: %o', (mark, message) => {
    const result = only({ verdict: 'not-applicable', reason: 'because', ...mark });
    expect(result?.statusDetails.message).toMatch(message);
  });

  test('of a certification tells no seed, for nothing was drawn, and calls what it lacks not seen', () => {
    const run = aRun({
      header: { side: 'tpp', seed: 0 },
      results: [aResult({ verdict: 'not-applicable', reason: 'because' })],
    });
    const [result] = resultsOf(run);
    expect(result?.parameters).toEqual([]);
    expect(result?.statusDetails.message).toMatch(/^Not seen: /);
    expect(filesOf(run).get('environment.properties')).not.toMatch(/^(?:Seed|Cases)/m);
  });

  test('lasts for its share of the time, which added up is that of the run', () => {
    const results = resultsOf(aRun({ results: passing.map((result) => ({ ...result, durationMs: 30 })) }));
    expect(results.map(({ start = 0, stop = 0 }) => stop - start)).toEqual([10, 10, 10]);
  });

  test('that passed for another reason than the fault says so', () => {
    const notes = ['The answer points at debtorAccount.'];
    const result = only({ notes, pointsElsewhere: true });
    expect(result?.status).toBe('passed');
    expect(result?.statusDetails.message).toMatch(/^Passed, but: The answer points at debtorAccount\./);
    expect(only({ notes })?.statusDetails.message).toBeUndefined();
  });

  test('of a known deviation names its reason and date', () => {
    const knownDeviations = [{ requirement: 'AMT-01', reason: 'ticket 4711', until: '2027-01-31' }];
    const run = aRun({ results: failing.results, header: { knownDeviations } });
    const result = resultsOf(run).find(({ testCaseId }) => testCaseId === 'AMT-01');
    expect(result?.statusDetails.message).toMatch(/^Known deviation \(ticket 4711, until 2027-01-31\): /);
  });

  test('holds nothing of a bank as markup', () => {
    const nasty = '<script>alert(1)</script>';
    const result = only({
      verdict: 'fail',
      actual: nasty,
      notes: [nasty],
      counterexample: { value: nasty, path: nasty },
    });
    expect(result?.descriptionHtml).toContain('&lt;script&gt;');
    expect(result?.descriptionHtml).not.toContain('<script');
  });

  test('shows a very long body cut, with a note', () => {
    const response = { status: 200, headers: [], body: 'x'.repeat(1_000_000) };
    const files = filesOf(aRun({ results: [aResult({ exchanges: [anExchange({ response })] })] }));
    const longest = Math.max(...[...files.values()].map((content) => content.length));
    expect(longest).toBeLessThan(70_000);
    expect([...files.values()].some((content) => content.includes('characters are left out here'))).toBe(
      true,
    );
  });
});

describe('the results folder', () => {
  test('holds the environment, the categories and the problems of the whole run', () => {
    const files = filesOf(aRun({ results: passing.slice(1) }));
    expect(files.get('environment.properties')).toContain('Interpretation\\ amountFractionDigits=exact');
    expect(files.get('environment.properties')).toMatch(/^Seed=7$/m);
    expect(JSON.parse(files.get('categories.json') ?? '')).toHaveLength(10);
    expect(JSON.parse(files.get('run-globals.json') ?? '')).toMatchObject({
      errors: [{ message: '1 must-level requirement not exercised: DIG-01.' }],
    });
  });

  test('is emptied before it is written, since leftovers would show as retries', () => {
    const dir = mkdtempSync(join(tmpdir(), 'allure-'));
    const results = join(dir, 'allure-results');
    mkdirSync(results);
    writeFileSync(join(results, 'old-result.json'), '{}');
    writeAllureResults(filesOf(aRun()), results);
    expect(existsSync(join(results, 'old-result.json'))).toBe(false);
    expect(readdirSync(results).filter((name) => name.endsWith('-result.json'))).toHaveLength(3);
    rmSync(dir, { recursive: true });
  });
});
