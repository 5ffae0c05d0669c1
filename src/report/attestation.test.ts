import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recordingFile } from '../certification/recording.ts';
import type { CheckResult } from '../checks/verdict.ts';
import { attestationFile, readAttestationKey, readPublicKey, writeAttestation } from './attestation.ts';
import { journalFile, openJournal } from './journal.ts';
import { anExchange, aRun, someRequirements } from './synthetic-run.test.data.ts';
import { isSigned, verifyAttestation } from './verify-attestation.ts';
import { writeReports } from './write-reports.ts';

const ed25519 = generateKeyPairSync('ed25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

let root: string;
let dir: string;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'attestation-'));
  dir = join(root, 'run');
  const { header, results, footer } = aRun();
  const journal = openJournal(dir);
  journal.header({ ...header, fingerprints: { 'TLS of the bank': 'AB:CD' } });
  results.forEach((result, index) => {
    journal.result({
      ...result,
      exchanges: [anExchange({ id: `x${index}a` }), anExchange({ id: `x${index}b` })],
    });
  });
  if (footer !== undefined) journal.footer(footer);
  journal.close();
  writeFileSync(
    join(dir, recordingFile),
    [1, 2, 3].map((number) => `{"kind":"exchange","value":{"number":${number},"at":""}}\n`).join(''),
  );
  await writeReports(dir, { requirements: someRequirements, html: false });
});
afterEach(() => rmSync(root, { recursive: true }));

const problems = (key?: KeyObject) => verifyAttestation(dir, someRequirements, key).problems;
const edit = (name: string, change: (text: string) => string): void => {
  const path = join(dir, name);
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
};
const lines = (change: (lines: string[]) => string[]) => (text: string) =>
  `${change(text.trimEnd().split('\n')).join('\n')}\n`;
const results = (change: (result: CheckResult) => object) =>
  lines((all) =>
    all.map((line) => {
      const parsed = JSON.parse(line);
      return parsed.kind === 'result' ? JSON.stringify({ ...parsed, value: change(parsed.value) }) : line;
    }),
  );

describe('an attestation', () => {
  test('says what the run was, and holds while nothing is changed', () => {
    const { attestation } = writeAttestation(dir, someRequirements, ed25519.privateKey);
    expect(attestation).toMatchObject({
      side: 'bank',
      verdict: 'conformant',
      fingerprints: { 'TLS of the bank': 'AB:CD' },
      seed: aRun().header.seed,
      requirements: { 'DIG-01': 'pass' },
    });
    expect(Object.keys(attestation.files)).toEqual(expect.arrayContaining([journalFile, 'summary.json']));
    expect(problems()).toEqual([]);
    expect(verifyAttestation(dir, someRequirements, ed25519.publicKey)).toMatchObject({
      problems: [],
      signature: 'key',
    });
  });

  test('is signed with RSA as well, or not at all', () => {
    writeAttestation(dir, someRequirements, rsa.privateKey);
    expect(problems(rsa.publicKey)).toEqual([]);
    expect(isSigned(dir)).toBe(true);
    writeAttestation(dir, someRequirements);
    expect(verifyAttestation(dir, someRequirements)).toMatchObject({ problems: [], signature: 'none' });
    expect(isSigned(dir)).toBe(false);
    expect(problems(rsa.publicKey)).toEqual([expect.stringContaining('is not signed')]);
  });

  test('does not hold for another key, of either kind', () => {
    writeAttestation(dir, someRequirements, ed25519.privateKey);
    for (const { publicKey } of [rsa, generateKeyPairSync('ed25519')]) {
      expect(problems(publicKey)).toEqual([expect.stringContaining('signed with another key')]);
    }
  });
});

