import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { defaultPaths } from './paths.ts';
import { createTargetFolder } from './target-folder.test.data.ts';
import { TargetFileError } from './target-problem.ts';

const folder = createTargetFolder();
const { load, problemsOf } = folder;

describe('a file that is odd', () => {
  const minimal = (change: (text: string) => string) => folder.writeMinimal('odd.yaml', change);

  it('may be JSON indented with tabs', async () => {
    const json: unknown = JSON.parse(await readFile(folder.path('minimal.json'), 'utf8'));
    await folder.write('tabs.json', JSON.stringify(json, null, '\t'));
    expect((await load('tabs.json')).name).toBe('sandbox.example');
  });

  it('may have keys with nothing behind them', async () => {
    await minimal((text) => `${text}payments:\npace:\n  # concurrency: 4\n`);
    expect((await load('odd.yaml')).pace.concurrency).toBe(16);
  });

  it('may give the account by its IBAN alone', async () => {
    await minimal((text) => text.replace('bban: "95360573002"', 'iban: NO0995360573002'));
    expect((await load('odd.yaml')).accounts.debtor.bban).toBe('95360573002');
  });

  it.each([
    ['session', 'psu.id', 'psu.sessionId'],
    ['form', 'psu.nationalId'],
    ['module', 'psu.module'],
    ['manual'],
  ])('needs for the SCA strategy %s what that works with', async (strategy, ...keys) => {
    await minimal((text) => text.replace(/psu:\n.*\n.*\n/, `psu: { sca: ${strategy} }\n`));
    const error = await load('odd.yaml').catch((reason: unknown) => reason);
    expect(error instanceof TargetFileError ? error.problems.map(({ path }) => path) : []).toEqual(keys);
  });

  it.each([
    ['0', 0],
    ['0.01', 0],
    ['0.009', 1],
    ['1e-300', 1],
    ['-1', 1],
  ])('must have a pace at which something is sent: %s requests a second', async (rate, problems) => {
    await minimal((text) => `${text}pace: { requestsPerSecond: ${rate} }\n`);
    const told = await load('odd.yaml').catch(({ problems: all }: TargetFileError) => all);
    expect(Array.isArray(told) ? told.map(({ path }) => path) : []).toEqual(
      Array.from({ length: problems }, () => 'pace.requestsPerSecond'),
    );
  });

  it('must not carry a password in its address', async () => {
    await minimal((text) => text.replace('https://', 'https://user:hunter2@'));
    const problems = await problemsOf('odd.yaml');
    expect(problems).toEqual([expect.stringContaining('baseUrl: This cannot be right.')]);
    expect(problems.join()).not.toContain('hunter2');
  });

  const endsInV1 = /^odd\.yaml:3:1 baseUrl: This ends in \/v1, with which the paths .* Leave it out here\.$/i;
  it.each([
    ['an address that ends with what the paths begin with', '/psd2', '/psd2/v1', '', endsInV1],
    ['such an address with a slash', '/psd2', '/v1/', '', endsInV1],
    ['such an address in capitals', '/psd2', '/V1', 'paths: { payments: /V1/payments }\n', endsInV1],
    [
      'the number of an organisation for a person',
      'psu:\n',
      'psu:\n  nationalId: "912345678"\n',
      '',
      /psu\.nationalId: A national identity number has eleven digits\./,
    ],
    [
      'a key that belongs elsewhere',
      '',
      '',
      'privateKey: qseal.key\n',
      /^odd\.yaml:13:1 privateKey: The key "privateKey" is not known here\. It belongs under signing\.$/,
    ],
  ])('is refused with %s', async (_, from, to, more, problem) => {
    await minimal((text) => text.replace(from, to) + more);
    expect(await problemsOf('odd.yaml')).toEqual([expect.stringMatching(problem)]);
  });

  it('may end with it where no path begins with it', async () => {
    const groups = Object.entries(defaultPaths).filter(([name]) => !/^(?:domestic|crossBorder)/.test(name));
    const moved = Object.fromEntries(groups.map(([name, path]) => [name, path.slice('/v1'.length)]));
    await minimal(
      (text) => `${text.replace('/psd2', '/v1')}paths: ${JSON.stringify(moved)}
`,
    );
    expect((await load('odd.yaml')).baseUrl).toMatch(/\/v1$/);
  });

  it.each(['123', '018190100011', 'KARI-01', '018190 10001'])(
    'may know its customer by another identifier than a national identity number: %s',
    async (number) => {
      await minimal((text) => text.replace('psu:\n', `psu:\n  nationalId: "${number}"\n`));
      expect((await load('odd.yaml')).warnings).toEqual([
        expect.objectContaining({
          path: 'psu.nationalId',
          message: expect.stringContaining('eleven digits'),
        }),
      ]);
    },
  );

  it.each([
    ['bban', '{ bban: "95360573003" }'],
    ['iban', '{ bban: "95360573002", iban: NO1095360573002 }'],
  ])('may have a %s that seems misspelt', async (key, account) => {
    await minimal((text) => text.replace('accounts:\n', `accounts:\n  creditor: ${account}\n`));
    expect((await load('odd.yaml')).warnings).toEqual([
      { path: `accounts.creditor.${key}`, message: expect.stringContaining('check digit') },
    ]);
  });

  it('is warned of what is not wrong', async () => {
    await minimal((text) =>
      text
        .replace('https:', 'http:')
        .replace('environment: sandbox\n', 'tls: { insecure: true }\n')
        .replace('psu:\n', 'psu:\n  nationalId: "12345678901"\n'),
    );
    const { warnings, mayCreatePayments } = await load('odd.yaml');
    expect(warnings.map(({ path }) => path)).toEqual([
      'baseUrl',
      'environment',
      'tls.insecure',
      'psu.nationalId',
    ]);
    expect(mayCreatePayments).toBe(false);
    await minimal((text) => text.replace('https://sandbox.example', 'http://localhost:8080'));
    expect((await load('odd.yaml')).warnings).toEqual([]);
  });

  it('is told that it holds several documents, and not what a program could do about it', async () => {
    await folder.write('odd.yaml', 'name: a\n---\nname: b\n');
    expect(await problemsOf('odd.yaml')).toEqual([expect.stringMatching(/several documents; keep the one/)]);
  });

  it.each(['- a\n', 'text\n', 'x: *nowhere\n'])('is refused in one sentence when it is %j', async (text) => {
    await folder.write('odd.yaml', text);
    expect(await problemsOf('odd.yaml')).toHaveLength(1);
  });
});
