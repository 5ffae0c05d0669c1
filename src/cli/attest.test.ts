import { generateKeyPairSync } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { attestOtherwise } from '../report/attestation.test.data.ts';
import { packRun } from '../report/run-archive.ts';
import { startTimeAuthority, whyNoAuthority } from '../report/time-stamp.test.data.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { build, start } from './built-command.test.data.ts';
import { tell } from './run-program.test.data.ts';

const folder = testFolder('all tests');
const at = (name: string): string => join(folder, name);
const run = at('run');
/** The same run as it was left, before anything was made of it. */
const judged = at('judged');
const signing = ['--attest-key', at('attest.key')];
beforeAll(async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(at('attest.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(at('attest.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  const { exitCode, err } = await tell('run', '--only', 'CLK-03', '--out', run, '--seed', '7');
  expect(exitCode, err).toBe(0);
  cpSync(run, judged, { recursive: true });
}, 120_000);

const copied = (name: string): string => {
  cpSync(judged, at(name), { recursive: true });
  return at(name);
};

describe('attest', { timeout: 120_000 }, () => {
  it('packs a run into one file, which verify takes like the folder', async () => {
    const packed = at('bank.tar.gz');
    const { exitCode, out, err } = await tell('attest', run, '--out', packed, ...signing);
    expect(exitCode, err).toBe(0);
    expect(out).toContain(packed);
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('xs2a-verify-'));
    for (const place of [run, packed]) {
      const verified = await tell('verify', place, '--public-key', at('attest.pub'), '--json');
      const told = JSON.parse(verified.out);
      // A part certifies nothing, whoever signed it.
      expect(verified.exitCode).toBe(1);
      expect(told).toMatchObject({ problems: [], signature: 'key', verdict: 'partial' });
      for (const page of ['report.html', 'requirements.html']) {
        const html = readFileSync(join(run, page), 'utf8');
        expect(html).toContain(`signed with the key SHA-256 ${told.keyFingerprint}`);
        expect(html).toContain(`statement SHA-256 ${told.statement}`);
      }
    }
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith('xs2a-verify-'));
    expect(after).toEqual(before);
    expect(existsSync(join(run, 'certificate.html'))).toBe(false);
  });

  it('signs a folder that nothing attests only on request, and verify tells when and by whom', async () => {
    const bare = copied('bare');
    rmSync(join(bare, 'attestation.dsse.json'));
    const refused = {
      exitCode: 2,
      err: expect.stringContaining('To sign this one all the same, add --unattested'),
    };
    const attest = ['attest', bare, '--out', at('bare.tar.gz'), ...signing];
    expect(await tell('report', bare, '--no-html', ...signing)).toMatchObject(refused);
    expect(await tell(...attest)).toMatchObject(refused);
    expect(await tell('report', '--merge', bare, '--out', at('merged'), ...signing)).toMatchObject(refused);
    // An attestation that anybody can make of it is none to rely on.
    expect(await tell('report', bare, '--no-html')).toMatchObject({ exitCode: 0 });
    expect(await tell(...attest)).toMatchObject(refused);
    expect(existsSync(at('bare.tar.gz'))).toBe(false);
    expect(await tell(...attest, '--unattested')).toMatchObject({ exitCode: 0 });
    const { keyFingerprint, ...told } = JSON.parse((await tell('verify', at('bare.tar.gz'), '--json')).out);
    expect(told).toMatchObject({ problems: [], attestedFrom: 'unattested folder', signature: 'embedded' });
    expect((await tell('verify', bare)).out).toMatch(
      new RegExp(
        `! Attested later, at 20.*Z, by whoever has the key ${keyFingerprint}: until then nothing attested`,
      ),
    );
  });

  it('is told whom the run judged, how, and whether it was attested as it ended', async () => {
    const { out } = await tell('verify', judged);
    for (const line of [
      /^ {2}Judged +a bank$/m,
      /^ {2}Name +Reference bank$/m,
      /^ {2}Address +https:\/\/localhost$/m,
      /^ {2}Environment +sandbox$/m,
      /^ {2}Cases +10 of each property, seed 7$/m,
      /^ {2}Certificate +TLS of the bank: SHA-256 \w\w:/m,
    ])
      expect(out).toMatch(line);
    expect(out).not.toContain('Attested later');
    expect(JSON.parse((await tell('verify', judged, '--json')).out)).toMatchObject({
      side: 'bank',
      subject: { baseUrl: 'https://localhost', environment: 'sandbox' },
      seed: 7,
      runs: 10,
      readings: {},
      attestedFrom: 'run',
    });
    const signed = copied('signed');
    await tell('report', signed, '--no-html', ...signing);
    expect((await tell('verify', signed)).out).toContain('Attested anew later');
  });

  it('leaves nothing behind where verify is ended while it looks at a packed run', async () => {
    await build();
    const temporary = at('temporary');
    mkdirSync(temporary);
    const large = copied('large');
    truncateSync(join(large, 'report.html'), 100_000_000);
    writeFileSync(at('large.tar.gz'), packRun(large, ['journal.ndjson', 'report.html']));
    vi.stubEnv('TMPDIR', temporary);
    const { child, ended } = start(folder, 'verify', at('large.tar.gz'));
    vi.unstubAllEnvs();
    while (readdirSync(temporary).length === 0 && child.exitCode === null) await sleep(1);
    child.kill('SIGTERM');
    await ended;
    expect(readdirSync(temporary)).toEqual([]);
  });

  it.skipIf(whyNoAuthority !== undefined)(
    'has what was deployed attested, and the time stamped',
    async () => {
      const authority = await startTimeAuthority(at('authority'));
      const stamping = ['--timestamp', authority.url];
      const image = `registry.example:5000/bank:1.4@sha256:${'0a'.repeat(32)}`;
      const packed = at('stamped.tar.gz');
      const attest = ['attest', copied('stamped'), '--out', packed, ...stamping];
      expect(await tell(...attest, ...signing, '--subject', image)).toMatchObject({ exitCode: 0, err: '' });
      const { out } = await tell('verify', packed, '--timestamp-ca', authority.caFile);
      expect(out).toContain(`Deployed      ${image}`);
      expect(out).toMatch(/There at 20.*Z, as CN=Time authority says by its time stamp\./);
      expect((await tell('verify', packed)).out).toMatch(
        /Time stamp of 20.*Z\. Whose it is was not verified/,
      );
      // One of before is stamped as it is, whoever has signed it.
      expect(await tell(...attest)).toMatchObject({ exitCode: 0, err: '' });
      authority.close();
      rmSync(packed);
      const missing = { exitCode: 3, err: expect.stringContaining('There is no time stamp of http://127') };
      expect(await tell(...attest)).toMatchObject(missing);
      expect(existsSync(packed)).toBe(false);
      const reported = await tell('report', copied('unstamped'), '--no-html', ...stamping);
      expect(reported).toMatchObject(missing);
      expect((await tell('verify', at('unstamped'))).out).toContain('UNCHANGED');
    },
  );

  it('vouches for no file that somebody has put next to the run, and hands none in', async () => {
    const own = copied('own');
    writeFileSync(join(own, 'qseal.key'), 'a key');
    const again = await tell('report', own, '--no-html', ...signing);
    expect(again.err).toContain('holds what no run has written (qseal.key). It is not attested');
    expect(readFileSync(join(own, 'attestation.dsse.json'), 'utf8')).not.toContain('qseal.key');
    const refused = await tell('attest', own, '--out', at('own.tar.gz'));
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining('qseal.key was added.') });
    rmSync(join(own, 'qseal.key'));
    expect(await tell('attest', own, '--out', at('own.tar.gz'))).toMatchObject({ exitCode: 0, err: '' });
  });

  it('finds a change in a packed run, and packs none that was changed', async () => {
    const changed = copied('changed');
    writeFileSync(join(changed, 'summary.json'), '{}');
    const { exitCode, err } = await tell('attest', changed, '--out', at('x.tar.gz'));
    expect(exitCode).toBe(2);
    expect(err).toContain('The run is not as it was attested: summary.json was changed.');
    expect(existsSync(at('x.tar.gz'))).toBe(false);
    const signed = await tell('attest', changed, '--out', at('x.tar.gz'), ...signing);
    expect(signed.exitCode).toBe(2);
    // What it says of itself is not what is found, whatever it is called.
    attestOtherwise(changed, (attestation) => Object.assign(attestation, { ok: true, problems: [] }));
    const { ok, problems } = JSON.parse((await tell('verify', changed, '--json')).out);
    expect([ok, problems[0]]).toEqual([false, 'summary.json was changed.']);
  });

  it('signs for no run of another version, of which nobody here knows whether it is whole', async () => {
    const older = copied('older');
    const journal = join(older, 'journal.ndjson');
    writeFileSync(journal, readFileSync(journal, 'utf8').replace(/"version":"[^"]*"/, '"version":"0.0.9"'));
    rmSync(join(older, 'attestation.dsse.json'));
    const key = [...signing, '--unattested'];
    const packed = await tell('attest', older, '--out', at('older.tar.gz'), ...key);
    expect(packed).toMatchObject({ exitCode: 2, err: expect.stringContaining('judged by version 0.0.9') });
    expect(existsSync(at('older.tar.gz'))).toBe(false);
    const reported = await tell('report', older, '--no-html', ...key);
    expect(reported.err).toContain('Sign it with the version that judged it.');
    expect(existsSync(join(older, 'attestation.dsse.json'))).toBe(false);
  });

  it('is not had of report either, where the journal was changed since', async () => {
    const edited = copied('edited');
    const journal = join(edited, 'journal.ndjson');
    writeFileSync(journal, readFileSync(journal, 'utf8').replaceAll('"selection":"--only CLK-03",', ''));
    for (const key of [[], signing]) {
      const { err } = await tell('report', edited, '--no-html', ...key);
      expect(err).toContain('The run is not as it was attested: journal.ndjson was changed since.');
      const verified = await tell('verify', edited, '--json');
      expect(JSON.parse(verified.out)).toMatchObject({
        ok: false,
        signature: 'none',
        problems: expect.arrayContaining(['journal.ndjson was changed.']),
      });
      expect(readFileSync(join(edited, 'requirements.html'), 'utf8')).toContain('This page is not attested');
    }
  });

  it('is not asked of a merged run that would replace one of its shards, by whichever name', async () => {
    symlinkSync(run, at('alias'));
    const { exitCode, err } = await tell('report', '--merge', run, '--out', at('alias'), '--no-html');
    expect(exitCode).toBe(2);
    expect(err).toContain('--out names one of the shards');
  });

  it('says in a sentence what is wrong with a file or a name', async () => {
    writeFileSync(at('no.tar.gz'), 'nothing');
    for (const [args, message] of [
      [['verify', at('no.tar.gz')], 'cannot be unpacked'],
      [['verify', at('none.tar.gz')], 'holds no attestation.dsse.json'],
      [['attest', run, '--out', at('bank.zip')], '.tar.gz'],
      [['attest', run, '--out', join(run, 'bank.tar.gz')], 'would change what is attested'],
      [['attest', at('nowhere'), '--out', at('y.tar.gz')], 'holds no attestation.dsse.json'],
      [['attest', run, '--out', at('missing/y.tar.gz')], 'cannot be packed'],
      [['compare', run, run, '--html', join(run, 'compared.html')], 'nothing can be added to it'],
    ] as const) {
      const { exitCode, err } = await tell(...args);
      expect(err).toContain(message);
      expect(exitCode, args.join(' ')).toBe(2);
    }
    rmSync(at('no.tar.gz'));
  });
});
