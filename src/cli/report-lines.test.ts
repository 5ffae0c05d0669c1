import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { aRun, judge } from '../report/synthetic-run.test.data.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { consoleOptions, summarizeStep } from './report-lines.ts';
import { terminalOf } from './terminal.ts';

const run = aRun({});
const outcome = judge(run);

const dir = testFolder();

test('the summary of a step is added to what other steps have written', () => {
  const file = join(dir, 'summary.md');
  writeFileSync(file, 'before\n');
  summarizeStep(run, outcome, file);
  expect(readFileSync(file, 'utf8')).toMatch(/^before\n.+/s);
});

test('a command to be copied has the name of a folder as a single word', () => {
  const { commands } = consoleOptions(terminalOf(process.stdout), 'a run', ' --target bank.yaml');
  expect(commands?.replay('AMT-02')).toBe("npx xs2a-conformance replay 'a run' AMT-02 --target bank.yaml");
});

test.skipIf(process.platform === 'win32')('a pipe that nobody reads holds nobody up', () => {
  const pipe = join(dir, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    summarizeStep(run, outcome, pipe);
    expect(told.mock.calls.join()).toContain('The summary of this step could not be written');
  } finally {
    told.mockRestore();
  }
});
