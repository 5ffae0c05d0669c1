import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readJournal } from '../report/journal.ts';
import { testFolder } from '../target/target-folder.test.data.ts';
import { build, ran, start } from './built-command.test.data.ts';

const folder = testFolder('all tests');
beforeAll(async () => {
  await build();
}, 120_000);

const isBegun = async (out: string): Promise<boolean> =>
  (await readFile(join(folder, out, 'journal.ndjson'), 'utf8').catch(() => '')).includes('{"kind":"result"');
const untilBegun = (out: string): Promise<boolean> =>
  vi.waitUntil(() => isBegun(out), { timeout: 100_000, interval: 50 });

describe('the folder of a run', { timeout: 240_000 }, () => {
  it('takes no second run, loses no verdict to a kill, and is free again afterwards', async () => {
    const first = start(folder, 'run', '--out', 'one', '--no-html');
    await untilBegun('one');
    const second = await ran(folder, 'run', '--out', 'one', '--no-html');
    expect(second).toMatchObject({ exitCode: 2, err: expect.stringContaining('Another run writes to') });
    for (const args of [['one'], ['--merge', 'other', '--out', 'one']]) {
      const report = await ran(folder, 'report', ...args, '--no-html');
      expect(report).toMatchObject({ exitCode: 2, err: expect.stringContaining('Another run writes to') });
    }
    first.child.kill('SIGKILL');
    const { out: told } = await first.ended;
    const { header, results } = readJournal(join(folder, 'one'));
    const [, counted = '0'] = [...told.matchAll(/^ *(\d+)\/\d+/gm)].at(-1) ?? [];
    expect(results.length).toBeGreaterThanOrEqual(Number(counted));
    expect(header.planned.length).toBeGreaterThan(results.length);
    const next = await ran(folder, 'run', '--only', 'CLK-03', '--out', 'one', '--no-html');
    expect(next, next.err).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(folder, 'one.lock'))).toBe(false);
  });

  it('gets its reports, and the run its exit code, when nobody reads what is told any more', async () => {
    for (const [out, flags] of Object.entries({ unread: [], unseen: ['--json'] })) {
      const run = start(folder, 'run', '--only', 'CLK-03', '--out', out, '--no-html', ...flags);
      run.child.stdout?.destroy();
      run.child.stderr?.destroy();
      expect(await run.ended).toMatchObject({ exitCode: 0 });
      expect(existsSync(join(folder, out, 'summary.json'))).toBe(true);
      expect(existsSync(join(folder, `${out}.lock`))).toBe(false);
    }
    const broken = start(folder, 'run', '--target', 'nowhere.yaml', '--out', 'wrong');
    broken.child.stdout?.destroy();
    broken.child.stderr?.destroy();
    expect(await broken.ended).toMatchObject({ exitCode: 2 });
  });

  it('ends the run with one sentence where it is removed meanwhile', async () => {
    const run = start(folder, 'run', '--out', 'gone', '--no-html');
    await untilBegun('gone');
    await rm(join(folder, 'gone'), { recursive: true });
    const { exitCode, err } = await run.ended;
    expect(exitCode, err).toBe(3);
    expect(err.trim().split('\n')).toEqual([expect.stringContaining('cannot be written any more')]);
  });

  it.each([0, 1])(
    'is told of no verdict where a module of the target ends the process with %d',
    async (code) => {
      await writeFile(join(folder, 'sca.mjs'), `export default () => process.exit(${code});`);
      const flags = ['--psu-sca', 'module', '--psu-module', 'sca.mjs', '--psu-national-id', '01819010001'];
      const run = await ran(
        folder,
        'run',
        '--only',
        'SCA-05',
        '--out',
        `ended-${code}`,
        '--no-html',
        ...flags,
      );
      expect(run.exitCode, run.out).toBe(3);
      expect(run.err).toContain('The command was ended before its end');
    },
  );
});
