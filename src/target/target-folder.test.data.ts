import { createHash, type KeyObject } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createCertificateAuthority,
  subjectWithCommaAndNorwegianLetters,
} from '../signing/certificate-authority.ts';
import type { KeyIdentity } from '../signing/identity.ts';
import { dayMs } from '../spec/days.ts';
import { loadTarget, type TargetOverrides } from './load-target.ts';
import type { Target } from './target.ts';
import { TargetFileError } from './target-problem.ts';

const fixtures = fileURLToPath(new URL('../../fixtures/targets/', import.meta.url));

/** A folder with the example target files and freshly made keys and certificates for them. */
export interface TargetFolder {
  readonly path: (name: string) => string;
  /** Writes a target file into the folder. */
  readonly write: (name: string, text: string) => Promise<string>;
  /** Writes the smallest target file into the folder, changed. */
  readonly writeMinimal: (name: string, change: (text: string) => string) => Promise<string>;
  readonly load: (
    name: string,
    overrides?: TargetOverrides,
    environment?: NodeJS.ProcessEnv,
  ) => Promise<Target>;
  /** What is told of a file that is refused, without what differs from run to run. */
  readonly problemsOf: (...given: Parameters<TargetFolder['load']>) => Promise<readonly string[]>;
  readonly passphrase: string;
  readonly remove: () => Promise<void>;
}

export async function createTargetFolder(): Promise<TargetFolder> {
  const directory = await mkdtemp(join(tmpdir(), 'xs2a-target-'));
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
  await Promise.all([copy(fixtures), copy(join(fixtures, 'broken'))]);

  // Small keys: nothing here speaks TLS.
  const [ca, oddCa] = await Promise.all([
    createCertificateAuthority({ modulusLength: 1024 }),
    createCertificateAuthority({ modulusLength: 1024, subject: subjectWithCommaAndNorwegianLetters }),
  ]);
  const passphrase = createHash('sha256').update(directory).digest('hex');
  const put = async (name: string, { certificate, privateKey }: KeyIdentity) => {
    await write(`${name}.pem`, certificate.x509.toString());
    await write(`${name}.key`, pemOf(privateKey));
    await write(`${name}-encrypted.key`, pemOf(privateKey, passphrase));
  };
  await Promise.all([
    write('ca.pem', ca.certificatePem),
    write('ca.key', ca.privateKeyPem),
    ca
      .issueTpp({ name: 'main', commonName: 'Example TPP', authorisationNumber: 'PSDNO-FSA-111111' })
      .then((tpp) => put('qseal', tpp)),
    ca.issueTpp().then((tpp) => put('qwac', tpp)),
    ca.issueTpp({ roles: ['PSP_AI'] }).then((tpp) => put('aisp', tpp)),
    ca.issueTpp().then((tpp) => put('other', tpp)),
    ca.issueTpp({ notBefore: daysFromNow(-9), notAfter: daysFromNow(-2) }).then((tpp) => put('expired', tpp)),
    ca.issueTpp({ notBefore: daysFromNow(2), notAfter: daysFromNow(9) }).then((tpp) => put('future', tpp)),
    oddCa.issueTpp().then((tpp) => put('odd', tpp)),
  ]);
  const load: TargetFolder['load'] = (name, overrides = {}, environment = {}) =>
    loadTarget(path(name), overrides, environment);
  return {
    path,
    write,
    writeMinimal: async (name, change) => write(name, change(await readFile(path('minimal.yaml'), 'utf8'))),
    load,
    problemsOf: async (...given) =>
      problemsIn(await load(...given).catch((error: unknown) => error), directory),
    passphrase,
    remove: () => rm(directory, { recursive: true }),
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
