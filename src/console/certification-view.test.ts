import { describe, expect, it } from 'vitest';
import { journeys } from '../certification/journeys.ts';
import { Session } from '../certification/session.ts';
import type { CheckResult } from '../checks/verdict.ts';
import { CertificationView } from './certification-view.ts';
import { certificationPage } from './pages/certification-page.ts';

const failed = {
  id: 'TPP-08-date',
  title: 'Date is signed',
  verdict: 'fail',
  requirements: ['TPP-08'],
  expected: 'a signed <b>Date</b>',
  actual: 'national identity number 01819010001 in clear',
} as unknown as CheckResult;

const viewOf = (finish = () => {}) =>
  new CertificationView(
    new Session({
      tool: { name: 'test', version: '0' },
      startedAt: '2026-11-15T10:00:00Z',
      baseUrl: 'https://localhost:8443',
      trustedAuthorities: [],
      profiles: ['accounts'],
    }),
    finish,
  );

describe('what the console shows of a certification', () => {
  it('is the mandatory journeys of its profiles, and failures as they are seen, as text and without people', () => {
    const view = viewOf();
    view.hear({ completed: journeys.slice(0, 1), seen: ['TPP-03'], failed: [failed], settled: [] });
    const { markup } = certificationPage(view.state, true);
    expect(view.state.journeys.filter(({ mandatory }) => mandatory).map(({ id }) => id)).toEqual([
      'first-request',
      'accounts',
    ]);
    expect(markup).toContain('1 of 2 mandatory journeys complete');
    expect(markup).toContain('1 failure seen so far');
    expect(markup).toContain('a signed &lt;b&gt;Date&lt;/b&gt;');
    expect(markup).not.toContain('01819010001');
    view.hear({ completed: [], seen: [], failed: [], settled: [failed.id] });
    expect(certificationPage(view.state, true).markup).not.toContain('seen so far');
  });

  it('offers requests in place of commands where nobody here can sign', () => {
    const view = viewOf();
    expect(certificationPage(view.state, true).markup).toContain('Make curl');
    expect(certificationPage(view.state, false).markup).not.toContain('Make curl');
  });

  it('is over when somebody finishes it, and names verdict and reports at the end', async () => {
    let finished = false;
    const view = viewOf(() => {
      finished = true;
    });
    view.finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect(finished).toBe(true);
    view.ended({
      verdict: 'incomplete',
      profiles: { core: 'incomplete' },
      folder: 'reports/tpp',
      reports: ['requirements.html'],
    });
    const { markup } = certificationPage(view.state, true);
    expect(markup).toContain('Verdict: incomplete');
    expect(markup).toContain('href="/console/report/requirements.html"');
    expect(markup).not.toContain('Finish and judge');
    expect(markup).not.toContain('Make curl');
  });
});
