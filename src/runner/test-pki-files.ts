import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { privateKeyPem } from '../signing/rsa-key.ts';
import { createTestPki } from '../signing/test-pki.ts';

export const testPkiFiles = {
  ca: 'ca.pem',
  caKey: 'ca.key',
  tpp: 'tpp.pem',
  tppKey: 'tpp.key',
} as const;

/** Makes an authority and a TPP with both roles, for a sandbox that is told to trust the authority. */
export async function writeTestPki(dir: string): Promise<void> {
  const { ca, tpp } = await createTestPki();
  await mkdir(dir, { recursive: true });
  const write = (name: string, text: string): Promise<void> =>
    writeFile(join(dir, name), text, name.endsWith('.key') ? { mode: 0o600 } : {});
  await Promise.all([
    write(testPkiFiles.ca, ca.certificatePem),
    write(testPkiFiles.caKey, ca.privateKeyPem),
    write(testPkiFiles.tpp, tpp.certificate.x509.toString()),
    write(testPkiFiles.tppKey, privateKeyPem(tpp.privateKey)),
  ]);
}
