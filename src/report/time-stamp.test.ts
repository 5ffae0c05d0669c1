import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCertificateAuthority } from '../signing/certificate-authority.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { attestationFile, sha256, timeStampFile, writeAttestation } from './attestation.ts';
import { writeJournal } from './journal.ts';
import { aRun, someRequirements } from './synthetic-run.test.data.ts';
import { startTimeAuthority, type TimeAuthority, whyNoAuthority } from './time-stamp.test.data.ts';
import { readTimeAuthorities, stampRun, TimeStampError } from './time-stamp.ts';
import { verifyAttestation } from './verify-attestation.ts';
import { writeReports } from './write-reports.ts';

const root = testFolder('all tests');
const dir = join(root, 'run');
const stampFile = join(dir, timeStampFile);
let authority: TimeAuthority;

describe.skipIf(whyNoAuthority !== undefined)(`a time stamp (${whyNoAuthority ?? 'with openssl'})`, () => {
  beforeAll(async () => {
    authority = await startTimeAuthority(join(root, 'authority'));
    writeJournal(dir, aRun());
    await writeReports(dir, { requirements: someRequirements, html: false });
  });
  afterAll(() => authority.close());
  beforeEach(() => {
    authority.disturb();
    writeAttestation(dir, someRequirements);
  });
  const verify = (caFile?: string) =>
    verifyAttestation(
      dir,
      someRequirements,
      undefined,
      undefined,
      caFile === undefined ? undefined : readTimeAuthorities(caFile),
    );

  test('says when an authority has seen the attestation, and openssl verifies it as well', async () => {
    await stampRun(dir, authority.url);
    const file = ['-data', join(dir, attestationFile), '-in', stampFile, '-CAfile', authority.caFile];
    expect(execFileSync('openssl', ['ts', '-verify', ...file], { encoding: 'utf8' })).toContain('OK');
    const at = expect.stringMatching(/^20\d\d-.*Z$/);
    expect(verify()).toMatchObject({ problems: [], timeStamp: { at } });
    expect(verify().timeStamp).not.toHaveProperty('authority');
    expect(verify(authority.caFile)).toMatchObject({
      problems: [],
      timeStamp: { at, authority: expect.stringContaining('CN=Time') },
    });
    writeAttestation(dir, someRequirements);
    expect(existsSync(stampFile)).toBe(false);
  });

  test.each<[string, NonNullable<Parameters<TimeAuthority['disturb']>[0]>, RegExp]>([
    ['fails', { status: 503 }, /it answers 503/],
    ['sends no time stamp', { answer: () => Buffer.from('<html>') }, /not exactly one DER value/],
    ['sends without end', { answer: () => Buffer.alloc(300_000, 0x30) }, /more than 256 kB/],
    ['sends half of one', { answer: (all) => all.subarray(0, 500) }, /DER/],
    ['sends what is none', { answer: () => Buffer.from('3003020100', 'hex') }, /is missing|members/],
    [
      'stamps something else',
      { query: (asked) => Buffer.concat([asked.subarray(0, 24), Buffer.alloc(32), asked.subarray(56)]) },
      /has stamped something else/,
    ],
    [
      'answers another request',
      { query: (asked) => Buffer.concat([asked.subarray(0, 60), Buffer.alloc(2, 0x55), asked.subarray(62)]) },
      /the nonce is not that of ours/,
    ],
    [
      'refuses',
      // SHA-512 in place of SHA-256, with a hash of the wrong length.
      { query: (asked) => Buffer.from(asked.toString('hex').replace('0304020105', '0304020305'), 'hex') },
      /has refused it \(status 2\)/,
    ],
  ])('is not there where the authority %s', async (_, disturbance, why) => {
    authority.disturb(disturbance);
    const asked = stampRun(dir, authority.url);
    await expect(asked).rejects.toThrow(TimeStampError);
    await expect(asked).rejects.toThrow(why);
    expect(existsSync(stampFile)).toBe(false);
  });

  test('is refused where it is of another attestation, was changed, or is that of nobody who was named', async () => {
    await stampRun(dir, authority.url);
    const whole = readFileSync(stampFile);
    const other = join(root, 'other.pem');
    writeFileSync(other, (await createCertificateAuthority({ modulusLength: 1024 })).certificatePem);
    const notSigned = [`${timeStampFile} is not signed by an authority of those that were given.`];
    expect(verify(other).problems).toEqual(notSigned);
    const later = whole.toString('latin1').replace(/20\d\d(\d{10}Z)/, '2031$1');
    writeFileSync(stampFile, later, 'latin1');
    expect(verify(authority.caFile).problems).toEqual(notSigned);
    for (const bytes of [whole.subarray(0, -1), Buffer.alloc(0), Buffer.alloc(300_000)]) {
      writeFileSync(stampFile, bytes);
      expect(verify().problems).toEqual([expect.stringContaining(`${timeStampFile} `)]);
    }
    writeAttestation(dir, someRequirements, { deployed: { image: sha256('image') } });
    writeFileSync(stampFile, whole);
    expect(verify().problems).toEqual([`${timeStampFile} is the time stamp of another ${attestationFile}.`]);
    rmSync(stampFile);
    expect(verify(authority.caFile).problems).toEqual([expect.stringContaining('is missing')]);
  });

  test('is asked of somebody who answers, by an authority that there is', async () => {
    authority.close();
    await expect(stampRun(dir, authority.url)).rejects.toThrow(/^There is no time stamp of http:\/\/127/);
    expect(() => readTimeAuthorities(join(root, 'nowhere'))).toThrow('does not exist');
    expect(() => readTimeAuthorities(join(dir, attestationFile))).toThrow('holds no certificate');
  });
});
