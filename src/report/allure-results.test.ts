import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestResult } from 'allure-js-commons';
import { describe, expect, test } from 'vitest';
import type { CheckResult, RunRecord } from '../checks/verdict.ts';
import { allureFiles, writeAllureResults } from './allure-results.ts';
import { anExchange, aResult, aRun, judge } from './synthetic-run.test.data.ts';

const filesOf = (run: RunRecord) => new Map(allureFiles(run, judge(run)));
const resultsOf = (run: RunRecord): TestResult[] =>
  [...filesOf(run)].flatMap(([name, content]) =>
    name.endsWith('-result.json') ? [JSON.parse(content)] : [],
  );
const only = (changes: Partial<CheckResult>): TestResult | undefined =>
  resultsOf(aRun({ results: [aResult(changes)] }))[0];

describe('an Allure result', () => {
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
