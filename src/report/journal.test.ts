import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { JournalError, journalFile, openJournal, readJournal } from './journal.ts';
import { aResult, aRun } from './synthetic-run.test.data.ts';

const run = aRun();

describe('the journal', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'journal-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const write = (changes: { footer: boolean }): void => {
    const journal = openJournal(join(dir, 'run'));
    journal.header(run.header);
    for (const result of run.results) journal.result(result);
    if (changes.footer && run.footer !== undefined) journal.footer(run.footer);
    journal.close();
  };
  const read = () => readJournal(join(dir, 'run'));

  test('gives back the run that was written', () => {
    write({ footer: true });
    expect(read()).toEqual(run);
  });

  test('holds every verdict as soon as it fell, without being closed', () => {
    const journal = openJournal(dir);
    journal.header(run.header);
    journal.result(aResult());
    const onDisk = readFileSync(join(dir, journalFile), 'utf8');
    journal.close();
    expect(onDisk.trim().split('\n')).toHaveLength(2);
  });

  test('of a killed run is read without a footer, and without its torn last line', () => {
    write({ footer: false });
    const path = join(dir, 'run', journalFile);
    appendFileSync(path, '{"kind":"result","value":{"id":"TORN-0');
    expect(read()).toEqual({ header: run.header, results: run.results });
  });

  test('replaces an earlier run in the same folder', () => {
    write({ footer: true });
    write({ footer: true });
    expect(read().results).toHaveLength(run.results.length);
  });

  test('ignores a verdict that falls after it was closed', () => {
    const journal = openJournal(dir);
    journal.header(run.header);
    journal.close();
    journal.result(aResult());
    journal.close();
    expect(readJournal(dir).results).toEqual([]);
  });

  test.each([
    ['there is no journal', undefined, /holds no run/],
    ['the journal is empty', '', /does not begin with a run/],
    ['the first line is torn', '{"kind":"head', /does not begin with a run/],
    ['a line in the middle is damaged', '{"kind":"header","format":1,"value":{}}\nnonsense\n', /line 2/],
    ['a newer version wrote it', '{"kind":"header","format":2,"value":{}}\n', /format 2/],
  ])('refuses a folder when %s', (_, content, message) => {
    if (content !== undefined) writeFileSync(join(dir, journalFile), content);
    expect(() => readJournal(dir)).toThrow(JournalError);
    expect(() => readJournal(dir)).toThrow(message);
  });
});
