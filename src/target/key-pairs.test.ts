import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { createTargetFolder } from './target-folder.test.data.ts';

const folder = createTargetFolder();

describe('keys and certificates', () => {
  const withSigning = (lines: string) =>
    folder.writeMinimal('signing.yaml', (text) =>
      text.replace(/ {2}certificate.*\n {2}privateKey.*\n/, lines),
    );

  it('may be encrypted, with the passphrase in a variable', async () => {
    await withSigning(
      '  certificate: qseal.pem\n  privateKey: qseal-encrypted.key\n  passphraseEnv: SECRET\n',
    );
    expect((await folder.load('signing.yaml', {}, { SECRET: folder.passphrase })).identities.main.name).toBe(
      'main',
    );
    expect(await folder.problemsOf('signing.yaml')).toEqual([
      'signing.yaml:8:3 signing.passphraseEnv: The environment variable SECRET is not set.',
    ]);
  });

  it('are not decrypted where that would take hours', async () => {
    // PBKDF2 with two billion rounds (RFC 8018, A.2): 02 04 7fffffff.
    const der =
      '306a305c06092a864886f70d01050d304f302e06092a864886f70d01050c302104083132333435363738' +
      '02047fffffff020120300c06082a864886f70d02090500301d060960864801650304012a0410' +
      `${'00'.repeat(16)}040a${'00'.repeat(10)}`;
    const pem = `-----BEGIN ENCRYPTED PRIVATE KEY-----\\n${Buffer.from(der, 'hex').toString('base64')}\\n-----END ENCRYPTED PRIVATE KEY-----`;
    await withSigning(`  certificate: qseal.pem\n  privateKey: "${pem}"\n  passphrase: secret\n`);
    expect(await folder.problemsOf('signing.yaml')).toEqual([
      expect.stringContaining('signing.privateKey: The signing identity "main" cannot be used. To decrypt'),
    ]);
    await folder.writeMinimal(
      'tls.yaml',
      (text) => `${text}tls: { clientCertificate: qseal.pem, clientKey: "${pem}", passphrase: secret }\n`,
    );
    expect(await folder.problemsOf('tls.yaml')).toEqual([
      expect.stringContaining('tls.clientKey: To decrypt its private key takes too long'),
    ]);
  });

  it('may be encrypted, with the passphrase in our own variable', async () => {
    await withSigning('  certificate: qseal.pem\n  privateKey: qseal-encrypted.key\n');
    const environment = { XS2A_SIGNING_PASSPHRASE: folder.passphrase };
    expect((await folder.load('signing.yaml', {}, environment)).identities.main.name).toBe('main');
    expect(await folder.problemsOf('signing.yaml')).toEqual([
      'signing.yaml:7:3 signing.privateKey: The private key is encrypted. Name the variable that holds its passphrase under signing.passphraseEnv, or set XS2A_SIGNING_PASSPHRASE.',
    ]);
    expect(await folder.problemsOf('signing.yaml', {}, { XS2A_SIGNING_PASSPHRASE: 'wrong' })).toEqual([
      expect.stringContaining('the passphrase may be wrong'),
    ]);
  });

  it('are told apart', async () => {
    await withSigning('  certificate: qseal.key\n  privateKey: qseal.pem\n');
    expect(await folder.problemsOf('signing.yaml')).toEqual([
      expect.stringMatching(
        /signing\.certificate: The certificate cannot be read\. The PEM holds PRIVATE KEY/,
      ),
    ]);
  });

  it('are never repeated in a problem', async () => {
    const key = (await readFile(folder.path('qseal.key'), 'utf8')).split('\n').slice(1, -2).join('');
    await withSigning(`  certificate: minimal.yaml\n  privateKey: ${key}\n`);
    const problems = await folder.problemsOf('signing.yaml');
    expect(problems).toEqual([
      expect.stringContaining('signing.certificate: The file minimal.yaml is not PEM'),
      expect.stringContaining('signing.privateKey: This is neither a path nor PEM text.'),
    ]);
    expect(problems.join()).not.toContain(key.slice(0, 20));
  });

  it.each([
    [
      'expired',
      /signing\.certificate: This certificate expired on \d{4}-\d\d-\d\d\. Give one that is valid now\.$/,
    ],
    ['future', /signing\.certificate: This certificate is not valid before \d{4}-\d\d-\d\d\./],
  ])('must be valid now, not %s', async (name, sentence) => {
    await withSigning(`  certificate: ${name}.pem\n  privateKey: ${name}.key\n`);
    expect(await folder.problemsOf('signing.yaml')).toEqual([expect.stringMatching(sentence)]);
    await withSigning(
      `  certificate: qseal.pem\n  privateKey: qseal.key\n  identities: { expired: { certificate: ${name}.pem, privateKey: ${name}.key } }\n`,
    );
    expect((await folder.load('signing.yaml')).identities.expired).toBeDefined();
  });

  it('make no authority out of an ordinary certificate', async () => {
    await withSigning(
      '  certificate: qseal.pem\n  privateKey: qseal.key\n  testCa: { certificate: qseal.pem, privateKey: qseal.key }\n',
    );
    expect(await folder.problemsOf('signing.yaml')).toEqual([
      expect.stringContaining('not one of an authority'),
    ]);
  });
});
