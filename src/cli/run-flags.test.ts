import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { testFolder } from '../target/target-folder.test.data.ts';
import { build, type Command, commandFile, ran, start } from './built-command.test.data.ts';

const folder = testFolder('all tests');
let bank: Command;

beforeAll(async () => {
  await build();
  bank = start(folder, 'serve', '--port', '0', '--no-console', '--json', '--deviation', 'DIG-03/unchecked');
  await bank.line(/"listening"/);
}, 120_000);
afterAll(async () => {
  bank.child.kill('SIGTERM');
  await bank.ended;
});

const target = ['--target', 'xs2a-sandbox/target.yaml', '--no-html'];
const checksIn = async (out: string): Promise<readonly { id: string; verdict: string }[]> =>
  JSON.parse(await readFile(join(folder, out, 'summary.json'), 'utf8')).checks;

it('ends at the first failure, and judges again what did not pass', { timeout: 120_000 }, async () => {
  const only = ['--only', 'signing/digest', '--exclude', 'DIG-01', '--seed', '7', '--out', 'run'];
  const whole = await ran(folder, 'run', ...target, ...only);
  expect(whole, whole.err).toMatchObject({ exitCode: 1 });
  const judged = await checksIn('run');
  expect(judged.filter(({ id }) => id.startsWith('DIG-01'))).toEqual([]);
  const failed = judged.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failed).toContain('DIG-03');

  const before = await readFile(join(folder, 'run', 'journal.ndjson'), 'utf8');
  const flags = ['--last-failed', '--max-failures', '1', '--out', 'run'];
  const again = await ran(folder, 'run', ...target, ...flags);
  expect(again, again.err).toMatchObject({ exitCode: 1 });
  expect(again.out).toContain('The run ended after 1 failure, as --max-failures asks');
  expect(again.out).toContain(`--seed 7`);
  // The whole run stays: it is what a release is judged by.
  expect(again.out.replace(/\s+/g, ' ')).toContain(
    `--last-failed judges ${failed.length} of ${judged.length} checks of the run in run again. That run stays as it is; the reports of this one go to run-last-failed.`,
  );
  expect(again.out).toMatch(
    /\nOnly a run of the whole judges the bank: run it again without --last-failed\.\n/,
  );
  expect(await readFile(join(folder, 'run', 'journal.ndjson'), 'utf8')).toBe(before);
  const judgedAgain = await checksIn('run-last-failed');
  expect(judgedAgain).toHaveLength(1);
  expect(failed).toContain(judgedAgain[0]?.id);
});

it('shows on a page of its own how it goes on, and its reports for as long as the page is open', {
  timeout: 120_000,
}, async () => {
  const opened = join(folder, 'opened');
  await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" > '${opened}'\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  const only = ['--only', 'signing/digest', '--seed', '7', '--out', 'watched', '--open'];
  const run = start(folder, 'run', ...target, ...only);
  vi.unstubAllEnvs();
  const address = (await run.line(/^The run as it goes on: /)).split(' ').at(-1) ?? '';
  const { origin, hostname, pathname } = new URL(address);
  expect(hostname).toBe('localhost');
  const read = async (url: string) => (await fetch(url, { headers: { Cookie: cookie } })).text();
  const cookie = (await fetch(address)).headers.get('set-cookie')?.split(';')[0] ?? '';
  expect((await fetch(`${origin}${pathname}`)).status).toBe(403);
  const watching = new AbortController();
  // Kept: what nobody holds is closed, and the page with it.
  const watched = await fetch(`${origin}/console/api/events`, {
    headers: { Cookie: cookie },
    signal: watching.signal,
  });
  expect(await read(`${origin}/console/report/summary.json`)).toBe('There is no such report.');
  // The same page as the one that is left on the disk.
  await vi.waitUntil(
    async () => (await read(`${origin}/console/report/requirements.html`)).includes('DIG-03'),
    {
      timeout: 60_000,
    },
  );
  expect(await read(`${origin}${pathname}`)).toBe(
    await readFile(join(folder, 'watched/requirements.html'), 'utf8'),
  );
  expect(JSON.parse(await read(`${origin}/console/report/summary.json`))).toHaveProperty('verdict');
  expect(run.child.exitCode).toBe(null);
  expect((await readFile(opened, 'utf8')).trim()).toBe(address);
  expect(watched.bodyUsed).toBe(false);
  watching.abort();
  expect(await run.ended).toMatchObject({ exitCode: 1 });
});

it('sends no more than its budget, those for SCA and for failures included, and judges a part', {
  timeout: 120_000,
}, async () => {
  let seen = '';
  bank.child.stdout?.on('data', (text: string) => {
    seen += text;
  });
  const withBudget = async (requests: string, ...flags: string[]) => {
    seen = '';
    // Whoever waits for the bank asks as well.
    const named = [
      ...target,
      '--wait',
      '20',
      '--budget',
      requests,
      ...flags,
      '--seed',
      '7',
      '--out',
      'within',
    ];
    const { exitCode, err } = await ran(folder, 'run', ...named);
    const { counts, verdict } = JSON.parse(await readFile(join(folder, 'within', 'summary.json'), 'utf8'));
    return { exitCode, err, counts, verdict, sent: seen.match(/"event":"request"/g)?.length };
  };
  // Pages of SCA are among them.
  const small = await withBudget('60');
  expect(small, small.err).toMatchObject({ exitCode: 0, verdict: 'partial' });
  expect(small.sent).toBeLessThanOrEqual(60);
  const usual = await withBudget('100');
  expect(usual.sent).toBeLessThanOrEqual(100);
  expect(usual.counts.pass).toBeGreaterThan(10);
  const broken = await withBudget('100', '--only', 'signing/digest');
  expect(broken, broken.err).toMatchObject({ exitCode: 1, verdict: 'non-conformant' });
  expect(broken.sent).toBeLessThanOrEqual(100);
  // Too little to make sure of what has failed: that is no pass, and no part that was left out.
  const tooSmall = await withBudget('44', '--only', 'DIG-03,DIG-05,DIG-07');
  expect(tooSmall.sent).toBeLessThanOrEqual(44);
  expect(tooSmall.exitCode).not.toBe(0);
});

it('tells programs each event on a line, and the verdict last', { timeout: 120_000 }, async () => {
  const { out } = await ran(
    folder,
    'run',
    ...target,
    '--only',
    'DIG-03',
    '--reporter',
    'json',
    '--out',
    'events',
  );
  const events = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events[0]).toMatchObject({ event: 'start', selection: '--only DIG-03' });
  expect(events.filter(({ event }) => event === 'check').map(({ id }) => id)).toContain('DIG-03');
  expect(events.at(-1)).toMatchObject({ event: 'verdict', verdict: 'non-conformant', exitCode: 1 });
});

it('keeps its exit code when nobody reads what it says', { timeout: 120_000 }, async () => {
  const args = [commandFile, 'run', ...target, '--only', 'DIG-03', '--out', 'unread'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  child.stderr.destroy();
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1);
});
