import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { recordingFile } from '../certification/recording.ts';
import type { CheckResult, RunHeader } from '../checks/verdict.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import {
  attestationFile,
  canonicalJson,
  keyFingerprintOf,
  readAttestationKey,
  readPublicKey,
  type SealedAttestation,
  sha256,
  writeAttestation,
} from './attestation.ts';
import { isSigned } from './attested-run.ts';
import { journalFile, writeJournal } from './journal.ts';
import { anExchange, aRun, someRequirements } from './synthetic-run.test.data.ts';
import { verifyAttestation } from './verify-attestation.ts';
import { writeReports } from './write-reports.ts';

const ed25519 = generateKeyPairSync('ed25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

const root = testFolder();
const dir = join(root, 'run');
beforeEach(async () => {
  const run = aRun({ header: { fingerprints: { 'TLS of the bank': 'AB:CD' } } });
  const results = run.results.map((result, index) => ({
    ...result,
    exchanges: [anExchange({ id: `x${index}a` }), anExchange({ id: `x${index}b` })],
  }));
  writeJournal(dir, { ...run, results });
  writeFileSync(
    join(dir, recordingFile),
    [1, 2, 3].map((number) => `{"kind":"exchange","value":{"number":${number},"at":""}}\n`).join(''),
  );
  await writeReports(dir, { requirements: someRequirements, html: false });
});

const verify = (key?: KeyObject) => verifyAttestation(dir, someRequirements, key);
const attested = () => writeAttestation(dir, someRequirements, ed25519.privateKey);
const problems = (key?: KeyObject) => verify(key).problems;
const edit = (name: string, change: (text: string) => string): void => {
  const path = join(dir, name);
  const text = readFileSync(path, 'utf8');
  const changed = change(text);
  expect(changed).not.toBe(text);
  writeFileSync(path, changed);
};
const lines = (change: (lines: string[]) => string[]) => (text: string) =>
  `${change(text.trimEnd().split('\n')).join('\n')}\n`;
const editResults = (change: (result: CheckResult) => object): void =>
  edit(
    journalFile,
    lines((all) =>
      all.map((line) => {
        const parsed = JSON.parse(line);
        return parsed.kind === 'result' ? JSON.stringify({ ...parsed, value: change(parsed.value) }) : line;
      }),
    ),
  );

describe('an attestation', () => {
  test('says what the run was, and holds while nothing is changed', () => {
    const { attestation } = attested();
    expect(attestation).toMatchObject({
      side: 'bank',
      verdict: 'conformant',
      fingerprints: { 'TLS of the bank': 'AB:CD' },
      seed: aRun().header.seed,
      requirements: { 'DIG-01': 'pass' },
    });
    expect(Object.keys(attestation.files)).toEqual(expect.arrayContaining([journalFile, 'summary.json']));
    expect(problems()).toEqual([]);
    expect(verify(ed25519.publicKey)).toMatchObject({
      problems: [],
      signature: 'key',
    });
  });

  test('tells what the pages told before it was written: the same statement, and the same key', async () => {
    const keyFingerprint = keyFingerprintOf(ed25519.privateKey);
    await writeReports(dir, { requirements: someRequirements, html: true, attestation: { keyFingerprint } });
    const { attestation } = attested();
    expect(verify()).toMatchObject({ problems: [], keyFingerprint });
    for (const page of ['report.html', 'requirements.html', 'certificate.html']) {
      const html = readFileSync(join(dir, page), 'utf8');
      expect(html).toContain(
        `signed with the key SHA-256 ${keyFingerprint}; statement SHA-256 ${attestation.statement}`,
      );
    }
  });

  test('is signed with RSA as well, or not at all', () => {
    writeAttestation(dir, someRequirements, rsa.privateKey);
    expect(problems(rsa.publicKey)).toEqual([]);
    expect(isSigned(dir)).toBe(true);
    writeAttestation(dir, someRequirements);
    expect(verify()).toMatchObject({ problems: [], signature: 'none' });
    expect(isSigned(dir)).toBe(false);
    expect(problems(rsa.publicKey)).toEqual([expect.stringContaining('is not signed')]);
  });

  test('does not hold for another key, of either kind', () => {
    attested();
    for (const { publicKey } of [rsa, generateKeyPairSync('ed25519')]) {
      expect(problems(publicKey)).toEqual([expect.stringContaining('signed with another key')]);
    }
  });
});

describe('a certification', () => {
  const rewriteHeader = (changes: Partial<RunHeader>): void =>
    edit(
      journalFile,
      lines(([first = '', ...rest]) => {
        const header = JSON.parse(first);
        return [JSON.stringify({ ...header, value: { ...header.value, ...changes } }), ...rest];
      }),
    );
  const attest = async () => {
    await writeReports(dir, { requirements: someRequirements, html: false });
    return attested();
  };

  test('is a conformant run of the whole, profile by profile', async () => {
    const { attestation } = await attest();
    expect(attestation).toMatchObject({
      extent: 'whole',
      profiles: { core: { verdict: 'conformant' }, 'domestic-payments': { verdict: 'conformant' } },
    });
    expect(verify()).not.toHaveProperty('notCertified');
  });

  test('is not told from one that was changed where this version knows other requirements', async () => {
    await attest();
    const more = someRequirements.flatMap((one) => [one, { ...one, id: `${one.id}0` }]);
    for (const others of [someRequirements.slice(1), more]) {
      expect(verifyAttestation(dir, others)).toMatchObject({
        problems: [],
        notCertified: expect.stringContaining('Verify it with the version that judged it'),
      });
    }
  });

  test.each<[string, Partial<RunHeader>, string, string]>([
    ['a part', { selection: '--only DIG' }, 'partial', 'only a part was judged (--only DIG)'],
    [
      'shards of which one is missing',
      { selection: '--shard 1/2', missingShards: ['2/2'] },
      'incomplete',
      'only a part was judged',
    ],
    ['a run that trusted any certificate', { insecure: true }, 'incomplete', 'the verdict is incomplete'],
  ])('is never %s, however it is signed', async (_, changes, verdict, why) => {
    rewriteHeader(changes);
    const { attestation } = await attest();
    expect(attestation.verdict).toBe(verdict);
    expect(JSON.stringify(attestation)).not.toContain('"conformant"');
    const verification = verify(ed25519.publicKey);
    expect(verification).toMatchObject({ problems: [], signature: 'key' });
    expect(verification.notCertified).toContain(why);
  });

  test('is never a run with a failure that its own target file excuses, and tells which it is', async () => {
    const known = { requirement: 'AMT-01', reason: 'ticket 4711', until: '2027-01-31' };
    rewriteHeader({ knownDeviations: [known] });
    editResults((result) => (result.id === 'AMT-01' ? { ...result, verdict: 'fail' } : result));
    const { attestation } = await attest();
    expect(attestation).toMatchObject({
      verdict: 'conformant',
      knownDeviations: { 'AMT-01': 'ticket 4711, until 2027-01-31' },
    });
    const verification = verify(ed25519.publicKey);
    expect(verification.problems).toEqual([]);
    expect(verification.notCertified).toContain('known deviation is broken (AMT-01)');
  });

  test('says how many cases each property got', async () => {
    rewriteHeader({ runs: 1 });
    expect((await attest()).attestation.runs).toBe(1);
    expect(verify().notCertified).toContain('each property got 1 case,');
  });

  test('cannot be made of a part by signing other words', async () => {
    rewriteHeader({ selection: '--only DIG' });
    const { attestation } = await attest();
    const { selection: _, ...rest } = attestation;
    const profiles = Object.fromEntries(
      Object.entries(attestation.profiles).map(([id, profile]) => [
        id,
        { ...profile, verdict: 'conformant' as const },
      ]),
    );
    const forged = { ...rest, verdict: 'conformant' as const, extent: 'whole' as const, profiles };
    const text = canonicalJson(forged);
    const publicKey = ed25519.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const value = sign(null, Buffer.from(text), ed25519.privateKey).toString('base64');
    const seal = { sha256: sha256(text), signature: { algorithm: 'ed25519', publicKey, value } };
    writeFileSync(join(dir, attestationFile), JSON.stringify({ attestation: forged, seal }));
    expect(problems(ed25519.publicKey)).toEqual(
      expect.arrayContaining([
        'The journal amounts to partial, the attestation says conformant.',
        'The verdicts on the profiles are not those that the journal amounts to.',
        'The journal is of a part, the attestation says otherwise.',
      ]),
    );
  });

  test('is not of another bank, another time or with less left out than the journal tells, whoever signed it', async () => {
    const { attestation } = await attest();
    const { statement: _, attestedAt, attestedFrom, files, ...stated } = attestation;
    const forged = {
      ...stated,
      subject: { ...stated.subject, name: 'Another bank' },
      startedAt: '2027-01-01T00:00:00.000Z',
      notBinding: { 'AMT-99': 'It was never asked.' },
    };
    const sealed = { ...forged, statement: sha256(canonicalJson(forged)), attestedAt, attestedFrom, files };
    const seal = { sha256: sha256(canonicalJson(sealed)) };
    writeFileSync(
      join(dir, attestationFile),
      `${JSON.stringify({ attestation: sealed, seal }, undefined, 2)}\n`,
    );
    expect(problems()).toEqual([
      'The attestation tells of the run what its journal does not: subject, startedAt.',
      'What was not asked of the subject is not what the journal tells.',
    ]);
  });
});

test('an attestation of a file that is none of a run is told, whoever has signed it', () => {
  writeAttestation(dir, someRequirements);
  writeFileSync(join(dir, 'letter.html'), '<h1>Certified by all</h1>');
  edit(attestationFile, (text) => {
    const { attestation } = JSON.parse(text) as SealedAttestation;
    const files = { ...attestation.files, 'letter.html': sha256('<h1>Certified by all</h1>') };
    const sealed = { ...attestation, files };
    const seal = { sha256: sha256(canonicalJson(sealed)) };
    return `${JSON.stringify({ attestation: sealed, seal }, undefined, 2)}\n`;
  });
  expect(problems()).toEqual(['letter.html is attested, and is no file of a run.']);
});

describe('a change is found and named', () => {
  beforeEach(() => attested());

  test('one byte of a report', () => {
    edit('junit.xml', (text) => text.replace('tests=', 'Tests='));
    expect(problems(ed25519.publicKey)).toEqual(['junit.xml was changed.']);
  });

  test('a file that was taken away, and one that was put in', () => {
    rmSync(join(dir, 'requirements.html'));
    mkdirSync(join(dir, 'extra'));
    writeFileSync(join(dir, 'extra', 'more.json'), '{}');
    expect(problems()).toEqual(['requirements.html is missing.', 'extra/more.json was added.']);
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
    editResults((result) => ({ ...result, verdict: 'fail' }));
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
    editResults((result) =>
      result.id === first?.id
        ? { ...result, exchanges: [{ ...result.exchanges[1], durationMs: 1 }, anExchange({ id: 'new' })] }
        : result,
    );
    expect(problems()).toEqual([
      `${journalFile} was changed.`,
      `The exchange "${first?.id} x0a" is missing.`,
      `The exchange "${first?.id} x0b" was changed.`,
      `The exchange "${first?.id} new" was added.`,
    ]);
  });

  test('exchanges that changed places', () => {
    editResults((result) => ({ ...result, exchanges: result.exchanges.toReversed() }));
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

  test.each([
    ['a signature', (text: string) => text.replace(/"value": "([^"]+)"/, '"value": "$1 "')],
    ['a key', (text: string) => text.replace('KEY-----\\n"', 'KEY-----\\nof the authority"')],
  ])('%s that is written otherwise and means the same', (_, change) => {
    edit(attestationFile, change);
    expect(problems(ed25519.publicKey)).toEqual([expect.stringContaining('is not written as it was')]);
  });

  test('a key next to the signature that is not the one that signed', () => {
    const pem = (key: KeyObject): string =>
      JSON.stringify(key.export({ type: 'spki', format: 'pem' }).toString());
    edit(attestationFile, (text) =>
      text.replace(pem(ed25519.publicKey), pem(generateKeyPairSync('ed25519').publicKey)),
    );
    expect(problems(ed25519.publicKey)).toEqual([expect.stringContaining('another key')]);
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
    expect(() => readAttestationKey(join(root, 'none'))).toThrow('does not exist');
    expect(() => readAttestationKey(file('text', 'hello'))).toThrow('holds no private key');
    expect(() => readAttestationKey(file('ec', privateKey.export(pem)))).toThrow('Ed25519 or RSA');
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export(pem);
    expect(() => readAttestationKey(file('short', short))).toThrow(
      'of 1024 bits, whose signatures others can',
    );
    expect(() => readPublicKey(file('short', short))).toThrow('of 1024 bits');
    const locked = rsa.privateKey.export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'x' });
    expect(() => readAttestationKey(file('locked', locked))).toThrow('encrypted');
    expect(readAttestationKey(file('rsa', rsa.privateKey.export(pem))).asymmetricKeyType).toBe('rsa');
    expect(readPublicKey(file('pub', ed25519.publicKey.export({ type: 'spki', format: 'pem' }))).type).toBe(
      'public',
    );
  });
});
