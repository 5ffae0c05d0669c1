import { execFile } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { testFolder } from '../target/target-folder.test.data.ts';
import { build, commandFile, ran, start } from './built-command.test.data.ts';

const folder = testFolder('all tests');

beforeAll(async () => {
  await build();
}, 120_000);

const json = async (...path: readonly string[]): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(folder, ...path), 'utf8'));

const firstVerdictIn = async (out: string): Promise<boolean> =>
  (await readFile(join(folder, out, 'journal.ndjson'), 'utf8').catch(() => '')).includes('{"kind":"result"');

describe('from nothing to a verdict', () => {
  it('goes through init, serve, doctor, run, explain and replay', { timeout: 240_000 }, async () => {
    const target = [
      ...['--base-url', 'https://localhost:1', '--psu-national-id', '01819010001'],
      ...['--accounts-debtor-bban', '95360573002', '--tls-ca', 'xs2a-sandbox/ca.pem'],
    ];
    expect((await ran(folder, 'init', '--yes', '--pki', ...target)).exitCode).toBe(0);

    const bank = start(
      folder,
      ...['serve', '--port', '0', '--prefix', '/psd2', '--json', '--trust', 'pki/ca.pem'],
      ...['--deviation', 'DIG-03/unchecked'],
    );
    const { baseUrl } = JSON.parse(await bank.line(/"listening"/)) as { baseUrl: string };
    const written = await readFile(join(folder, 'target.yaml'), 'utf8');
    await writeFile(join(folder, 'elsewhere.yaml'), written);
    await writeFile(join(folder, 'target.yaml'), written.replace('https://localhost:1', baseUrl));
    const here = ['--target', 'target.yaml'];

    const doctor = await ran(folder, 'doctor', ...here);
    expect(doctor, doctor.out).toMatchObject({ exitCode: 0 });

    const run = await ran(folder, 'run', ...here, '--only', 'DIG-03,DIG-01', '--out', 'run', '--no-html');
    expect(run, run.out + run.err).toMatchObject({ exitCode: 1 });
    expect(run.out).toContain('NON-CONFORMANT');
    expect(await json('run', 'summary.json')).toMatchObject({
      verdict: 'non-conformant',
      interrupted: false,
    });

    expect((await ran(folder, 'explain', 'DIG-03')).out).toContain('Hash the very bytes');

    const untold = await ran(folder, 'replay', 'run', 'DIG-03');
    expect(untold).toMatchObject({ exitCode: 2, err: expect.stringContaining('--target') });
    const astray = await ran(folder, 'replay', 'run', 'DIG-03', '--target', 'elsewhere.yaml');
    expect(astray).toMatchObject({ exitCode: 2, err: expect.stringContaining('--other-address') });
    const replay = await ran(folder, 'replay', 'run', 'DIG-03', ...here);
    expect(replay, replay.err).toMatchObject({ exitCode: 1 });
    expect(replay.out).toMatch(/Actual +201/);

    vi.stubEnv('TMPDIR', folder);
    const curl = await ran(folder, 'replay', 'run', 'DIG-03', ...here, '--curl');
    vi.unstubAllEnvs();
    expect(curl.exitCode).toBe(0);
    const { stdout } = await promisify(execFile)('sh', ['-c', curl.out], {
      cwd: folder,
      // curl takes a proxy for this machine as well.
      env: { ...process.env, NO_PROXY: '*' },
    });
    expect(stdout).toMatch(/^HTTP\/1\.1 201 /);
    // It names no file but that of the target file, so that none is left anywhere.
    expect((await readdir(folder)).filter((name) => name.startsWith('xs2a-replay-'))).toEqual([]);
    // Whatever was done with the run since, it is as it was attested.
    expect(JSON.parse((await ran(folder, 'verify', 'run', '--json')).out)).toMatchObject({ problems: [] });

    const part = await ran(
      folder,
      'run',
      '--target',
      'xs2a-sandbox/target.yaml',
      '--only',
      'CLK-03',
      '--json',
      '--no-html',
    );
    expect(JSON.parse(part.out)).toMatchObject({ verdict: 'partial', part: true, exitCode: 0 });
    expect(part.out).not.toMatch(/"conformant"/);

    const refused = await bank.line(/"requirement":"CLK-03"/);
    expect(JSON.parse(refused)).toMatchObject({ event: 'request', status: 400 });
    bank.child.kill('SIGTERM');
    expect(await bank.ended).toMatchObject({ exitCode: 0 });
  });
});

