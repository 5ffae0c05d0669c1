import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../checks/verdict.ts';
import { requirementMatrix } from './matrix.ts';
import { filterScript, filterScriptHash } from './matrix-style.ts';
import {
  aNastyRun,
  aResult,
  aRun,
  brokenAmount,
  failing,
  judge,
  passing,
  passingExcept,
} from './synthetic-run.test.data.ts';

const pageOf = (
  run: RunRecord = aRun(),
  options: Partial<Parameters<typeof requirementMatrix>[2]> = {},
): string => requirementMatrix(run, judge(run), { report: true, ...options });
const rowOf = (page: string, id: string): string =>
  page.match(new RegExp(`<tr id="${id}" .*?</tr>`, 's'))?.[0] ?? '';

describe('the requirement matrix', () => {
  test('has a row for every requirement that binds a bank, under its section', () => {
    const page = pageOf();
    expect([...page.matchAll(/<tr id="([^"]+)" /g)].map(([, id]) => id)).toEqual([
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
    const page = pageOf(failing);
    expect(page).toMatch(
      /<th scope="row">domestic-payments<\/th>.*?<span class="verdict non-conformant">.*?<a href="#AMT-01">/,
    );
    expect(page).toMatch(/<th scope="row">core<\/th>.*?<span class="verdict conformant">/);
    expect(page).toMatch(/<th scope="row">sandbox<\/th><td data-label="Kind">profile<\/td>/);
  });

  test('shows statement, level, verdict and checks, with a link into the report', () => {
    const row = rowOf(pageOf(failing), 'AMT-01');
    expect(row).toContain('An amount with more fraction digits than its currency has is refused.');
    expect(row).toContain('must<small>domestic-payments</small></td>');
    expect(row).toContain('<small>§ Payments › Credit transfers › Amounts</small>');
    expect(row).toContain('data-verdict="fail" data-section="Payments"');
    expect(row).toContain('<span class="verdict fail">fail</span>');
    expect(row).toMatch(/<a href="report\.html#[0-9a-f]{32}"[^>]*>AMT-01<\/a> fail/);
  });

  test('links to no report where none was generated', () => {
    expect(pageOf(aRun(), { report: false })).not.toContain('report.html');
  });

  test('has a column for kill scores only when there are some', () => {
    const killScores = new Map([['DIG-01', { killed: 2, total: 3 }]]);
    expect(rowOf(pageOf(aRun(), { killScores }), 'DIG-01')).toContain(
      '<td class="number" data-label="Proof">2 of 3</td>',
    );
    expect(pageOf()).not.toContain('Proof');
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
    expect(page).toContain('<td data-label="Why">Give psu.corporate.</td>');
    expect(page).toContain('<td data-label="Why">It happens inside the bank.</td>');
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

  test('says why what must hold has a warning only', () => {
    const warned = { verdict: 'warning', level: 'advisory', reason: 'It repeats one.' } as const;
    const page = pageOf(aRun({ results: passingExcept({ 'AMT-01': warned }) }));
    expect(rowOf(page, 'AMT-01')).toContain('for AMT-01 asks for more than the specification demands');
    expect(rowOf(page, 'DIG-01')).not.toContain('demands');
  });

  test('tells verdict, profiles and what is broken before the requirements', () => {
    const page = pageOf(failing);
    const places = [
      '<span class="overall non-conformant">non-conformant</span>',
      '<b>domestic-payments</b> non-conformant',
      '<h2>Broken requirements</h2>',
      '<h2 id="sections">',
      '<h2 id="trend">',
      '<h2 id="profiles">',
      '<form class="filter"',
      '<div id="requirements">',
    ].map((text) => page.indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  test('of a part names at its top the profiles that it touched', () => {
    const [first] = passing;
    const run = aRun({ header: { selection: '--only DIG' }, results: first === undefined ? [] : [first] });
    const page = pageOf(run);
    const chips = [...page.matchAll(/<li class="partial"[^>]*><b>([^<]+)<\/b>/g)].map(([, id]) => id);
    expect(chips).toEqual(['core', 'domestic-payments']);
  });

  test('has a bar for each section, and says how many of its requirements hold', () => {
    const page = pageOf(failing);
    expect(page).toContain(
      '<a href="#section-1">Payments</a><span class="tally">0 of 1 pass, <strong>1 fail</strong></span>',
    );
    expect(page).toContain('Of those not tested, 1 cannot be observed from outside.');
  });

  test('shows the earlier runs, and says where none is known', () => {
    const earlier = [1, 2].map((day) => ({
      uuid: `run-${day}`,
      timestamp: Date.parse(`2026-02-0${day}T10:00:00Z`),
      verdict: 'non-conformant' as const,
      requirements: { pass: 2, fail: day },
      checks: {},
    }));
    const page = pageOf(aRun(), { earlier });
    expect([...page.matchAll(/<li title="([^"]*)"><span class="column"/g)].map(([, text]) => text)).toEqual([
      '2 pass, 1 fail',
      '2 pass, 2 fail',
      '3 pass, 2 not tested',
    ]);
    expect(page).toContain('2026-02-02 10:00');
    expect(pageOf()).toContain('No earlier run of this target is known.');
  });

  test('has Norwegian words where asked to, and those of the catalogue stay as they are', () => {
    const page = pageOf(failing, { language: 'nb' });
    expect(page).toContain('<html lang="nb">');
    for (const text of ['ikke i samsvar', 'Brutte krav', 'Tidligere kjøringer', 'Søk i id-er']) {
      expect(page).toContain(text);
    }
    expect(page).toContain('An amount with more fraction digits than its currency has is refused.');
    const ours = page.replaceAll(/lang="en">.*?<\/(?:p|ul)>/gs, '');
    expect(ours).not.toMatch(/>(?:Profiles|Summary|Verdict|Statement|pass|fail|Search|non-conformant)[ <]/);
  });

  test('of a certification tells no seed', () => {
    expect(pageOf()).toContain('<dt>Seed</dt>');
    expect(pageOf(aRun({ header: { side: 'tpp', seed: 0 } }))).not.toContain('<dt>Seed</dt>');
  });

  test('says whether it is attested, by whom, and the hash of what is stated', () => {
    expect(pageOf()).toContain('This page is not attested');
    const attested = { statement: 'abc123', keyFingerprint: 'def456' };
    expect(pageOf(aRun(), { attested })).toContain(
      'signed with the key SHA-256 def456; statement SHA-256 abc123',
    );
  });

  test('holds nothing of a bank as markup, and no script but its own', () => {
    const nasty = aNastyRun(12);
    const name = '"><script>alert(1)</script>';
    const page = pageOf({ ...nasty, header: { ...nasty.header, target: { ...nasty.header.target, name } } });
    expect(page).not.toMatch(/<img\b|<b>bold/);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toContain(`<script>${filterScript}</script>`);
    expect(page).toContain(`script-src '${filterScriptHash}';`);
    expect(page).toContain('&quot;&gt;&lt;script&gt;');
    expect(page).toContain("default-src 'none'");
  });
});
