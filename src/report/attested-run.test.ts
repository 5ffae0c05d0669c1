import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { testFolder } from '../target/target-folder.test.data.ts';
import { editStatement } from './attestation.test.data.ts';
import { attestationFile, sha256, writeAttestation } from './attestation.ts';
import { changedEvidence, readRun } from './attested-run.ts';
import { journalFile, writeJournal } from './journal.ts';
import { aRun, judge, someRequirements } from './synthetic-run.test.data.ts';
import { verifyAttestation } from './verify-attestation.ts';
import type { WholeOfVersion } from './whole-run.ts';
import { writeReports } from './write-reports.ts';

const dir = testFolder();
const at = (name: string): string => join(dir, name);
const run = aRun();
const { header, results } = run;
beforeEach(() => {
  writeJournal(dir, run);
});

const edit = (name: string, from: string, to: string): void => {
  const text = readFileSync(at(name), 'utf8');
  expect(text).toContain(from);
  writeFileSync(at(name), text.replace(from, to));
};
const verdict = () => judge(readRun(dir)).verdict;
const write = () => writeReports(dir, { requirements: someRequirements, html: false });

describe('a run that was changed since it was attested', () => {
  test('is no whole, and has no certificate, whatever its journal says', async () => {
    await write();
    writeAttestation(dir, someRequirements);
    expect(verdict()).toBe('conformant');
    expect(existsSync(at('certificate.html'))).toBe(true);
    edit(journalFile, '"cases":', '"notes":["x"],"cases":');
    expect(verdict()).toBe('incomplete');
    await write();
    expect(existsSync(at('certificate.html'))).toBe(false);
    expect(existsSync(at('badge.svg'))).toBe(false);
    expect(readFileSync(at('summary.json'), 'utf8')).toContain('journal.ndjson was changed since');
  });

  test('is known where its attestation was changed to fit, and the signature was not', () => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const before = sha256(readFileSync(at(journalFile)));
    writeAttestation(dir, someRequirements, { key: privateKey });
    expect(changedEvidence(dir)).toEqual([]);
    edit(journalFile, '"cases":', '"notes":["x"],"cases":');
    editStatement(dir, (text) => text.replace(before, sha256(readFileSync(at(journalFile)))));
    expect(changedEvidence(dir)).toEqual([attestationFile]);
    expect(verdict()).toBe('incomplete');
  });
});

describe('a run that leaves out a check of its version', () => {
  const holding = (...bank: readonly string[]): WholeOfVersion => ({
    version: header.tool.version,
    catalogue: header.catalogue,
    checks: { bank, tpp: ['JRN-first-request', 'TPP-03'] },
    readings: Object.keys(header.interpretations),
    judges: new Map(results.map(({ id, requirements }) => [id, requirements])),
    levels: Object.fromEntries(results.map(({ id, level }) => [id, level])),
  });
  const whole = holding(...header.planned, 'DIG-03-cross-border');
  const judged = (held: WholeOfVersion = whole) => judge(readRun(dir, held));

  test('is no whole, although it does not call itself a part', () => {
    expect(judged()).toMatchObject({
      verdict: 'incomplete',
      problems: [
        `The run leaves out 1 check of version ${whole.version} (DIG-03-cross-border): judge the bank again.`,
      ],
    });
    expect(judged(holding(...header.planned)).verdict).toBe('conformant');
    expect(judged({ ...whole, version: '99.0.0' }).verdict).toBe('conformant');
  });

  test.each([
    ['another catalogue', '"catalogue":"', '"catalogue":"1', 'The run names catalogue 1'],
    [
      'a profile that there is not',
      '"seed":',
      '"profiles":{"core":"9.9"},"seed":',
      'has no profile core 9.9',
    ],
    ['not how it reads', '"amountFractionDigits"', '"amountFractions"', 'does not tell how it reads'],
    ['no profile', '"seed":', '"profiles":{},"seed":', 'names no profile'],
    [
      'a reading that there is not',
      '"amountFractionDigits":"',
      '"amountFractionDigits":"never',
      'does not know the reading amountFractionDigits: never',
    ],
    ['no case', '"runs":100', '"runs":0', 'tells of no case'],
    [
      'what must hold as a hint',
      '"level":"must"',
      '"level":"advisory"',
      'is of level must, and the run says advisory',
    ],
    [
      'no more than a warning of what must hold',
      '"verdict":"pass"',
      '"verdict":"warning"',
      'no more than a warning',
    ],
    ['a day that is still to come', '"startedAt":"20', '"startedAt":"29', 'which is still to come'],
    ['another requirement of a check', '"requirements":["', '"requirements":["XYZ-01","', 'judges other'],
  ])('and one that tells %s is none either', (_, from, to, why) => {
    const ours = holding(...header.planned);
    edit(journalFile, from, to);
    expect(judged(ours)).toMatchObject({ verdict: 'incomplete' });
    expect(judged(ours).problems).toContainEqual(expect.stringContaining(why));
    expect(judged({ ...ours, version: '99.0.0' }).problems.join()).not.toContain(why);
  });

  test('and one of another version has no certificate, because nobody here knows', async () => {
    const certificate = async (held: WholeOfVersion) => {
      const { paths } = await writeReports(dir, { requirements: someRequirements, html: false, whole: held });
      return paths.certificate !== undefined && existsSync(paths.certificate);
    };
    const ours = holding(...header.planned);
    expect(await certificate(ours)).toBe(true);
    expect(await certificate({ ...ours, version: '99.0.0' })).toBe(false);
  });

  test('is held to what a TPP is judged by, where it says that it is of one', () => {
    edit(journalFile, '"seed":', '"side":"tpp","seed":');
    expect(judged()).toMatchObject({
      verdict: 'incomplete',
      problems: [
        `The run leaves out 2 checks of version ${whole.version} (JRN-first-request, TPP-03): judge the TPP again.`,
      ],
    });
  });

  test('is no certification to whoever verifies it, and is not called changed', () => {
    writeAttestation(dir, someRequirements);
    const verified = (held?: WholeOfVersion) => verifyAttestation(dir, someRequirements, undefined, held);
    expect(verified().notCertified).toBeUndefined();
    expect(verified(whole)).toMatchObject({
      problems: [],
      notCertified: expect.stringContaining('leaves out 1 check'),
    });
  });
});
