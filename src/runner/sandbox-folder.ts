import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Document, isMap, isScalar } from 'yaml';
import { makeFolder, writeNamed, writePem } from '../report/write-files.ts';
import { loadCertificateAuthority } from '../signing/certificate-authority.ts';
import { readIdentity } from '../signing/identity.ts';
import { privateKeyPem } from '../signing/signature.ts';
import { dayMs } from '../spec/days.ts';
import { readBounded } from '../target/bounded-file.ts';
import { createSandboxPki, type SandboxPki } from './sandbox-pki.ts';

/** The accounts and customers of the sandbox that a TPP can use for every journey. */
export const certificationCustomers = {
  private: '01819010001',
  corporate: '05829210160',
  debtor: { bban: '95360573002', iban: 'NO0995360573002', currency: 'NOK' },
  corporateDebtor: { bban: '95360576346', currency: 'NOK' },
  card: { identification: '95379010017', currency: 'NOK' },
} as const;

/** What stands in for an identity that the TPP brings along. */
const ownIdentity = { certificate: '/path/to/your-tpp.pem', privateKey: '/path/to/your-tpp.key' } as const;

/**
 * A target file for the TPP that is certified. Nobody has passed SCA yet: that is the TPP's business. Where the TPP brings
 * its own identity, there is only the file with the bank's authority.
 */
export const describeCertification = (baseUrl: string, keys: SandboxPki | string) => ({
  name: 'Reference bank, certification',
  baseUrl,
  environment: 'sandbox',
  tls: { ca: typeof keys === 'string' ? keys : keys.ca.certificatePem },
  signing:
    typeof keys === 'string'
      ? ownIdentity
      : {
          certificate: keys.tpp.certificate.x509.toString(),
          privateKey: privateKeyPem(keys.tpp.privateKey),
        },
  psu: {
    sca: 'form',
    nationalId: certificationCustomers.private,
    corporate: { nationalId: certificationCustomers.corporate },
  },
  accounts: { debtor: certificationCustomers.debtor, card: certificationCustomers.card },
});

/** What a TPP needs of the reference bank, as files: authority, identity, and a target file that names them. */
export const sandboxFiles = {
  ca: 'ca.pem',
  caKey: 'ca.key',
  tpp: 'tpp.pem',
  tppKey: 'tpp.key',
  oddAuthority: 'odd-ca.pem',
  oddIssuer: 'odd-issuer.pem',
  target: 'target.yaml',
} as const;

const { target: targetName, ...keyFiles } = sandboxFiles;

/** The commands that write a target file. */
type Writer = 'serve' | 'certify-tpp';

const markOf = (writer: Writer): string =>
  `# Written by the command ${writer}, anew at every start. Copy it to change it.`;
const marks: readonly string[] = [markOf('serve'), markOf('certify-tpp')];

/** Files that stand where the sandbox wants to write, and are not its own. */
export class SandboxFolderError extends Error {
  override readonly name = 'SandboxFolderError';
}

/** The keys that an earlier start has left in the folder, so that a TPP need not be set up anew; else new ones. */
export async function sandboxPkiIn(dir: string): Promise<SandboxPki> {
  refuseForeignFiles(dir);
  const kept = existsSync(join(dir, keyFiles.ca)) ? readPki(dir) : undefined;
  if (kept !== undefined && isValidTomorrow(kept)) return kept;
  // First: where it cannot be made, nobody needs to wait for keys to be told so.
  makeFolder(dir);
  const made = await createSandboxPki();
  for (const [pem, name] of pemFiles(made)) writePem(join(dir, name), pem);
  return made;
}