describe('a run that is interrupted', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'ends on %s with the reports of what was judged, marked as interrupted',
    { timeout: 120_000 },
    async (signal) => {
      const out = `interrupted-${signal}`;
      const run = start(folder, 'run', '--out', out, '--no-html');
      await vi.waitUntil(() => firstVerdictIn(out), { timeout: 100_000, interval: 50 });
      run.child.kill(signal);
      const { exitCode, out: told } = await run.ended;
      expect(exitCode, told).toBe(3);
      expect(told).toContain('The run was interrupted');
      expect(await json(out, 'summary.json')).toMatchObject({ verdict: 'incomplete', interrupted: true });
      expect(await readFile(join(folder, out, 'junit.xml'), 'utf8')).toContain('</testsuites>');
    },
  );
});

describe('shards', () => {
  it('give the same summary when they are merged as one run', { timeout: 240_000 }, async () => {
    const shared = ['--seed', '7', '--only', 'signing/digest,AMT-04', '--no-html'];
    await ran(folder, 'run', ...shared, '--out', 'one');
    for (const shard of ['1', '2', '3']) {
      const { exitCode, err } = await ran(
        folder,
        ...['run', ...shared, '--shard', `${shard}/3`, '--out', `shard-${shard}`],
      );
      expect(exitCode, err).toBe(0);
    }
    const { privateKey } = generateKeyPairSync('ed25519');
    await writeFile(join(folder, 'attest.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const two = ['report', '--merge', 'shard-1', 'shard-2', '--out', 'two', '--no-html'];
    const lacking = await ran(folder, ...two, '--attest-key', 'attest.key');
    expect(lacking).toMatchObject({ exitCode: 3, out: expect.stringContaining('Shard 3/3 is missing') });
    const verified = await ran(folder, 'verify', 'two');
    expect(verified).toMatchObject({ exitCode: 1, out: expect.stringContaining('This is no certification') });
    const merge = ['report', '--merge', 'shard-1', 'shard-2', 'shard-3', '--out', 'merged', '--no-html'];
    expect((await ran(folder, ...merge)).exitCode).toBe(0);
    const [one, merged] = await Promise.all([json('one', 'summary.json'), json('merged', 'summary.json')]);
    const verdictsOf = ({ checks }: Record<string, unknown>) =>
      (checks as { id: string; verdict: string }[]).map(({ id, verdict }) => [id, verdict]);
    expect(verdictsOf(merged)).toEqual(verdictsOf(one));
    for (const key of ['verdict', 'counts', 'selection', 'target', 'seed', 'requirements']) {
      expect(merged[key], key).toEqual(one[key]);
    }
  });
});

it('an error that nobody waits for is our own fault, and shows nothing secret', {
  timeout: 60_000,
}, async () => {
  const later = `setTimeout(() => Promise.reject(new Error('https://tpp:geheim4711@proxy.example for 01819010001')), 1500)`;
  vi.stubEnv('NODE_OPTIONS', `--import "data:text/javascript,${encodeURIComponent(later)}"`);
  const bank = start(folder, 'serve', '--port', '0', '--no-console', '--out', 'faulty');
  vi.unstubAllEnvs();
  const { exitCode, err } = await bank.ended;
  // Node itself ends with 1, which is what a bank that fails ends with.
  expect(exitCode, err).toBe(70);
  expect(err).toContain('xs2a-conformance itself broke');
  expect(err).not.toMatch(/geheim4711|01819010001/);
});

it.each([['run'], ['doctor'], ['doctor', '--learn']])(
  '%s comes to its end where a setting of the embedded bank is wrong',
  {
    timeout: 60_000,
  },
  async (...command) => {
    const { exitCode, err } = await start(folder, ...command, '--psu-sca', 'no-such-way').ended;
    expect({ exitCode, err }).toEqual({ exitCode: 2, err: expect.stringContaining('psu.sca') });
  },
);

/** Newer versions of Node open fewer files, so that a few more are enough for them. */
it.runIf(process.platform === 'linux').each([24, 32, 40])(
  'where only %i files may be open it says so or does with them, and never says that a bank fails',
  { timeout: 60_000 },
  async (files) => {
    const limited = `ulimit -n ${files}; exec "$0" "$1" run --only AMT-02 --no-html --out limited`;
    const running = promisify(execFile)('sh', ['-c', limited, process.execPath, commandFile], {
      cwd: folder,
    });
    const ended: { code?: number; stdout: string; stderr: string } = await running.catch((error) => error);
    const { code = 0, stdout, stderr } = ended;
    if (code === 0 && files > 24) {
      expect(stdout).toContain('All 2 checks of 1 suite pass.');
      return;
    }
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('ulimit -n 1024') });
    expect(stderr).not.toContain('    at ');
  },
);
