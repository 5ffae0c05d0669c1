import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { recordingFile } from '../certification/recording.ts';
import type { CheckResult, RunHeader } from '../checks/verdict.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { attestOtherwise, editEnvelope, editStatement } from './attestation.test.data.ts';
import { type Attestation, attestationFile, sha256, writeAttestation } from './attestation.ts';
import { isSigned } from './attested-run.ts';
import { journalFile, writeJournal } from './journal.ts';
import { unpackRun } from './run-archive.ts';
import { keyFingerprintOf, publicPem, readAttestationKey, readPublicKey } from './signed-envelope.ts';
import { anExchange, aRun, someRequirements } from './synthetic-run.test.data.ts';
import { verifyAttestation } from './verify-attestation.ts';
import { writeReports } from './write-reports.ts';

const ed25519 = generateKeyPairSync('ed25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const keys = {
  Ed25519: ed25519,
  RSA: rsa,
  'ECDSA P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  'ECDSA P-384': generateKeyPairSync('ec', { namedCurve: 'P-384' }),
} as const;

const fingerprints = { 'TLS of the bank': Array(32).fill('AB').join(':'), 'signature of the TPP': 'CD' };
const root = testFolder();
const dir = join(root, 'run');
beforeEach(async () => {
  const run = aRun({ header: { fingerprints } });
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
const attested = () => writeAttestation(dir, someRequirements, { key: ed25519.privateKey });
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
    const attestation = attested();
    expect(attestation).toMatchObject({
      side: 'bank',
      verdict: 'conformant',
      fingerprints,
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

  test.each(Object.entries(keys))(
    'is an in-toto statement in a DSSE envelope, whose signature with %s openssl verifies',
    (kind, { privateKey, publicKey }) => {
      const deployed = { 'registry.example/bank:1.4': sha256('image') };
      writeAttestation(dir, someRequirements, { key: privateKey, deployed });
      const { payload, payloadType, signatures } = JSON.parse(
        readFileSync(join(dir, attestationFile), 'utf8'),
      );
      expect(payloadType).toBe('application/vnd.in-toto+json');
      expect(signatures).toEqual([{ keyid: keyFingerprintOf(publicKey), sig: expect.any(String) }]);
      const put = (name: string, content: string | Buffer, flag = 'w') =>
        writeFileSync(join(root, name), content, { flag });
      const body = Buffer.from(payload, 'base64');
      put('pae', `DSSEv1 28 application/vnd.in-toto+json ${body.length} `);
      put('pae', body, 'a');
      put('sig', Buffer.from(signatures[0].sig, 'base64'));
      put('pub', publicPem(publicKey));
      const command =
        kind === 'Ed25519'
          ? 'pkeyutl -verify -pubin -inkey pub -rawin -in pae -sigfile sig'
          : `dgst -sha${kind.endsWith('384') ? 384 : 256} -verify pub -signature sig pae`;
      const told = execFileSync('openssl', command.split(' '), { cwd: root, encoding: 'utf8' });
      expect(told).toContain('Verified');

      const { subject, ...statement } = JSON.parse(body.toString('utf8'));
      expect(statement).toMatchObject({
        _type: 'https://in-toto.io/Statement/v1',
        predicateType: expect.stringMatching(/^https:.*\/v6$/),
        predicate: { verdict: 'conformant', deployed },
      });
      const journal = sha256(readFileSync(join(dir, journalFile)));
      expect(subject.slice(0, 2)).toEqual([
        { name: 'registry.example/bank:1.4', digest: { sha256: sha256('image') } },
        { name: 'TLS of the bank', digest: { sha256: 'ab'.repeat(32) } },
      ]);
      expect(subject).toContainEqual({ name: journalFile, digest: { sha256: journal } });
      expect(verify(publicKey)).toMatchObject({ problems: [], signature: 'key', attestation: { deployed } });
    },
  );

  test('tells what the pages told before it was written: the same statement, and the same key', async () => {
    const keyFingerprint = keyFingerprintOf(ed25519.privateKey);
    const attestation = { key: ed25519.privateKey };
    await writeReports(dir, { requirements: someRequirements, html: false, attestation });
    const { statement } = attested();
    expect(verify()).toMatchObject({ problems: [], keyFingerprint });
    for (const page of ['requirements.html', 'certificate.html'])
      expect(readFileSync(join(dir, page), 'utf8')).toContain(
        `signed with the key SHA-256 ${keyFingerprint}; statement SHA-256 ${statement}`,
      );
  });

  test('is signed or not, and says so', () => {
    attested();
    expect(isSigned(dir)).toBe(true);
    writeAttestation(dir, someRequirements);
    expect(verify()).toMatchObject({ problems: [], signature: 'none' });
    expect(isSigned(dir)).toBe(false);
    expect(problems(rsa.publicKey)).toEqual([expect.stringContaining('is not signed')]);
    attested();
    editEnvelope(dir, (text) => text.replace(/\[[^\]]*\]/, '[]'));
    expect(problems()).toEqual([expect.stringContaining('taken out')]);
  });

  test('does not hold for another key, of whatever kind', () => {
    attested();
    for (const { publicKey } of [rsa, keys['ECDSA P-256'], generateKeyPairSync('ed25519')])
      expect(problems(publicKey)).toEqual([expect.stringContaining('signed with another key')]);
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
    const attestation = await attest();
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
    const attestation = await attest();
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
    const attestation = await attest();
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
    expect((await attest()).runs).toBe(1);
    expect(verify().notCertified).toContain('each property got 1 case,');
  });

  test('cannot be made of a part by signing other words', async () => {
    rewriteHeader({ selection: '--only DIG' });
    await attest();
    const change = ({ selection: _, ...rest }: Attestation): Attestation => {
      const profiles = Object.fromEntries(
        Object.entries(rest.profiles).map(([id, profile]) => [
          id,
          { ...profile, verdict: 'conformant' as const },
        ]),
      );
      return { ...rest, verdict: 'conformant', extent: 'whole', profiles };
    };
    attestOtherwise(dir, change, ed25519.privateKey);
    expect(problems(ed25519.publicKey).slice(0, 4)).toEqual([
      'The attestation says selection nothing, the journal --only DIG.',
      'The attestation says verdict conformant, the journal partial.',
      'The attestation says extent whole, the journal part.',
      expect.stringContaining('says profiles {"core":{"verdict":"conformant",'),
    ]);
  });

  test('is not of another bank, another time or with less left out than the journal tells, whoever signed it', async () => {
    await attest();
    attestOtherwise(dir, (attestation) => ({
      ...attestation,
      subject: { ...attestation.subject, name: 'Another bank' },
      seed: attestation.seed + 1,
      startedAt: '2027-01-01T00:00:00.000Z',
      notBinding: { 'AMT-99': 'It was never asked.' },
    }));
    expect(problems()).toEqual([
      expect.stringContaining('"name":"Another bank"}, the journal {'),
      expect.stringMatching(/^The attestation says seed \d+, the journal \d+\.$/),
      expect.stringContaining('says startedAt 2027-01-01T00:00:00.000Z, the journal 2026'),
      expect.stringContaining('says notBinding ["AMT-99"], the journal ['),
    ]);
  });
});

test('an attestation of a file that is none of a run is told, whoever has signed it', () => {
  writeAttestation(dir, someRequirements);
  writeFileSync(join(dir, 'letter.html'), '<h1>Certified by all</h1>');
  const hash = sha256('<h1>Certified by all</h1>');
  attestOtherwise(dir, ({ files, ...rest }) => ({ ...rest, files: { ...files, 'letter.html': hash } }));
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
        'The attestation says verdict conformant, the journal non-conformant.',
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
    ['a signature', (text: string) => text.replace(/"sig": "([^"]+)"/, '"sig": "$1 "')],
    ['the name of its key', (text: string) => text.replace('"keyid": "', '"keyid": "0')],
    ['a payload', (text: string) => text.replace(/"payload": "([^"]+)"/, '"payload": "$1 "')],
  ])('%s that is written otherwise and means the same', (_, change) => {
    editEnvelope(dir, change);
    expect(problems(ed25519.publicKey)).toEqual([expect.stringContaining('is not written as it was')]);
  });

  test('a key in the statement that is not the one that signed', () => {
    const other = generateKeyPairSync('ed25519').publicKey;
    const pem = (key: KeyObject): string => JSON.stringify(publicPem(key));
    editStatement(dir, (text) => text.replace(pem(ed25519.publicKey), pem(other)));
    expect(problems(ed25519.publicKey).at(-1)).toContain('another key');
    expect(problems(other).at(-1)).toContain('does not hold');
  });

  test('the attestation itself, also where its own hash was fixed and somebody else has signed', () => {
    editStatement(dir, (text) => text.replaceAll('"conformant"', '"incomplete"'));
    expect(problems()).toEqual(
      expect.arrayContaining([
        `${attestationFile} itself was changed.`,
        expect.stringContaining('does not hold'),
        expect.stringContaining('summary.json says conformant'),
      ]),
    );
    attestOtherwise(dir, (attestation) => attestation, generateKeyPairSync('ed25519').privateKey);
    expect(problems(ed25519.publicKey)).toContainEqual(expect.stringContaining('another key'));
  });
});