/** Writes the target file, with the names of files where the description has their PEM text. */
export async function writeSandboxTarget(
  dir: string,
  description: object,
  pki: SandboxPki | undefined,
  schema: string,
  writer: Writer = 'serve',
): Promise<string> {
  const nameOf = new Map(pki === undefined ? [] : pemFiles(pki));
  const data: unknown = JSON.parse(JSON.stringify(description), (_, value: unknown) =>
    typeof value === 'string' ? (nameOf.get(value) ?? value) : value,
  );
  const path = join(dir, targetName);
  writeNamed(
    path,
    `# yaml-language-server: $schema=${schema}\n${markOf(writer)}\n${yamlOf(data, pki === undefined ? { signing: ownIdentityRemark } : {})}`,
  );
  return path;
}

const remarks: Readonly<Record<string, string>> = {
  tls: ' The authority of the bank’s server certificate.',
  signing: ' The TPP that the bank knows. Its authority mints further identities for checks.',
  psu: ' Every run passes SCA as this customer, in the same session.',
  payments: ' Payments in states that a TPP cannot bring about.',
  limits: ' The calls of a day without the PSU present come back when the bank is started again.',
  sandbox: ' As the bank starts. Leave initialDataSet out once you have created customers or accounts.',
};

const ownIdentityRemark =
  ' Your TPP brings its own certificate and key: say where they stand, outside of this folder.';

function yamlOf(data: unknown, others: Readonly<Record<string, string>>): string {
  const document = new Document(data);
  if (isMap(document.contents)) {
    for (const { key } of document.contents.items) {
      if (!isScalar(key)) continue;
      const remark = { ...remarks, ...others }[String(key.value)];
      if (remark !== undefined) key.commentBefore = remark;
    }
  }
  return document.toString({ lineWidth: 0 });
}

function pemFiles({
  ca,
  tpp,
  oddAuthority,
  oddIssuer,
}: SandboxPki): readonly (readonly [pem: string, name: string])[] {
  return [
    [ca.certificatePem, keyFiles.ca],
    [ca.privateKeyPem, keyFiles.caKey],
    [tpp.certificate.x509.toString(), keyFiles.tpp],
    [privateKeyPem(tpp.privateKey), keyFiles.tppKey],
    [oddAuthority, keyFiles.oddAuthority],
    [oddIssuer.certificate.x509.toString(), keyFiles.oddIssuer],
  ];
}

function readPki(dir: string): SandboxPki {
  const read = (name: string): string => readBounded(join(dir, name)).toString('utf8');
  try {
    const tppKey = read(keyFiles.tppKey);
    return {
      ca: loadCertificateAuthority(read(keyFiles.ca), read(keyFiles.caKey)),
      tpp: readIdentity('Test TPP', read(keyFiles.tpp), tppKey),
      oddAuthority: read(keyFiles.oddAuthority),
      oddIssuer: readIdentity('Test TPP', read(keyFiles.oddIssuer), tppKey),
    };
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new SandboxFolderError(
      `The keys in ${dir} cannot be used: ${said}\nRemove the folder, or name another with --out.`,
      { cause },
    );
  }
}

function isValidTomorrow({ tpp }: SandboxPki): boolean {
  return tpp.certificate.notAfter.getTime() > Date.now() + dayMs;
}

/** What it says; nothing where it cannot be read. */
function textIn(file: string): string {
  try {
    return readBounded(file).toString('utf8');
  } catch {
    return '';
  }
}

/** All of our files or none: anything between is somebody else's `ca.pem`. */
function refuseForeignFiles(dir: string): void {
  const present = Object.values(keyFiles).filter((name) => existsSync(join(dir, name)));
  const target = join(dir, targetName);
  // A folder of that name is not ours either.
  const text = existsSync(target) ? textIn(target) : undefined;
  const isForeign = text !== undefined && !marks.some((mark) => text.includes(mark));
  if ((present.length === 0 || present.length === Object.keys(keyFiles).length) && !isForeign) return;
  const names = [...present, ...(isForeign ? [targetName] : [])].join(', ');
  throw new SandboxFolderError(
    `${dir} holds files that the command serve did not write: ${names}. Name another folder with --out.`,
  );
}
