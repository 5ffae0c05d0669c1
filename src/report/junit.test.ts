import { describe, expect, test } from 'vitest';
import { junitXml } from './junit.ts';
import {
  aResult,
  aRun,
  brokenAmount,
  failing,
  judge,
  passing,
  passingExcept,
} from './synthetic-run.test.data.ts';

const xmlOf = (run = aRun()): string => junitXml(run, judge(run));

describe('the JUnit file', () => {
  test('has a testsuite per suite, and nothing else for a conformant run', () => {
    const xml = xmlOf();
    expect(xml.match(/<testsuite name="[^"]*" tests="\d"/g)).toEqual([
      '<testsuite name="signing/digest: Digest" tests="2"',
      '<testsuite name="payments/amounts: Amounts" tests="1"',
    ]);
    expect(xml).not.toMatch(/<(failure|error|skipped)/);
  });

  test('has the verdict on each profile as properties', () => {
    const xml = xmlOf(failing);
    expect(xml).toContain(
      '<property name="profile.core" value="conformant, version 1.0, 2 of 2 requirements judged"/>',
    );
    expect(xml).toContain('<property name="profile.domestic-payments" value="non-conformant, ');
    expect(xml).toContain('<property name="judged" value="the whole"/>');
  });

  test('has the remarks before the first check as properties', () => {
    const xml = xmlOf(aRun({ header: { remarks: ['baseUrl: "plain" http', 'slow'] } }));
    expect(xml).toContain('<property name="remark" value="baseUrl: &quot;plain&quot; http"/>');
    expect(xml).toContain('<property name="remark" value="slow"/>');
  });

  test('shows a failure with the requirement, Expected and Actual, the case and the command', () => {
    const xml = xmlOf(failing);
    expect(xml).toContain('failures="1" errors="0" skipped="0"');
    expect(xml).toContain(
      '<failure type="must" message="The bank accepted an amount with three fraction digits.">',
    );
    expect(xml).toContain(
      'AMT-01 (must): An amount with more fraction digits than its currency has is refused.',
    );
    expect(xml).toContain('Expected: any 4xx\nActual:   201 Created\nSmallest failing case: {&quot;currency');
    expect(xml).toContain('POST /psd2/v1/payments/norwegian-domestic-credit-transfers → 201 (control)');
    expect(xml).toContain(
      'Reproduce: npx xs2a-conformance run --target &lt;your target file&gt; --runs 100 --only AMT-01 --seed 7',
    );
  });

  test.each(['inconclusive', 'error'] as const)('never shows an %s check as green', (verdict) => {
    const xml = xmlOf(aRun({ results: passingExcept({ 'DIG-02': { verdict, reason: 'timed out' } }) }));
    expect(xml).toContain(`<error type="${verdict}" message="timed out">`);
  });

  test('skips what does not apply, and says what is missing', () => {
    const results = [...passing, aResult({ id: 'X', verdict: 'not-applicable', reason: 'No card account.' })];
    expect(xmlOf(aRun({ results }))).toContain('<skipped message="No card account."/>');
  });

  test('passes a warning with its reason next to it', () => {
    const results = [...passing, aResult({ id: 'X', verdict: 'warning', reason: 'No text.' })];
    expect(xmlOf(aRun({ results }))).toContain('<system-out>warning: No text.</system-out>');
  });

  test('skips a known deviation with its reason, so that a gate on this file stays green', () => {
    const results = passingExcept({ 'AMT-01': brokenAmount });
    const knownDeviations = [{ requirement: 'AMT-01', reason: 'ticket 4711' }];
    const xml = xmlOf(aRun({ results, header: { knownDeviations } }));
    expect(xml).toContain('<skipped message="known deviation (AMT-01: ticket 4711)');
    expect(xml).not.toContain('<failure');
  });

  test('is not all green for an interrupted run without a failure', () => {
    const xml = xmlOf(aRun({ footer: { interrupted: true } }));
    expect(xml).toContain('the run as a whole is incomplete');
    expect(xml).toContain('<error type="incomplete"');
  });

  test('tells times that add up to that of the run, since build servers add them up', () => {
    const results = passing.map((result) => ({ ...result, durationMs: 3000 }));
    const xml = xmlOf(aRun({ results }));
    const times = [...xml.matchAll(/<testcase [^>]*time="([\d.]+)"/g)].map(([, time]) => Number(time));
    expect(times).toEqual([1, 1, 1]);
    expect(xml).toMatch(/<testsuite name="signing\/digest: Digest" [^>]*time="2\.000"/);
  });

  test('stays well-formed whatever the bank says', () => {
    const nasty = 'a\u0000b\u001bc\uD800d\uFFFEe ]]> <script>"x"&\n\t';
    const result = aResult({
      id: 'X',
      title: nasty,
      verdict: 'fail',
      reason: nasty,
      actual: nasty,
      notes: [nasty],
    });
    const xml = xmlOf(aRun({ results: [result] }));
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what XML forbids
    expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\uD800-\uDFFF\uFFFE\uFFFF]/);
    expect(xml).not.toContain('<script>');
    expect(xml).not.toContain(']]>');
    expect(xml).toContain(
      'a\\u{0}b\\u{1b}c\\u{d800}d\\u{fffe}e ]]&gt; &lt;script&gt;&quot;x&quot;&amp;&#10;&#9;',
    );
  });
});
