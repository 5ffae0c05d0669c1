import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../checks/verdict.ts';
import { requirementMatrix } from './matrix.ts';
import { filterScript, filterScriptHash } from './matrix-style.ts';
import { reportPage } from './report-page.ts';
import {
  aNastyRun,
  aRun,
  failing,
  judge,
  manifold,
  passing,
  passingExcept,
} from './synthetic-run.test.data.ts';

const pageOf = (
  run: RunRecord = aRun(),
  options: Partial<Parameters<typeof requirementMatrix>[2]> = {},
): string => requirementMatrix(run, judge(run), { report: true, ...options });
const rowOf = (page: string, id: string): string =>
  page.match(new RegExp(`<tr id="${id}" .*?</tr>`, 's'))?.[0] ?? '';

/** What a page says, without the style and script that all pages share. */
const told = (page: string): string =>
  page.replace(/<style>.*?<\/style>/s, '').replace(/<script>.*?<\/script>/s, '');
const golden = (page: string, name: string): Promise<void> =>
  expect(told(page)).toMatchFileSnapshot(`../../fixtures/pages/${name}`);

const earlier = [1, 2].map((day) => ({
  uuid: `run-${day}`,
  timestamp: Date.parse(`2026-02-0${day}T10:00:00Z`),
  verdict: 'non-conformant' as const,
  requirements: { pass: 2, fail: day },
  checks: {},
}));
const attested = { statement: 'abc123', keyFingerprint: 'def456' };

describe('the requirement matrix', () => {
  test('says what it said before', async () => {
    const killScores = new Map([['DIG-01', { killed: 2, total: 3 }]]);
    await golden(pageOf(manifold, { earlier, attested, killScores }), 'requirements.html');
  });

  test('links to no report, and has no kill scores, where there are none', () => {
    const page = pageOf(aRun(), { report: false });
    expect(page).not.toContain('report.html');
    expect(page).not.toContain('Proof');
    expect(page).toContain('No earlier run of this target is known.');
  });

  test('says why what must hold has a warning only', () => {
    const warned = { verdict: 'warning', level: 'advisory', reason: 'It repeats one.' } as const;
    const page = pageOf(aRun({ results: passingExcept({ 'AMT-01': warned }) }));
    expect(rowOf(page, 'AMT-01')).toContain('for AMT-01 asks for more than the specification demands');
    expect(rowOf(page, 'DIG-01')).not.toContain('demands');
  });

  test('of a part names at its top the profiles that it touched', () => {
    const run = aRun({ header: { selection: '--only DIG' }, results: passing.slice(0, 1) });
    const chips = [...pageOf(run).matchAll(/<li class="partial"[^>]*><b>([^<]+)<\/b>/g)].map(([, id]) => id);
    expect(chips).toEqual(['core', 'domestic-payments']);
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
});

describe('the report', () => {
  test('says what it said before', () =>
    golden(reportPage(manifold, judge(manifold), { attested }), 'report.html'));

  test('opens a single cause, and tells a run that fails nothing in one sentence', () => {
    expect(reportPage(failing, judge(failing))).toMatch(/<details class="cause"[^>]* open>/);
    const lead = (run: RunRecord): string | undefined =>
      /<p class="lead">([^<]*)/.exec(reportPage(run, judge(run)))?.[1];
    expect(lead(aRun())).toBe('Everything that was asked was found in order.');
    expect(lead(aRun({ header: { selection: '--only DIG' } }))).toMatch(/^Only a part was judged/);
    const knownDeviations = [{ requirement: 'DIG-01', reason: 'ticket 4711' }];
    expect(lead(aRun({ header: { knownDeviations } }))).toMatch(/^No check fails that is not excused/);
    expect(lead(aRun({ results: passing.slice(1) }))).toMatch(
      /^Nothing was found broken, but 1 requirement was/,
    );
  });

  test('of a certification tells no seed, and offers no replay', () => {
    const tpp = aRun({ header: { side: 'tpp', seed: 0 }, results: failing.results });
    for (const page of [pageOf(tpp), reportPage(tpp, judge(tpp))])
      expect(page).not.toMatch(/<dt>Seed|replay/);
  });
});

test.each(['report', 'matrix'])(
  'the %s holds nothing of a bank as markup, and no script but its own',
  (name) => {
    const nasty = aNastyRun(12);
    const target = { ...nasty.header.target, name: '"><script>alert(1)</script>' };
    const run = { ...nasty, header: { ...nasty.header, target } };
    const page = name === 'matrix' ? pageOf(run) : reportPage(run, judge(run));
    expect(page).not.toMatch(/<img\b|<b>bold/);
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page).toContain(`<script>${filterScript}</script>`);
    expect(page).toContain(`script-src '${filterScriptHash}';`);
    expect(page).toContain('&quot;&gt;&lt;script&gt;');
    expect(page).toContain("default-src 'none'");
  },
);
