import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Session } from '../certification/session.ts';
import { CertificationView } from './certification-view.ts';
import { type ConsoleUnderTest, consoleUnderTest, rawGet } from './console-under-test.test.data.ts';

let folder: string;
let subject: ConsoleUnderTest;
let view: CertificationView;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'xs2a-handout-'));
  await writeFile(join(folder, 'report.html'), '<h1>The report</h1>');
  await writeFile(join(folder, 'summary.json'), '{}');
  await writeFile(join(folder, 'journal.ndjson'), 'not handed out');
  view = new CertificationView(
    new Session({
      tool: { name: 'test', version: '0' },
      startedAt: '2026-11-15T10:00:00Z',
      baseUrl: 'https://localhost:8443',
      trustedAuthorities: [],
    }),
    () => {},
  );
  subject = await consoleUnderTest(undefined, view);
});
afterAll(async () => {
  await subject.close();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  rawGet(subject.origin, { Host: new URL(subject.origin).host, ...headers }, path);
const bearer = () => ({ Authorization: `Bearer ${subject.running.token}` });

const end = () =>
  view.ended({ verdict: 'conformant', profiles: {}, folder, reports: ['report.html', 'summary.json'] });

describe('the reports of a certification', () => {
  it('are not there before its end', async () => {
    expect((await get('/console/report/report.html', bearer())).status).toBe(404);
  });

  it('are handed out to whoever has the token, with no rights of the console', async () => {
    end();
    const { status, text, headers } = await get('/console/report/report.html', bearer());
    expect({ status, text }).toEqual({ status: 200, text: '<h1>The report</h1>' });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toMatch(/^sandbox allow-scripts[^;]*; default-src 'none';/);
    // With the origin of the console it could do whatever the console does.
    expect(policy).not.toMatch(/allow-same-origin|allow-top-navigation|allow-forms|https?:|'self'|\*/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect((await get('/console/report/summary.json', bearer())).headers['content-type']).toBe(
      'application/json',
    );
    for (const given of [{}, { Authorization: 'Bearer wrong' }]) {
      expect((await get('/console/report/report.html', given)).status).toBe(403);
    }
  });

  it.each([
    'journal.ndjson',
    '',
    '.',
    '../../etc/passwd',
    '../report/journal.ndjson',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e/%2e%2e/etc/passwd',
    '..\\journal.ndjson',
    '/etc/passwd',
    'x/report.html',
    'report.html/',
    'report.html%00.json',
    'REPORT.HTML',
    '__proto__',
  ])('are those that were named, and %j is none of them', async (name) => {
    end();
    const { status, text } = await get(`/console/report/${name}`, bearer());
    expect([400, 404]).toContain(status);
    expect(text).not.toMatch(/not handed out|The report|root:/);
  });

  it('are refused to pages of other origins, token or not', async () => {
    end();
    for (const headers of [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
      { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'cors' },
    ]) {
      expect((await get('/console/report/report.html', { ...bearer(), ...headers })).status).toBe(403);
    }
    expect((await get('/console/report/report.html', { ...bearer(), Host: 'evil.example' })).status).toBe(
      421,
    );
  });

  it('lead to each other by a cookie that opens reports and nothing else', async () => {
    end();
    const cookies = (await get(`/console?token=${subject.running.token}`)).headers['set-cookie'] ?? [];
    const [own = '', reports = ''] = cookies;
    expect(own).toContain('SameSite=Strict');
    expect(reports).toMatch(/; Path=\/console\/report; HttpOnly; SameSite=Lax$/);
    const Cookie = reports.split(';')[0] ?? '';
    expect(Cookie).not.toContain(subject.running.token);
    expect((await get('/console/report/report.html', { Cookie })).status).toBe(200);
    for (const path of [
      '/console',
      '/console/certification',
      '/console/api/certification',
      '/console/report',
    ]) {
      expect((await get(path, { Cookie })).status, path).toBe(403);
    }
    expect((await get('/console/report/../api/certification', { Cookie })).status).toBe(403);
    expect((await get('/console/report/%2e%2e/api/certification', { Cookie })).status).toBe(403);
  });
});
