import { describe, expect, test } from 'vitest';
import { defaultRuns } from '../checks/verdict.ts';
import { badge, certificatePage, whyNoCertificate } from './certificate.ts';
import { aRun, brokenAmount, failing, judge, passingExcept } from './synthetic-run.test.data.ts';

const certifiable = (run = aRun()): boolean => whyNoCertificate(run, judge(run)) === undefined;
const pageOf = (run = aRun()): string =>
  certificatePage(run, judge(run), { statement: 'abc123', keyFingerprint: 'def456' });

describe('a certificate', () => {
  test('is there for a conformant run of the whole, and for nothing else', () => {
    expect(certifiable()).toBe(true);
    expect(certifiable(aRun({ header: { selection: '--only DIG' } }))).toBe(false);
    expect(certifiable(failing)).toBe(false);
    expect(certifiable(aRun({ footer: { interrupted: true } }))).toBe(false);
    expect(certifiable(aRun({ header: { insecure: true } }))).toBe(false);
  });

  test('is not there for fewer cases than a run takes by default, and says why', () => {
    const few = aRun({ header: { runs: defaultRuns - 1 } });
    expect(whyNoCertificate(few, judge(few))).toBe(
      'each property got 9 cases, and a certification takes 10 or more (--runs)',
    );
    expect(certifiable(aRun({ header: { runs: defaultRuns } }))).toBe(true);
  });

  test('is not there for what is broken and known, which keeps the run green', () => {
    const knownDeviations = [{ requirement: 'AMT-01', reason: 'ticket 4711' }];
    const broken = passingExcept({ 'AMT-01': brokenAmount });
    const run = aRun({ results: broken, header: { knownDeviations } });
    expect(judge(run).verdict).toBe('conformant');
    expect(certifiable(run)).toBe(false);
  });

  test('says who, by what, when, with which readings and exceptions, and how to check it', () => {
    const page = pageOf(
      aRun({
        results: passingExcept({ 'AMT-01': brokenAmount }),
        header: {
          knownDeviations: [{ requirement: 'AMT-01', reason: 'ticket 4711', until: '2027-01-31' }],
          notOffered: [{ what: 'listAgreements', reason: 'private customers only' }],
          fingerprints: { 'TLS of the bank': 'AB:CD' },
        },
      }),
    );
    for (const text of [
      'My bank, sandbox (bank)',
      'https://bank.example/psd2, sandbox',
      '2026-03-01 10:00:00 UTC',
      '<h1>Certificate of conformance of a bank</h1>',
      'xs2a-conformance 1.2.3, catalogue 2026-03',
      'domestic-payments',
      'seed 7, 100 cases of each property',
      'AMT-01: ticket 4711, until 2027-01-31',
      'listAgreements: Not offered, as the target file declares: private customers only',
      'amountFractionDigits = exact',
      'SHA-256 AB:<wbr>CD',
      'signed with the key SHA-256 def456; statement SHA-256 abc123',
      'verify RUN --public-key KEY',
    ]) {
      expect(page).toContain(text);
    }
  });

  test('tells a TPP no seed, for nothing was drawn, and calls it no bank', () => {
    expect(pageOf(aRun({ header: { side: 'tpp', seed: 0 } }))).toContain('conformance of a TPP</h1>');
    expect(pageOf(aRun({ header: { side: 'tpp', seed: 0 } }))).not.toContain('seed');
  });

  test('holds nothing of a target as markup', () => {
    const { target } = aRun().header;
    const run = aRun({ header: { target: { ...target, name: '"><script>alert(1)</script>' } } });
    expect(pageOf(run)).not.toContain('<script');
    expect(badge(run, judge(run))).not.toContain('<script');
  });
});

test('a badge tells verdict, date and profiles, and loads nothing', () => {
  const svg = badge(aRun(), judge(aRun()));
  expect(svg).toContain('>bank conformant 2026-03-01</text>');
  expect(svg).toContain('<title>My bank, sandbox: conformant to core 1.0, domestic-payments 1.0');
  expect(svg).not.toMatch(/href|url\(|<style|<script/);
});