describe('a change is found and named', () => {
  beforeEach(() => writeAttestation(dir, someRequirements, ed25519.privateKey));

  test('one byte of a report', () => {
    edit('junit.xml', (text) => text.replace('tests=', 'Tests='));
    expect(problems(ed25519.publicKey)).toEqual(['junit.xml was changed.']);
  });

  test('a file that was taken away, and one that was put in', () => {
    rmSync(join(dir, 'requirements.html'));
    writeFileSync(join(dir, 'allure-results', 'more.json'), '{}');
    expect(problems()).toEqual(['requirements.html is missing.', 'allure-results/more.json was added.']);
  });

  test('a verdict in the summary', () => {
    edit('summary.json', (text) => {
      const summary = JSON.parse(text);
      summary.requirements[0].verdict = 'fail';
      return JSON.stringify(summary);
    });
    expect(problems()).toEqual([
      'summary.json was changed.',
      'The verdict on DIG-01 in summary.json was changed: it was pass, now it is fail.',
    ]);
  });

  test('a verdict in the journal', () => {
    edit(
      journalFile,
      results((result) => ({ ...result, verdict: 'fail' })),
    );
    expect(problems()).toEqual(
      expect.arrayContaining([
        `${journalFile} was changed.`,
        'The journal amounts to non-conformant, the attestation says conformant.',
        'The verdict on DIG-01 was changed: it was pass, the journal says fail.',
      ]),
    );
  });

  test('an exchange that was dropped, changed or added', () => {
    const [first] = aRun().results;
    edit(
      journalFile,
      results((result) =>
        result.id === first?.id
          ? { ...result, exchanges: [{ ...result.exchanges[1], durationMs: 1 }, anExchange({ id: 'new' })] }
          : result,
      ),
    );
    expect(problems()).toEqual([
      `${journalFile} was changed.`,
      `The exchange "${first?.id} x0a" is missing.`,
      `The exchange "${first?.id} x0b" was changed.`,
      `The exchange "${first?.id} new" was added.`,
    ]);
  });

  test('exchanges that changed places', () => {
    edit(
      journalFile,
      results((result) => ({ ...result, exchanges: result.exchanges.toReversed() })),
    );
    expect(problems()).toContain('The order of the exchanges was changed, or one is there twice.');
  });

  test('an exchange of the recording of a TPP', () => {
    edit(
      recordingFile,
      lines((all) => all.filter((line) => !line.includes('"number":2'))),
    );
    expect(problems()).toEqual([
      `${recordingFile} was changed.`,
      `The exchange "exchange 2 of ${recordingFile}" is missing.`,
    ]);
  });

  test('a journal that can no longer be read', () => {
    edit(journalFile, (text) => text.replace('{', '['));
    expect(problems()).toEqual([`${journalFile} was changed.`, expect.stringContaining('damaged in line 1')]);
  });

  test('the attestation itself, even when its own hash is fixed', () => {
    edit(attestationFile, (text) => text.replace('"conformant"', '"incomplete"'));
    expect(problems()).toEqual(
      expect.arrayContaining([
        `${attestationFile} itself was changed.`,
        expect.stringContaining('does not hold'),
        expect.stringContaining('summary.json says conformant'),
      ]),
    );
    const { attestation } = JSON.parse(readFileSync(join(dir, attestationFile), 'utf8'));
    const mine = generateKeyPairSync('ed25519').privateKey;
    const { seal } = writeAttestation(dir, someRequirements, mine);
    writeFileSync(join(dir, attestationFile), JSON.stringify({ attestation, seal }));
    expect(problems(ed25519.publicKey)).toContainEqual(expect.stringContaining('another key'));
  });
});

describe('what cannot be used says what to give instead', () => {
  test('a folder without an attestation', () => {
    expect(() => problems()).toThrow(`holds no ${attestationFile}`);
    writeFileSync(join(dir, attestationFile), '{}');
    expect(() => problems()).toThrow('is damaged');
  });

  test('keys', () => {
    const file = (name: string, content: string | Buffer): string => {
      writeFileSync(join(root, name), content);
      return join(root, name);
    };
    const pem = { type: 'pkcs8', format: 'pem' } as const;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    expect(() => readAttestationKey(join(root, 'none'))).toThrow('cannot be read');
    expect(() => readAttestationKey(file('text', 'hello'))).toThrow('holds no private key');
    expect(() => readAttestationKey(file('ec', privateKey.export(pem)))).toThrow('Ed25519 or RSA');
    const locked = rsa.privateKey.export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'x' });
    expect(() => readAttestationKey(file('locked', locked))).toThrow('encrypted');
    expect(readAttestationKey(file('rsa', rsa.privateKey.export(pem))).asymmetricKeyType).toBe('rsa');
    expect(readPublicKey(file('pub', ed25519.publicKey.export({ type: 'spki', format: 'pem' }))).type).toBe(
      'public',
    );
  });
});