describe.each([4, 5])('an attestation of format %d', (format) => {
  const file = 'attestation.json';
  beforeEach(() => {
    rmSync(dir, { recursive: true });
    unpackRun(join(import.meta.dirname, `../../fixtures/attested/format-${format}.tar.gz`), dir);
  });

  test('is verified as before, by the key that it names', () => {
    const { keyFingerprint, ...told } = verify();
    expect(told).toMatchObject({
      problems: [],
      signature: 'embedded',
      attestation: { format, attestedFrom: format === 4 ? 'not told' : 'run' },
    });
    expect(told).not.toHaveProperty('notCertified');
    const { publicKey } = JSON.parse(readFileSync(join(dir, file), 'utf8')).seal.signature;
    writeFileSync(join(root, 'pub'), publicKey);
    const key = readPublicKey(join(root, 'pub'));
    expect(verify(key)).toMatchObject({ problems: [], signature: 'key', keyFingerprint });
    expect(problems(ed25519.publicKey)).toEqual([
      `${file} was signed with another key than the one that was given.`,
    ]);
  });

  test.each<[string, (text: string) => string, string]>([
    ['another seed', (text) => text.replace('"seed": 7', '"seed": 8'), 'itself was changed'],
    ['another signature', (text) => text.replace(/"value": "./, '"value": "!'), 'does not hold'],
    ['another algorithm', (text) => text.replace(/"algorithm": "/, '$&x'), 'is not written as it was'],
    ['another key', (text) => text.replace('KEY-----\\n"', 'KEY-----\\nof us"'), 'is not written as it was'],
    [
      'a member twice',
      (text) => text.replace('"verdict"', '"verdict": "x", "verdict"'),
      'is not written as it was',
    ],
    ['more than was sealed', (text) => text.replace('"seal"', '"by": "us", "seal"'), 'something was added'],
    ['no signature', (text) => text.replace(/,\s+"signature": \{[^}]+\}/, ''), 'is not signed'],
  ])('is found changed with %s', (_, change, told) => {
    const { publicKey } = JSON.parse(readFileSync(join(dir, file), 'utf8')).seal.signature;
    edit(file, change);
    writeFileSync(join(root, 'pub'), publicKey);
    expect(problems(readPublicKey(join(root, 'pub')))).toContainEqual(expect.stringContaining(told));
  });

  test('gives way to one of this version, and is told where it stays next to it', () => {
    const before = readFileSync(join(dir, file));
    attested();
    expect(problems()).toEqual([]);
    writeFileSync(join(dir, file), before);
    expect(problems()).toEqual([`${file} was added.`]);
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
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-521' });
    expect(() => readAttestationKey(join(root, 'none'))).toThrow('does not exist');
    expect(() => readAttestationKey(file('text', 'hello'))).toThrow('holds no private key');
    expect(() => readAttestationKey(file('ec', privateKey.export(pem)))).toThrow(
      'of type secp521r1. Give an Ed25519, ECDSA',
    );
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
