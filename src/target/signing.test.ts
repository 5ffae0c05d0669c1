import { copyFile, readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { signText, verifyText } from '../signing/signature.ts';
import { loadTarget } from './load-target.ts';
import type { Target } from './target.ts';
import { createTargetFolder } from './target-folder.test.data.ts';
import { TargetFileError } from './target-problem.ts';

/** Signs standard input with the key file that it is given, as `openssl dgst -sign` does. */
const signOnce = `import { readFileSync, writeSync } from 'node:fs';
import { sign } from 'node:crypto';
const [hash, key] = process.argv.slice(2);
writeSync(1, sign(hash, readFileSync(0), readFileSync(key)));
`;

/** Signs line by line for as long as it is asked to. */
const signLines = `import { readFileSync } from 'node:fs';
import { sign } from 'node:crypto';
import { createInterface } from 'node:readline';
const key = readFileSync(process.argv[2]);
for await (const line of createInterface({ input: process.stdin }))
  console.log(sign('sha256', Buffer.from(line, 'base64'), key).toString('base64'));
`;

const node = process.execPath;
const folder = createTargetFolder();
let minimal: string;
beforeAll(async () => {
  minimal = await readFile(folder.path('minimal.yaml'), 'utf8');
  await folder.write('sign-once.mjs', signOnce);
  await folder.write('sign-lines.mjs', signLines);
});

const ofFiles = / {2}certificate.*\n {2}privateKey.*\n/;

async function withSigning(lines: string): Promise<Target> {
  const text = minimal.replace(ofFiles, lines);
  return loadTarget(await folder.write('signing.yaml', text), {}, {});
}

async function problemOf(lines: string): Promise<string> {
  const reason = await withSigning(lines).then(
    () => new Error('accepted'),
    (error: unknown) => error,
  );
  if (!(reason instanceof TargetFileError)) throw reason;
  return reason.problems.map(({ path, message }) => `${path}: ${message}`).join('\n');
}

const command = (...parts: readonly string[]): string =>
  `  certificate: qseal.pem\n  command: ${JSON.stringify(parts)}\n`;

async function signs(
  { identities }: Target,
  text: string,
  hash: 'sha256' | 'sha1' = 'sha256',
): Promise<boolean> {
  const { main } = identities;
  return verifyText(text, await signText(text, main, hash), main.certificate.publicKey);
}

describe('a key that stays with a program', () => {
  it('signs through it, many at once, with paths from the target file on', async () => {
    const target = await withSigning(command(node, 'sign-once.mjs', 'sha256', 'qseal.key'));
    const texts = Array.from({ length: 10 }, (_, index) => `date: ${index}`);
    expect(await Promise.all(texts.map((text) => signs(target, text)))).toEqual(texts.map(() => true));
    expect(target.identities.main.hashes).toEqual(['sha256']);
  });

  it('signs with other hashes where the command has a place for them', async () => {
    const target = await withSigning(command(node, 'sign-once.mjs', '{hash}', 'qseal.key'));
    expect(target.identities.main.hashes).toContain('sha512');
    expect(await signs(target, 'text')).toBe(true);
    expect(await signs(target, 'text', 'sha1')).toBe(false);
  });

  it('keeps a program that signs line by line', async () => {
    const target = await withSigning(`${command(node, 'sign-lines.mjs', 'qseal.key')}  keepAlive: true\n`);
    const texts = Array.from({ length: 20 }, (_, index) => `date: ${index}`);
    expect(await Promise.all(texts.map((text) => signs(target, text)))).toEqual(texts.map(() => true));
  });

  it('tries a program again that fails now and then', async () => {
    await folder.write(
      'sign-sometimes.mjs',
      `import { existsSync, rmSync, writeFileSync } from 'node:fs';
if (!existsSync('tried')) { writeFileSync('tried', ''); process.exit(1); }
rmSync('tried');
await import('./sign-once.mjs');
`,
    );
    const target = await withSigning(command(node, 'sign-sometimes.mjs', 'sha256', 'qseal.key'));
    expect(await signs(target, 'text')).toBe(true);
  });

  it('asks a device that takes one at a time no longer for several at once', async () => {
    await folder.write(
      'sign-alone.mjs',
      `import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
try { mkdirSync('in-use'); } catch { process.exit(1); }
if (existsSync('be-slow')) { rmSync('be-slow'); await sleep(2000); }
await import('./sign-once.mjs');
rmdirSync('in-use');
`,
    );
    const target = await withSigning(command(node, 'sign-alone.mjs', 'sha256', 'qseal.key'));
    await folder.write('be-slow', '');
    const texts = Array.from({ length: 5 }, (_, index) => `date: ${index}`);
    expect(await Promise.all(texts.map((text) => signs(target, text)))).toEqual(texts.map(() => true));
  });

  it('vouches for itself and for others with the same key', async () => {
    const { identities } = await withSigning(command(node, 'sign-once.mjs', '{hash}', 'qseal.key'));
    const own = identities.main.certificate.publicKey;
    const { certificate } = await identities.selfSigned();
    expect(certificate.x509.verify(own)).toBe(true);
    expect((await identities.issuedByTpp()).certificate.x509.verify(own)).toBe(true);
  });

  it.each([
    [
      'is not there',
      ['no-such-program'],
      'The program no-such-program does not exist, or is not on the PATH.',
    ],
    [
      'holds another key',
      [node, 'sign-once.mjs', 'sha256', 'other.key'],
      'What this program signs does not verify with signing.certificate',
    ],
    ['uses another hash', [node, 'sign-once.mjs', 'sha512', 'qseal.key'], 'another hash than SHA-256'],
    ['fails', [node, '-e', 'process.exit(3)'], 'ended with exit code 3 instead of signing. Try it by hand.'],
    [
      'prints Base64',
      [node, '-e', 'console.log("A".repeat(200))'],
      'answered with 201 bytes where a signature of 128 was expected. They look like Base64',
    ],
    [
      'never ends to talk',
      [node, '-e', 'for (;;) console.log("A".repeat(9999))'],
      'prints more than a signature.',
    ],
  ])('is told about when it %s', async (_, parts, message) => {
    const problem = await problemOf(command(...parts));
    expect(problem).toMatch(/^signing\.command: /);
    expect(problem).toContain(message);
  });

  it('never shows its arguments, which may hold a PIN', async () => {
    expect(await problemOf(command(node, '-e', 'process.exit(1)', 'pin-value=123456'))).not.toContain(
      '123456',
    );
  });

  it('is announced before it runs, with the files that it is given', async () => {
    const told: string[] = [];
    await folder.write('evil.mjs', 'process.exit(1)');
    const lines = command('node', '--no-warnings', 'evil.mjs', '123456');
    const file = await folder.writeMinimal('announced.yaml', (text) => text.replace(ofFiles, lines));
    const hear = (sentence: string) => void told.push(sentence.replaceAll(`${folder.path('')}/`, ''));
    await expect(loadTarget(file, {}, {}, hear)).rejects.toThrow();
    expect(told).toEqual([
      'announced.yaml:7:3: this program signs, and is run now: node --no-warnings evil.mjs …',
    ]);
    told.length = 0;
    const script = { 'psu.sca': 'module', 'psu.module': folder.path('evil.mjs') } as const;
    await loadTarget(folder.path('minimal.yaml'), script, {}, hear);
    expect(told).toEqual(['--psu-module: this script passes SCA, and is loaded for it: evil.mjs']);
  });

  it('takes no key of a file next to it', async () => {
    expect(await problemOf(`${command('sign-it')}  privateKey: qseal.key\n`)).toContain(
      'leave privateKey and pkcs12 out',
    );
  });
});

describe('a PKCS #12 file', () => {
  const vector = new URL('../../fixtures/vectors/keys/tpp.p12', import.meta.url);
  beforeAll(() => copyFile(vector, folder.path('tpp.p12')));

  it('stands for certificate and key', async () => {
    const target = await withSigning('  pkcs12: tpp.p12\n  passphrase: vector\n');
    expect(await signs(target, 'text')).toBe(true);
  });

  it.each([
    [
      'passphrase: other',
      'signing.pkcs12: Its passphrase is another one. Name the variable that holds its passphrase',
    ],
    [
      'passphraseEnv: horseBattery7',
      'signing.passphraseEnv: No environment variable of this name is set. Give the name of the variable that holds the passphrase, such as QSEAL_PASSPHRASE.',
    ],
    ['passphraseEnv: NOWHERE', 'signing.passphraseEnv: The environment variable NOWHERE is not set.'],
    [
      'passphrase: vector\n  privateKey: qseal.key',
      'Give certificate and privateKey, or a pkcs12 file that holds both.',
    ],
  ])('is told about: %s', async (line, message) => {
    expect(await problemOf(`  pkcs12: tpp.p12\n  ${line}\n`)).toContain(message);
  });

  it('is looked for next to the target file', async () => {
    expect(await problemOf('  pkcs12: none.p12\n')).toContain('The file none.p12 does not exist.');
  });
});

it('names what is missing of the way to sign that is nearest', async () => {
  expect(await problemOf('  certificate: qseal.pem\n')).toMatch(/^signing\.privateKey: This is missing\./);
  expect(await problemOf(`  command: ["sign-it"]\n`)).toMatch(/^signing\.certificate: This is missing\./);
});
