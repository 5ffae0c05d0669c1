import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeJournal } from '../report/journal.ts';
import { aResult, aRun } from '../report/synthetic-run.test.data.ts';
import type { ConsoleAnswer } from './console-answer.ts';
import { RunView } from './run-view.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-view-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a run is shown by its report: of what is judged so far, then the one that is left on the disk', async () => {
  const results = [
    aResult(),
    aResult({ id: 'AMT-02', requirements: ['AMT-02'], verdict: 'fail', actual: '201' }),
  ];
  const { header } = aRun({ header: { planned: ['DIG-01', 'AMT-02', 'BSK-01'] } });
  // Of a run that goes on there is no footer yet.
  writeJournal(folder, { header, results });
  const view = new RunView(folder);
  const asked = async (path = '/console/run', method = 'GET'): Promise<ConsoleAnswer> =>
    view.site.answer({ method } as IncomingMessage, new URL(path, 'http://localhost'));
  expect((await asked()).content).toContain('The run is about to begin');
  view.begin();
  const { content, headers } = await asked();
  for (const told of [
    '2 of 3 checks are judged so far.',
    '1 cause: 1 of 2 checks fails',
    '<header id="head" data-live-part>',
  ])
    expect(content).toContain(told);
  expect(content).not.toMatch(/interrupted|not exercised|<script>/);
  expect(headers?.['Content-Security-Policy']).toContain("script-src 'self'; style-src 'unsafe-inline'");
  expect(view.isStale).toBe(false);
  view.ended({ verdict: 'non-conformant', profiles: {}, folder, reports: ['report.html'] });
  expect(await asked()).toMatchObject({ status: 303, headers: { Location: '/console/report/report.html' } });
  expect((await asked('/console/run', 'POST')).status).toBe(405);
  expect((await asked('/console/else')).status).toBe(404);
});
