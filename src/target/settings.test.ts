import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { loadTarget } from './load-target.ts';
import { settings } from './settings.ts';
import { createTargetFolder } from './target-folder.test.data.ts';

describe('settings', () => {
  it('have names that follow from their keys', () => {
    const named = Object.fromEntries(
      settings.map(({ key, variable, flag, kind }) => [key, [variable, flag, kind]]),
    );
    expect(named).toMatchObject({
      baseUrl: ['XS2A_BASE_URL', '--base-url', 'text'],
      'signing.privateKey': ['XS2A_SIGNING_PRIVATE_KEY', '--signing-private-key', 'text'],
      'signing.passphrase': ['XS2A_SIGNING_PASSPHRASE', '--signing-passphrase', 'text'],
      'psu.sessionId': ['XS2A_PSU_SESSION_ID', '--psu-session-id', 'text'],
      'pace.requestsPerSecond': ['XS2A_PACE_REQUESTS_PER_SECOND', '--pace-requests-per-second', 'number'],
      'tls.insecure': ['XS2A_TLS_INSECURE', '--tls-insecure', 'boolean'],
    });
  });

  it('are all described by the schema, and all prefixed', () => {
    expect(settings.filter(({ description }) => description === '')).toEqual([]);
    expect(settings.filter(({ variable }) => !variable.startsWith('XS2A_'))).toEqual([]);
  });
});

const folder = createTargetFolder();

describe('flags and variables', () => {
  it('come before the file, flags first', async () => {
    const environment = {
      XS2A_BASE_URL: 'https://variable.example',
      XS2A_PSU_SESSION_ID: 's-2',
      BASE_URL: '/',
    };
    expect(await folder.load('minimal.yaml', {}, environment)).toMatchObject({
      baseUrl: 'https://variable.example',
      psu: { sessionId: 's-2' },
    });
    expect(
      await folder.load('minimal.yaml', { baseUrl: 'https://flag.example/' }, environment),
    ).toMatchObject({
      baseUrl: 'https://flag.example',
    });
  });

  it('are read as what the key wants', async () => {
    const environment = {
      XS2A_PACE_CONCURRENCY: '4',
      XS2A_PACE_REQUESTS_PER_SECOND: '0',
      XS2A_TLS_INSECURE: 'true',
    };
    const { pace, tls } = await folder.load('minimal.yaml', {}, environment);
    expect(pace).toEqual({ concurrency: 4, timeoutMs: 10_000, retries: 5, outageSeconds: 60 });
    expect(tls.insecure).toBe(true);
  });

  it('count as absent when empty', async () => {
    expect((await folder.load('minimal.yaml', {}, { XS2A_BASE_URL: '' })).baseUrl).toBe(
      'https://sandbox.example/psd2',
    );
  });

  it('are named in problems', async () => {
    expect(
      await folder.problemsOf(
        'minimal.yaml',
        { 'signing.privateKey': 'nowhere.key' },
        { XS2A_PSU_SCA: 'forms' },
      ),
    ).toEqual([
      'XS2A_PSU_SCA psu.sca: The value "forms" is not known. Did you mean "form"? Known here: session, form, manual, module.',
      expect.stringMatching(
        /^--signing-private-key signing\.privateKey: The file nowhere\.key does not exist\./,
      ),
    ]);
  });

  it('describe a target without a file, with keys as text', async () => {
    const [certificate, privateKey] = await Promise.all(
      ['qseal.pem', 'qseal.key'].map((name) => readFile(folder.path(name), 'utf8')),
    );
    const variables = {
      XS2A_BASE_URL: 'https://sandbox.example',
      XS2A_ENVIRONMENT: 'sandbox',
      XS2A_SIGNING_CERTIFICATE: certificate,
      XS2A_SIGNING_PRIVATE_KEY: privateKey?.replaceAll('\n', '\\n'),
      XS2A_PSU_ID: 'id',
      XS2A_PSU_SESSION_ID: 's-1',
      XS2A_ACCOUNTS_DEBTOR_BBAN: '95360573002',
    };
    const target = await loadTarget(undefined, { environment: 'sandbox' }, variables);
    expect(target.accounts.debtor.iban).toBe('NO0995360573002');
    expect(target.mayCreatePayments).toBe(true);
    // A variable that is left over from another target does not say what this one is.
    expect(await loadTarget(undefined, {}, variables)).toMatchObject({
      environment: 'unstated',
      mayCreatePayments: false,
      whyUnstated: expect.stringMatching(/--environment sandbox.* XS2A_ENVIRONMENT does not say it/),
    });
  });

  it('say how to go on where much is missing and there is no file', async () => {
    await expect(loadTarget(undefined, {}, { XS2A_BASE_URL: 'https://sandbox.example' })).rejects.toThrow(
      /write a target file with xs2a-conformance init and name it with --target\.$/,
    );
  });

  it('name the target file', async () => {
    expect((await loadTarget(undefined, {}, { XS2A_TARGET: folder.path('minimal.yaml') })).name).toBe(
      'sandbox.example',
    );
  });
});
