import { randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { RunRecord } from '../checks/verdict.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { JournalError, writeJournal } from './journal.ts';
import {
  aNastyRun,
  anExchange,
  aResult,
  aRun,
  passingExcept,
  someRequirements,
} from './synthetic-run.test.data.ts';
import { reportFile, unpackedReport } from './unpacked-report.test.data.ts';
import { historyPath, inSpecificationOrder, writeReports } from './write-reports.ts';

describe('the reports of a run folder', () => {
  const root = testFolder();
  const dir = join(root, 'run-1');

  const journal = (run: RunRecord): void => writeJournal(dir, run);
  const write = (html: boolean) => writeReports(dir, { requirements: someRequirements, html });
  const lines = (path: string): number => readFileSync(path, 'utf8').trim().split('\n').length;

  test('are all there, and told with the outcome', async () => {
    journal(aRun());
    const { outcome, paths, allureProblem } = await write(true);
    expect(allureProblem).toBeUndefined();
    expect(outcome).toMatchObject({ verdict: 'conformant', exitCode: 0 });
    for (const path of Object.values(paths)) expect(existsSync(path), path).toBe(true);
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['html', 'allure']));
    expect(JSON.parse(readFileSync(paths.summary, 'utf8'))).toMatchObject({ verdict: 'conformant' });
    const allure = readFileSync(paths.allure ?? '', 'utf8');
    expect(allure).toContain('xs2a-conformance — My bank, sandbox: conformant');
    expect(allure).not.toMatch(/src="https?:|gtag/);
    expect(readFileSync(paths.html ?? '', 'utf8')).toContain('<a href="allure.html">');
  });

  test('leave results for Allure servers only when asked to, and none of an earlier run', async () => {
    journal(aRun());
    const { paths } = await writeReports(dir, {
      requirements: someRequirements,
      html: false,
      allureResults: true,
    });
    expect(readdirSync(paths.allureResults ?? '').length).toBeGreaterThan(3);
    expect(Object.keys((await write(false)).paths)).not.toContain('allureResults');
    expect(existsSync(join(dir, 'allure-results'))).toBe(false);
  });

  test('hold a certificate and a badge of a conformant whole, and none of an earlier run afterwards', async () => {
    journal(aRun());
    const { paths } = await write(false);
    expect(readFileSync(paths.certificate ?? '', 'utf8')).toContain('Certificate of conformance of a bank');
    expect(readFileSync(paths.badge ?? '', 'utf8')).toContain('bank conformant 2026-03-01');
    journal(aRun({ footer: { interrupted: true } }));
    expect(Object.keys((await write(false)).paths)).not.toContain('certificate');
    expect(existsSync(join(dir, 'certificate.html'))).toBe(false);
    expect(existsSync(join(dir, 'badge.svg'))).toBe(false);
  });

  test.each([
    ['passing', 0],
    ['failing', 60],
  ])('of a full %s run are few and small, and show every exchange of what failed', async (_, failures) => {
    const { header, footer } = aRun();
    // About as many checks and exchanges as the suite has, each as long as there.
    const body = JSON.stringify({ text: 'words of a payment '.repeat(30) });
    const results = Array.from({ length: 960 }, (_, index) =>
      aResult({
        id: `DIG-01-${index}`,
        title: `check ${index} of a request that is refused for a reason of its own`,
        // Each a cause of its own.
        ...(index < failures ? { requirements: [`OLD-${index}`] } : {}),
        verdict: index < failures ? 'fail' : 'pass',
        exchanges: (index < failures ? [1, 2, 3, 4] : [1, 2]).map((number) =>
          anExchange({
            id: `x${index}-${number}`,
            request: { ...anExchange().request, body: `${body}${randomUUID()}` },
            response: { status: 201, headers: [['X-Request-ID', `answer-${index}-${number}`]], body },
          }),
        ),
      }),
    );
    journal({ header, results, ...(footer === undefined ? {} : { footer }) });
    const { paths } = await writeReports(dir, {
      requirements: someRequirements,
      html: true,
      allure: false,
    });
    const sizes = readdirSync(dir).map((name) => statSync(join(dir, name)).size);
    expect(sizes.length).toBeLessThan(30);
    const html = readFileSync(paths.html ?? '', 'utf8');
    expect(Buffer.byteLength(html)).toBeLessThan(1_500_000);
    for (let index = 0; index < failures; index += 1)
      for (const number of [1, 2, 3, 4]) expect(html).toContain(`answer-${index}-${number}`);
    expect(html).toContain('journal.ndjson holds every exchange in full');
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(7_000_000);
  });

  test('count in Allure as they do themselves, and tell of a first run nothing as new', async () => {
    journal(
      aRun({ results: passingExcept({ 'DIG-02': { verdict: 'warning', reason: 'It repeats one.' } }) }),
    );
    const { paths } = await write(true);
    const html = readFileSync(paths.allure ?? '', 'utf8');
    expect(reportFile(html, 'widgets/statistic.json')).toEqual({ total: 3, passed: 2, unknown: 1 });
    expect(JSON.stringify(unpackedReport(html).data)).not.toContain('\\"transition\\":\\"new\\"');
    expect(reportFile(html, 'widgets/timeline.json')).toMatchObject([
      { host: 'xs2a-conformance', thread: 'slot 01', duration: 20 },
      { thread: 'slot 02' },
      { thread: 'slot 03' },
    ]);
  });

  test('of a part, or without a check, leave out the page of Allure unless it is asked for', async () => {
    const part = aRun({ header: { selection: '--only DIG' } });
    journal(part);
    expect((await write(true)).paths.allure).toBeUndefined();
    const asked = await writeReports(dir, { requirements: someRequirements, html: true, allure: true });
    expect(existsSync(asked.paths.allure ?? '')).toBe(true);
    journal(aRun({ results: [], footer: { blocker: 'It cannot be reached.' } }));
    const { paths } = await write(true);
    expect(existsSync(join(dir, 'allure.html'))).toBe(false);
    expect(readFileSync(paths.html ?? '', 'utf8')).not.toMatch(/allure\.html|<script/);
  });

  test('do not tell on which build server or from which repository they come', async () => {
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    vi.stubEnv('GITHUB_SERVER_URL', 'https://ci.internal.example');
    vi.stubEnv('GITHUB_REPOSITORY', 'bank/secret-project');
    vi.stubEnv('GITHUB_RUN_ID', '4711471147');
    vi.stubEnv('GITHUB_WORKFLOW', 'secret-workflow');
    vi.stubEnv('GITHUB_REF_NAME', 'secret-branch');
    vi.stubEnv('GITHUB_HEAD_REF', 'secret-branch');
    try {
      journal(aRun());
      const { paths } = await write(true);
      const html = readFileSync(paths.allure ?? '', 'utf8');
      const unpacked = JSON.stringify(unpackedReport(html));
      expect(unpacked).toContain('DIG-01');
      const history = readFileSync(historyPath(dir, aRun()), 'utf8');
      expect([html, history, unpacked].join()).not.toMatch(/ci\.internal|secret-|4711471147/);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  test('of a killed run are there, too, and marked as interrupted', async () => {
    const { header, results } = aRun();
    journal({ header, results });
    const { outcome, paths } = await write(true);
    expect(outcome).toMatchObject({ verdict: 'incomplete', interrupted: true });
    expect(readFileSync(paths.html ?? '', 'utf8')).toContain('incomplete (interrupted)');
    expect(JSON.parse(readFileSync(paths.summary, 'utf8'))).toMatchObject({ interrupted: true });
  });

  test('need no pages', async () => {
    journal(aRun());
    const { paths } = await write(false);
    expect(paths.html).toBeUndefined();
    for (const page of ['report.html', 'allure.html']) expect(existsSync(join(dir, page))).toBe(false);
    expect(readFileSync(paths.matrix, 'utf8')).not.toContain('report.html');
  });

  test('stand without the page of Allure when it cannot be generated, and say why', async () => {
    journal(aRun());
    // A file where the history folder should be.
    writeFileSync(join(root, 'history'), '');
    mkdirSync(join(dir, '.earlier-runs.jsonl'));
    const { paths, allureProblem, outcome } = await write(true);
    expect(allureProblem).toMatch(
      /^The page of Allure could not be generated \(.+\)\. The other reports stand/,
    );
    expect(paths.allure).toBeUndefined();
    for (const path of [paths.summary, paths.matrix]) expect(existsSync(path)).toBe(true);
    expect(readFileSync(paths.html ?? '', 'utf8')).not.toContain('allure.html');
    expect(outcome.exitCode).toBe(0);
  });

  test('are all written with the same mode, and through no link in the folder', async () => {
    journal(aRun());
    const mine = join(root, 'mine');
    writeFileSync(mine, 'mine');
    const names = [
      '.earlier-runs.jsonl',
      'report.html',
      'allure.html',
      'junit.xml',
      'junit.xml.part',
      'allure-results',
    ];
    for (const name of names) symlinkSync(mine, join(dir, name));
    await writeReports(dir, { requirements: someRequirements, html: true, allureResults: true });
    expect(readFileSync(mine, 'utf8')).toBe('mine');
    const written = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name));
    expect(written.length).toBeGreaterThan(10);
    for (const path of written.filter((each) => lstatSync(each).isFile()))
      expect(lstatSync(path).mode & 0o777, path).toBe(0o640);
    expect(written.some((path) => lstatSync(path).isSymbolicLink())).toBe(false);
  });

  test('write nothing next to the folder where they are told so, and show the trend all the same', async () => {
    journal(aRun());
    await write(false);
    journal(aRun({ header: { startedAt: '2026-03-02T10:00:00.000Z' } }));
    const { paths } = await writeReports(dir, {
      requirements: someRequirements,
      html: false,
      remembers: false,
    });
    expect(lines(historyPath(dir, aRun()))).toBe(1);
    expect(readFileSync(paths.matrix, 'utf8')).toContain('</span>2026-03-01 10:00</li>');
  });

  test('add one point to the history of the target, however often they are built', async () => {
    const run = aRun();
    journal(run);
    await write(true);
    await write(true);
    const history = historyPath(dir, run);
    expect(history).toBe(join(root, 'history', 'my-bank-sandbox.jsonl'));
    expect(lines(history)).toBe(1);
    journal(aRun({ header: { startedAt: '2026-03-02T10:00:00.000Z' } }));
    await write(true);
    expect(lines(history)).toBe(2);
  });

  test('take the earlier runs from the file that they are told, with or without a page', async () => {
    const history = join(root, 'cache', 'bank.jsonl');
    const build = () => writeReports(dir, { requirements: someRequirements, html: false, history });
    journal(aRun());
    await build();
    journal(aRun({ header: { startedAt: '2026-03-02T10:00:00.000Z' } }));
    const { paths } = await build();
    expect(lines(history)).toBe(2);
    expect(readFileSync(paths.matrix, 'utf8')).toContain('</span>2026-03-01 10:00</li>');
    expect(existsSync(historyPath(dir, aRun()))).toBe(false);
  });

  test('stand where the history cannot be written, and say why', async () => {
    journal(aRun());
    writeFileSync(join(root, 'history'), '');
    const { historyProblem, paths } = await write(false);
    expect(historyProblem).toMatch(/^The history of the target could not be written \(/);
    expect(existsSync(paths.matrix)).toBe(true);
  });

  test('of a selection or an interrupted run leave the trend alone', async () => {
    journal(aRun({ header: { selection: '--only DIG' } }));
    await write(true);
    journal(aRun({ footer: { interrupted: true } }));
    await write(true);
    expect(existsSync(historyPath(dir, aRun()))).toBe(false);
  });

  test('are made of 600 checks with nasty answers, too', async () => {
    journal(aNastyRun(600));
    expect((await write(true)).allureProblem).toBeUndefined();
  });

  test('of a folder without a run are refused', async () => {
    await expect(write(true)).rejects.toThrow(JournalError);
  });
});

test('results follow the catalogue by suite, then their ids by number, however they fell', () => {
  const errors = { id: 'errors', title: 'Errors', section: ['Errors'] };
  const results = [
    aResult({ id: 'ERR-01', requirements: ['ERR-01'], suite: errors }),
    aResult({ id: 'DIG-10' }),
    aResult({ id: 'DIG-9', requirements: [] }),
    aResult({ id: 'OLD-01', requirements: ['OLD-01'], suite: { id: 'old', title: 'Old', section: [] } }),
    aResult({ id: 'DIG-2', requirements: ['DIG-02'] }),
  ];
  const ordered = inSpecificationOrder(aRun({ results }), someRequirements);
  expect(ordered.results.map(({ id }) => id)).toEqual(['DIG-2', 'DIG-9', 'DIG-10', 'ERR-01', 'OLD-01']);
});
