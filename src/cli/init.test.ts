import { X509Certificate } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { loadTarget } from '../target/load-target.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { interview } from './init.ts';
import { tell } from './run-program.test.data.ts';
import { CommandError } from './terminal.ts';

const folder = testFolder('all tests');

const answers = [
  '--yes',
  '--base-url',
  'https://localhost:8443/psd2',
  '--psu-national-id',
  '01819010001',
  '--accounts-debtor-bban',
  '95360573002',
];

describe('init', () => {
  it('writes a target file that can be used at once, with test keys', async () => {
    const file = join(folder, 'bank', 'target.yaml');
    expect(await tell('init', '--out', file, '--pki', ...answers)).toMatchObject({ exitCode: 0 });
    expect(await readFile(file, 'utf8')).toMatch(/^# yaml-language-server: \$schema=target\.schema\.json\n/);
    const target = await loadTarget(file, {}, {});
    expect(target).toMatchObject({ baseUrl: 'https://localhost:8443/psd2', psu: { sca: 'form' } });
    expect(target.testCa).toBeDefined();
    expect(target.identities.main.certificate.roles).toEqual(['PSP_PI', 'PSP_AI']);
    expect((await stat(join(folder, 'bank', 'pki', 'tpp.key'))).mode & 0o077).toBe(0);
  });

  it('makes an identity with an odd issuer, to be named once the bank trusts its authority', async () => {
    const file = join(folder, 'odd', 'target.yaml');
    await tell('init', '--out', file, '--pki', ...answers);
    const text = await readFile(file, 'utf8');
    expect((await loadTarget(file, {}, {})).identities.oddIssuer).toBeUndefined();
    await writeFile(file, text.replace(/# (identities:)\n {2}# ( {2}oddIssuer)/, '$1\n  $2'));
    const { identities } = await loadTarget(file, {}, {});
    const odd = await identities.oddIssuer?.();
    expect(odd?.certificate.issuer).toMatch(/\\,.*[æøå]/i);
    expect(odd?.certificate.authorisationNumber).toBe(identities.main.certificate.authorisationNumber);
    const authority = new X509Certificate(await readFile(join(folder, 'odd', 'pki', 'odd-ca.pem')));
    expect(odd?.certificate.x509.verify(authority.publicKey)).toBe(true);
  });

  it('never writes over a file unless it is told to', async () => {
    const file = join(folder, 'bank', 'target.yaml');
    const before = await readFile(file, 'utf8');
    expect(await tell('init', '--out', file, '--yes')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--force'),
    });
    expect(
      await tell('init', '--out', join(folder, 'bank', 'other.yaml'), '--pki', ...answers),
    ).toMatchObject({
      exitCode: 2,
    });
    expect(await readFile(file, 'utf8')).toBe(before);
    expect(await tell('init', '--out', file, '--yes', '--force')).toMatchObject({ exitCode: 0 });
    expect(await readFile(file, 'utf8')).not.toBe(before);
  });

  it('says what is still to be filled in, and such a file is refused', async () => {
    const file = join(folder, 'empty.yaml');
    const { out } = await tell('init', '--out', file, '--yes');
    expect(out).toContain('Fill in: baseUrl, environment, signing.certificate, signing.privateKey');
    await expect(loadTarget(file, {}, {})).rejects.toThrow('cannot be used');
    const { err } = await tell('doctor', '--target', file);
    expect(err.match(/^ +Still to be filled in/gm)).toHaveLength(6);
    // An example that looks like somebody's number would be hidden.
    expect(err).not.toContain('redacted');
  });

  it.each([
    [['--base-url', 'https://bank.example/psd2/v1'], '--base-url: This ends in /v1'],
    [['--base-url', 'bank.example'], '--base-url: Give it as https://'],
    [['--psu-national-id', '912345678'], '--psu-national-id: A national identity number has eleven digits.'],
  ])('refuses what the file would be refused for: %s', async (flags, sentence) => {
    expect(await tell('init', '--out', join(folder, 'wrong.yaml'), '--yes', ...flags)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining(sentence),
    });
  });

  it('does not guess whether money moves', async () => {
    const file = join(folder, 'elsewhere.yaml');
    const { out } = await tell('init', '--out', file, '--yes', '--base-url', 'https://bank.example');
    expect(out).toMatch(/Fill in: .*environment/);
    await tell('init', '--out', file, '--yes', '--force', '--environment', 'production');
    expect(await readFile(file, 'utf8')).toMatch(/^environment: production$/m);
  });

  it('says where it cannot write', async () => {
    const { exitCode, err } = await tell('init', '--out', join(folder, 'empty.yaml', 'target.yaml'), '--yes');
    expect({ exitCode, err }).toEqual({
      exitCode: 2,
      err: expect.stringMatching(/cannot be written \(E\w+\)/),
    });
  });
});

describe('an interview', () => {
  it('takes the default for an empty answer, and asks again until the answer will do', async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const talk = interview(input, output);
    const isDigits = (answer: string) => (/^\d+$/.test(answer) ? undefined : 'Digits, please.');
    const name = talk.ask({ text: 'Name', fallback: 'bank' });
    input.write('\n');
    expect(await name).toBe('bank');
    const account = talk.ask({ text: 'Account', problemWith: isDigits });
    input.write('letters\n');
    await vi.waitFor(() => expect(String(output.read())).toContain('Digits, please.'));
    input.write('123\n');
    expect(await account).toBe('123');
    talk.close();
  });

  it('ends the command when the input ends', async () => {
    const input = new PassThrough();
    const talk = interview(input, new PassThrough());
    const answer = talk.ask({ text: 'Name' });
    input.end();
    await expect(answer).rejects.toBeInstanceOf(CommandError);
  });
});
