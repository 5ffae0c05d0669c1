import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../checks/verdict.ts';
import { requirementMatrix } from './matrix.ts';
import { judgeRun } from './outcome.ts';
import {
  aNastyRun,
  aResult,
  aRun,
  brokenAmount,
  passing,
  passingExcept,
  someRequirements,
} from './synthetic-run.test.data.ts';

const pageOf = (
  run: RunRecord = aRun(),
  options: Partial<Parameters<typeof requirementMatrix>[2]> = {},
): string => requirementMatrix(run, judgeRun(run, someRequirements), { report: true, ...options });
const rowOf = (page: string, id: string): string =>
  page.match(new RegExp(`<tr id="${id}">.*?</tr>`, 's'))?.[0] ?? '';

describe('the requirement matrix', () => {
  test('has a row for every requirement that binds a bank, under its section', () => {
    const page = pageOf();
    expect([...page.matchAll(/<tr id="([^"]+)">/g)].map(([, id]) => id)).toEqual([
      'DIG-01',
      'DIG-02',
      'AMT-01',
      'ERR-01',
      'SEC-01',
    ]);
    expect(page).toContain('<h3>Credit transfers › Amounts</h3>');
  });

  test('shows the remarks before the first check', () => {
    const page = pageOf(aRun({ header: { remarks: ['baseUrl: <plain> http'] } }));
    expect(page).toContain('<li>baseUrl: &lt;plain&gt; http</li>');
    expect(pageOf()).not.toContain('Remarks before');
  });

  test('tells the verdict on each profile, and what does not bind', () => {
    const page = pageOf(aRun({ results: passingExcept({ 'AMT-01': brokenAmount }) }));
    expect(page).toMatch(
      /<th scope="row">domestic-payments<\/th>.*?<span class="verdict non-conformant">.*?<a href="#AMT-01">/,
    );
    expect(page).toMatch(/<th scope="row">core<\/th>.*?<span class="verdict conformant">/);
    expect(page).toMatch(/<th scope="row">sandbox<\/th><td>profile<\/td>/);
  });

  test('shows statement, level, verdict and checks, with a link into the report', () => {
    const row = rowOf(pageOf(aRun({ results: passingExcept({ 'AMT-01': brokenAmount }) })), 'AMT-01');
    expect(row).toContain('An amount with more fraction digits than its currency has is refused.');
    expect(row).toContain('<td>must<small>domestic-payments</small></td>');
    expect(row).toContain('<span class="verdict fail">fail</span>');
    expect(row).toMatch(/<a href="report\.html#[0-9a-f]{32}"[^>]*>AMT-01<\/a> fail/);
  });

  test('links to no report where none was generated', () => {
    expect(pageOf(aRun(), { report: false })).not.toContain('report.html');
  });

  test('has a column for kill scores only when there are some', () => {
    const killScores = new Map([['DIG-01', { killed: 2, total: 3 }]]);
    expect(rowOf(pageOf(aRun(), { killScores }), 'DIG-01')).toContain('<td class="number">2 of 3</td>');
    expect(pageOf()).not.toContain('Kill score');
  });

  test('says what was not judged, and why', () => {
    const results = [
      ...passing,
      aResult({
        id: 'E',
        requirements: ['ERR-01'],
        verdict: 'not-applicable',
        reason: 'Give psu.corporate.',
      }),
    ];
    const page = pageOf(aRun({ results }));
    expect(page).toContain('<td>Give psu.corporate.</td>');
    expect(page).toContain('<td>It happens inside the bank.</td>');
  });

  test('shows known deviations, readings and problems', () => {
    const run = aRun({
      results: passingExcept({ 'AMT-01': brokenAmount }),
      header: {
        knownDeviations: [
          { requirement: 'AMT-01', reason: 'ticket 4711', until: '2027-01-31' },
          { requirement: 'DIG-01', reason: 'ticket 4712' },
        ],
      },
    });
    const page = pageOf(run);
    expect(page).toContain('ticket 4711');
    expect(page).toContain('happens, accepted');
    expect(page).toContain('The known deviation from DIG-01 no longer happens');
    expect(rowOf(page, 'AMT-01')).toContain('<small>known deviation</small>');
    expect(page).toContain('amountFractionDigits');
    expect(rowOf(page, 'DIG-02')).toContain('Reading: digestAlgorithms = sha-256-and-512');
  });

  test('holds nothing of a bank as markup, and no script at all', () => {
    const nasty = aNastyRun(12);
    const name = '"><script>alert(1)</script>';
    const page = pageOf({ ...nasty, header: { ...nasty.header, target: { ...nasty.header.target, name } } });
    expect(page).not.toMatch(/<(script|img)\b|<b>bold/);
    expect(page).toContain('&quot;&gt;&lt;script&gt;');
    expect(page).toContain("default-src 'none'");
  });
});
