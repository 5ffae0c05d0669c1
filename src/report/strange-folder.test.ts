import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { evidenceBounds } from '../target/bounded-file.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { editEnvelope, editStatement } from './attestation.test.data.ts';
import { attestationFile, writeAttestation } from './attestation.ts';
import { readSummary } from './compare-runs.ts';
import { JournalError, journalFile, writeJournal } from './journal.ts';
import { mergeJournals } from './merge-journals.ts';
import { aRun, someRequirements } from './synthetic-run.test.data.ts';
import { verifyAttestation } from './verify-attestation.ts';
import { writeReports } from './write-reports.ts';

const dir = join(testFolder(), 'run');
const at = (...path: readonly string[]): string => join(dir, ...path);
beforeEach(async () => {
  writeJournal(dir, aRun());
  await writeReports(dir, { requirements: someRequirements, html: false });
  writeAttestation(dir, someRequirements);
});

const problems = (): readonly string[] => verifyAttestation(dir, someRequirements).problems;

describe('a folder from a stranger', () => {
  test('holds while it is as it was', () => {
    expect(problems()).toEqual([]);
  });

  test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'has an added file found that is called %s',
    (name) => {
      writeFileSync(at(name), '');
      expect(problems()).toEqual([`${name} was added.`]);
    },
  );

  test('has an attestation that is nested without end called damaged', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    editStatement(dir, (text) => text.replace('{', `{"x":${deep},`));
    expect(problems).toThrow(/is damaged/);
    editEnvelope(dir, (text) => text.replace('{', `{"x":${deep},`));
    expect(problems).toThrow(/is damaged/);
  });

  test.each([journalFile, 'exchanges.ndjson'])(
    'is refused with a %s that no run leaves, by all that read it',
    (name) => {
      writeFileSync(at(name), ' '.repeat(evidenceBounds.lineBytes + 1), { flag: 'a' });
      const refused = `${name} is not read: a line of it has more than 8 MB, and no run leaves that.`;
      const readers: (() => unknown)[] = [problems, () => writeAttestation(dir, someRequirements)];
      if (name === journalFile) {
        rmSync(at('summary.json'));
        readers.push(
          () => mergeJournals([dir], at('..', 'merged')),
          () => readSummary(dir, someRequirements),
        );
      }
      for (const read of readers) {
        expect(read).toThrow(JournalError);
        expect(read).toThrow(refused);
      }
    },
  );

  test('has folders told that were added with nothing in them', () => {
    mkdirSync(at('allure-results'));
    mkdirSync(at('extra', 'inside'), { recursive: true });
    expect(problems()).toEqual(['allure-results/ was added.', 'extra/inside/ was added.']);
    writeAttestation(dir, someRequirements);
    expect(problems()).toEqual(['allure-results/ was added.', 'extra/inside/ was added.']);
  });

  test('has its links told and not followed: out of it, in circles, to devices', () => {
    const outside = at('..', 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'secret'), 'of the reader');
    symlinkSync(outside, at('out'));
    symlinkSync(dir, at('circle'));
    symlinkSync('/dev/zero', at('zero'));
    expect(problems()).toEqual(['circle was added.', 'out was added.', 'zero was added.']);
  });

  test('has no link attested as it is, whichever hash is given for it', () => {
    const secret = at('..', 'secret');
    writeFileSync(secret, 'of the reader');
    symlinkSync(secret, at('exchanges.ndjson'));
    writeAttestation(dir, someRequirements);
    expect(problems()).toEqual(['exchanges.ndjson was changed.']);
  });

  test('has its pipes told and not waited for, whatever they are called', () => {
    for (const name of ['pipe', 'summary.json', journalFile]) {
      rmSync(at(name), { force: true });
      execFileSync('mkfifo', [at(name)]);
    }
    expect(problems()).toEqual([
      `${journalFile} was changed.`,
      'summary.json was changed.',
      'pipe was added.',
      expect.stringContaining('holds no run'),
    ]);
    rmSync(at(attestationFile));
    execFileSync('mkfifo', [at(attestationFile)]);
    expect(problems).toThrow(/holds no attestation\.dsse\.json/);
  });

  test('has its attestation in the folder itself, and no larger than one can be', () => {
    const outside = at('..', 'elsewhere.json');
    renameSync(at(attestationFile), outside);
    symlinkSync(outside, at(attestationFile));
    expect(problems).toThrow(/holds no attestation\.dsse\.json/);
    rmSync(at(attestationFile));
    renameSync(outside, at(attestationFile));
    expect(problems()).toEqual([]);
    truncateSync(at(attestationFile), 8 * 2 ** 30);
    expect(problems).toThrow(/is damaged/);
  });

  test('has no end, and is refused', () => {
    mkdirSync(at(...Array.from({ length: 40 }, () => 'a')), { recursive: true });
    expect(problems).toThrow(/folders in folders/);
  });

  test('holds a file that is larger than any run, and is refused before it is read', () => {
    for (const name of ['hole-1', 'hole-2', 'hole-3', 'hole-4', 'hole-5']) {
      writeFileSync(at(name), '');
      truncateSync(at(name), evidenceBounds.bytes);
    }
    expect(problems).toThrow(/more than 512 MB/);
    truncateSync(at('hole-1'), evidenceBounds.bytes + 1);
    expect(problems).toThrow('hole-1 has more than 128 MB, and no run leaves that.');
  });

  test('has its names cleaned before they are told', () => {
    writeFileSync(at('\u001b[2J\n::error::x'), '');
    const [told] = problems();
    expect(told).toBe('\\x1b[2J \\x3a:error::x was added.');
  });

  test.each([
    ['next to the statement', '{', '{ "verdict": "conformant",'],
    ['in the signature', '[]', '[{ "sig": "", "keyid": "", "trusted": "yes" }]'],
  ])('has told what stands unsigned %s', (_, from, to) => {
    editEnvelope(dir, (text) => text.replace(from, to));
    expect(problems()[0]).toMatch(/something was added/);
  });

  test.each([
    ['a verdict', '"verdict":"', '"verdict":"conformant!","verdict":"'],
    ['a digest', '"sha256":"', '"sha256":"0","sha256":"'],
    ['another digest of a file', '"digest":{', '"digest":{"md5":"0",'],
    ['a member that is none', '{"_type"', '{"_note":"by us","_type"'],
  ])('has told what is in the statement besides, such as %s', (_, from, to) => {
    editStatement(dir, (text) => text.replace(from, to));
    expect(problems()).toEqual([expect.stringContaining('in it twice')]);
  });

  test.each<[string, RegExp, string]>([
    ['nothing', /^.*$/, 'null'],
    ['no subject', /"subject":\{/, '"subjects":{'],
    ['numbers for hashes', /"sha256":"\w+"/, '"sha256":1'],
    ['exchanges that are none', /"exchanges":\[[^\]]*\]/, '"exchanges":[null]'],
    ['a side that is none', /"side":"bank"/, '"side":"bank and TPP"'],
    ['nothing of who attested it', /"attestedFrom":"run"/, '"attestedFrom":"us"'],
    ['less to tell than this version', /"attestedFrom":"run"/, '"attestedFrom":"not told"'],
    ['another type of statement', /Statement\/v1/, 'Statement/v0'],
  ])('has an attestation refused with %s in it', (_, from, to) => {
    editStatement(dir, (text) => text.replace(from, to));
    expect(problems).toThrow(/it is no attestation/);
  });

  test.each([
    ['"format":6', '"format":7'],
    ['attestation/v6', 'attestation/v7'],
  ])('has an attestation refused that is of another version, with %s', (from, to) => {
    editStatement(dir, (text) => text.replace(from, to));
    expect(problems).toThrow(/this version reads formats 4 to 6/);
  });

  test.each([
    '{"kind":"result","value":{"id":"A","title":"","suite":{"id":"a"},"verdict":"pass","requirements":[null],"notes":[],"exchanges":[{}]}}',
    '{"kind":"footer","value":{"durationMs":"x"}}',
  ])('has a journal told that holds %s', (line) => {
    const [header = ''] = readFileSync(at(journalFile), 'utf8').split('\n');
    writeFileSync(at(journalFile), `${header}\n${line}\n`);
    expect(problems()[0]).toBe(`${journalFile} was changed.`);
  });
});
