import { createHash, type KeyObject, randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import {
  createCertificateAuthority,
  subjectWithCommaAndNorwegianLetters,
} from '../signing/certificate-authority.ts';
import type { KeyIdentity } from '../signing/identity.ts';
import { dayMs } from '../spec/days.ts';
import { loadTarget, type TargetOverrides } from './load-target.ts';
import { TargetFileError } from './target-problem.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/targets/', import.meta.url));

/** A folder for the tests of a file: new and empty for each of them, or one for all. */
export function testFolder(lasts: 'one test' | 'all tests' = 'one test'): string {
  const folder = join(tmpdir(), `xs2a-test-${randomUUID()}`);
  const [before, after] = lasts === 'one test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  before(() => void mkdirSync(folder, { mode: 0o700 }));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with the example target files and freshly made keys and certificates for them. */
export function createTargetFolder() {
  const directory = testFolder('all tests');
  const path = (name: string) => join(directory, name);
  const write = async (name: string, text: string) => {
    await writeFile(path(name), text);
    return path(name);
  };
  const copy = async (from: string) =>
    Promise.all(
      (await readdir(from))
        .filter((name) => /\.(yaml|json)$/.test(name))
        .map((name) => copyFile(join(from, name), path(name))),
    );
  const passphrase = createHash('sha256').update(directory).digest('hex');
  const put = async (name: string, { certificate, privateKey }: KeyIdentity) => {
    await write(`${name}.pem`, certificate.x509.toString());
    await write(`${name}.key`, pemOf(privateKey));
    await write(`${name}-encrypted.key`, pemOf(privateKey, passphrase));
  };
  beforeAll(async () => {
    // Small keys: nothing here speaks TLS.
    const [ca, oddCa] = await Promise.all([
      createCertificateAuthority({ modulusLength: 1024 }),
      createCertificateAuthority({ modulusLength: 1024, subject: subjectWithCommaAndNorwegianLetters }),
      copy(fixtures),
      copy(join(fixtures, 'broken')),
    ]);
    await Promise.all([
      write('ca.pem', ca.certificatePem),
      write('ca.key', ca.privateKeyPem),
      ca
        .issueTpp({ name: 'main', commonName: 'Example TPP', authorisationNumber: 'PSDNO-FSA-111111' })
        .then((tpp) => put('qseal', tpp)),
      ca.issueTpp().then((tpp) => put('qwac', tpp)),
      ca.issueTpp({ roles: ['PSP_AI'] }).then((tpp) => put('aisp', tpp)),
      ca.issueTpp().then((tpp) => put('other', tpp)),
      ca
        .issueTpp({ notBefore: daysFromNow(-9), notAfter: daysFromNow(-2) })
        .then((tpp) => put('expired', tpp)),
      ca.issueTpp({ notBefore: daysFromNow(2), notAfter: daysFromNow(9) }).then((tpp) => put('future', tpp)),
      oddCa.issueTpp().then((tpp) => put('odd', tpp)),
    ]);
  });
  const load = (name: string, overrides: TargetOverrides = {}, environment: NodeJS.ProcessEnv = {}) =>
    loadTarget(path(name), overrides, environment);
  return {
    path,
    write,
    /** Writes the smallest target file into the folder, changed. */
    writeMinimal: async (name: string, change: (text: string) => string) =>
      write(name, change(await readFile(path('minimal.yaml'), 'utf8'))),
    load,
    /** What is told of a file that is refused, without what differs from run to run. */
    problemsOf: async (...given: Parameters<typeof load>) =>
      problemsIn(await load(...given).catch((error: unknown) => error), directory),
    passphrase,
  };
}

function problemsIn(error: unknown, directory: string): readonly string[] {
  if (!(error instanceof TargetFileError)) throw new Error('The target file was accepted.', { cause: error });
  return error.problems.map(({ place, path, message }) =>
    `${place} ${path}: ${message}`
      .replaceAll(`${directory}/`, '')
      .replace(/serial number [0-9A-F]+/, 'serial number …'),
  );
}

const daysFromNow = (days: number): Date => new Date(Date.now() + days * dayMs);

function pemOf(key: KeyObject, passphrase?: string): string {
  return key
    .export(
      passphrase === undefined
        ? { type: 'pkcs8', format: 'pem' }
        : { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase },
    )
    .toString();
}
