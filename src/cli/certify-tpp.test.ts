import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { recordingFile } from '../certification/recording.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { build, ran, start } from './built-command.test.data.ts';
import { tell } from './run-program.test.data.ts';

const folder = testFolder('all tests');
beforeAll(async () => {
  await build();
}, 120_000);

const read = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');
/** Sends a request that nobody has signed, and waits for its answer. */
const asked = (url: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { headers, rejectUnauthorized: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });
const certify = ['certify-tpp', '--port', '0', '--issue', 'keys', '--no-html'];

test('the reference TPP is conformant, and its run is attested', { timeout: 120_000 }, async () => {
  const certification = start(folder, ...certify, '--out', 'whole');
  await certification.line(/^It ends when/);
  const tpp = await ran(folder, 'reference-tpp', 'keys');
  expect(tpp, tpp.out).toMatchObject({ exitCode: 0 });

  const { exitCode, out, err } = await certification.ended;
  expect(exitCode, out + err).toBe(0);
  expect(out).toContain('journey  first-payment');
  expect(out).toContain('9 of 9 mandatory, 19 of 19 in all');
  expect(out).toContain('CONFORMANT  Test TPP AS (PSDNO-FSA-123456)');
  const summary = JSON.parse(read('whole', 'summary.json'));
  expect(summary).toMatchObject({ side: 'tpp', verdict: 'conformant', interrupted: false });
  expect(Object.keys(summary.fingerprints)).toContain('signature of the TPP');
  // What is unredacted stays in the recording.
  expect(read('whole', 'journal.ndjson').includes('01819010001')).toBe(false);

  const verified = await ran(folder, 'verify', 'whole');
  expect(verified).toMatchObject({ exitCode: 0 });
  expect(verified.out).toContain('Judged        a TPP (a client of banks), and no bank');
  expect(verified.out).not.toContain('seed');
  expect(JSON.parse((await ran(folder, 'verify', 'whole', '--json')).out)).toMatchObject({ side: 'tpp' });
  const report = await ran(folder, 'report', 'whole', '--no-html');
  expect(report, report.err).toMatchObject({ exitCode: 0 });
  expect(report.out).toContain('CONFORMANT');
});

test('a certification that is killed has every exchange that was answered', {
  timeout: 120_000,
}, async () => {
  const certification = start(folder, ...certify, '--out', 'killed');
  await certification.line(/^It ends when/);
  const tpp = start(folder, 'reference-tpp', 'keys');
  await tpp.line(/^refused-payment: done/);
  certification.child.kill('SIGKILL');
  await tpp.ended;

  const recorded = read('killed-unredacted', recordingFile).trimEnd().split('\n').slice(1);
  const calls = recorded
    .map((line) => JSON.parse(line).value)
    .filter(({ operation }) => operation !== 'page');
  // Until then the TPP has had five answers: log in twice, payment, status, refused payment.
  expect(calls.length).toBeGreaterThanOrEqual(5);
  expect(calls.slice(0, 5).map(({ response }) => response.status)).toEqual([401, 200, 201, 200, 400]);

  // Whoever had the folder since may have changed what was recorded.
  const { privateKey } = generateKeyPairSync('ed25519');
  writeFileSync(join(folder, 'attest.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const signing = ['certify-tpp', '--judge', 'killed', '--no-html', '--attest-key', 'attest.key'];
  const refused = await ran(folder, ...signing);
  expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining('add --unattested') });
  const judged = await ran(folder, ...signing, '--unattested');
  expect(judged, judged.err).toMatchObject({ exitCode: 3 });
  expect(judged.out).toContain('INCOMPLETE');
  expect(judged.out).toMatch(/mandatory journeys? not completed: .*failed-sca/);
});

test('a TPP that only reads accounts is certified for that, told in JSON from the start', {
  timeout: 120_000,
}, async () => {
  const flags = ['--out', 'accounts', '--profile', 'accounts', '--json'];
  const certification = start(folder, ...certify, ...flags);
  const told = JSON.parse(await certification.line(/^\{/));
  expect(told).toMatchObject({
    baseUrl: expect.stringMatching(/^https:\/\/localhost:\d+$/),
    profiles: ['accounts'],
  });
  expect(readFileSync(told.authority, 'utf8')).toContain('BEGIN CERTIFICATE');
  expect(readFileSync(told.responsesSignedWith, 'utf8')).toContain('BEGIN CERTIFICATE');
  expect(readFileSync(told.targetFile, 'utf8')).toContain('# Written by the command certify-tpp');
  expect(told.customers.length).toBeGreaterThan(1);
  const tpp = await ran(folder, 'reference-tpp', told.targetFile, '--profile', 'accounts');
  expect(tpp, tpp.out).toMatchObject({ exitCode: 0 });

  const { exitCode, out } = await certification.ended;
  expect(exitCode, out).toBe(0);
  expect(JSON.parse(out.trimEnd().split('\n')[1] ?? '')).toMatchObject({ verdict: 'conformant' });
  const { profiles } = JSON.parse(read('accounts', 'summary.json'));
  expect(JSON.stringify(profiles)).toMatch(/accounts.*conformant/);
  expect(JSON.stringify(profiles)).not.toContain('domestic-payments');
});

test('what is told while it goes on names nobody, whatever the form of a name', {
  timeout: 60_000,
}, async () => {
  const certification = start(folder, ...certify, '--out', 'live');
  const address = (await certification.line(/^ {2}Base URL/)).trim().split(/\s+/).at(-1);
  // Neither has the form of a secret: only who has seen the headers knows that they are.
  const people = { 'PSU-ID': 'person-4711-of-the-bank', 'X-PSU-IDENTITY': '12345678901' };
  for (const said of Object.values(people)) {
    await asked(`${address}/v1/accounts/${said}/balances`, people);
  }
  certification.child.kill('SIGTERM');
  const { out, err } = await certification.ended;
  expect(out).toContain('/v1/accounts/[psu-id#1 of 23 characters, redacted]/balances');
  expect(out).toContain('/v1/accounts/[national-id#1, redacted]/balances');
  const live = out.slice(out.indexOf('It ends when')) + err;
  expect(Object.values(people).filter((name) => live.includes(name))).toEqual([]);
});

test('wrong usage is told before anything is started', { timeout: 60_000 }, async () => {
  const unknown = await tell('certify-tpp', '--until', 'first-paymnt');
  expect(unknown).toMatchObject({ exitCode: 2 });
  expect(unknown.err).toContain('Did you mean first-payment?');
  const profile = await tell('certify-tpp', '--profile', 'acounts');
  expect(profile).toMatchObject({ exitCode: 2 });
  expect(profile.err).toContain('Did you mean accounts?');
  expect(await tell('certify-tpp', '--judge', 'nowhere')).toMatchObject({ exitCode: 2 });
  expect(await tell('certify-tpp', '--attest-key', 'nowhere')).toMatchObject({ exitCode: 2 });
  expect(await tell('reference-tpp', 'nowhere')).toMatchObject({ exitCode: 2 });
  expect(await tell('verify', folder)).toMatchObject({ exitCode: 2 });
});
