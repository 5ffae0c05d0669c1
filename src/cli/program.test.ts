import { afterEach, describe, expect, it, vi } from 'vitest';
import { commandsFor } from './program.ts';
import { tell } from './run-program.test.data.ts';

const commands = (await commandsFor([], () => {})).map((command) => command.name());

afterEach(() => vi.unstubAllEnvs());

describe('the command line', () => {
  it('names every command in its help', async () => {
    const { exitCode, out } = await tell('--help');
    expect(exitCode).toBe(0);
    for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command} +\\S`, 'm'));
  });

  it.each(commands)('gives examples in the help of %s', async (command) => {
    const { exitCode, out } = await tell(command, '--help');
    expect(exitCode).toBe(0);
    expect(out).toContain('Examples:');
    expect(out).toMatch(new RegExp(`[$|;] xs2a-conformance ${command} `));
  });

  it.each(commands)('fits the help of %s into a terminal of 80 columns', async (command) => {
    const { out } = await tell(command, '--help');
    expect(out.split('\n').filter((line) => [...line].length > 80)).toEqual([]);
  });

  it('suggests the command and the flag that were meant', async () => {
    expect(await tell('exlain')).toMatchObject({ exitCode: 2, err: expect.stringContaining('explain') });
    expect(await tell('frobnicate')).toMatchObject({ exitCode: 2, err: expect.stringContaining('--help') });
    expect(await tell('list', '--uncoverd')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--uncovered'),
    });
  });

  it.each([
    ['--out', 'run', '--out', ''],
    ['--target', 'run', '--target', ' '],
    ['--attest-key', 'run', '--attest-key', ''],
    ['--last-failed', 'run', '--last-failed='],
    ['--merge', 'report', '--merge', 'one', '', '--out', 'two'],
    ['--out', 'serve', '--out', '', '--prefix', ''],
    ['--out', 'report', 'one', '--format', 'csv', '--out', ''],
    ['--judge', 'certify-tpp', '--judge', ''],
    ['run', 'verify', ''],
    ['run', 'report', ''],
    ['after', 'compare', 'one', ''],
  ])(
    'refuses an empty name, as an unset variable of the shell leaves it: %s in %s %s',
    async (what, ...args) => {
      expect(await tell(...args)).toMatchObject({
        exitCode: 2,
        err: `${what} is empty: name what it stands for, or leave it out.\n`,
      });
    },
  );

  it('judges no bank of its own where the variable that names a target file is empty', async () => {
    vi.stubEnv('XS2A_TARGET', '');
    expect(await tell('doctor')).toMatchObject({
      exitCode: 2,
      err: expect.stringMatching(/XS2A_TARGET\n +It is set, and empty/),
    });
  });

  it.each([
    ['run', '--shard', '4/3'],
    ['run', '--runs', '0'],
    ['run', '--seed', 'x'],
    ['serve', '--port', '99999'],
    ['serve', '--prefix', 'psd2'],
    ['serve', '--deviation', 'NO-01/such'],
    ['report'],
    ['report', 'there-is-no-such-run'],
    ['replay', 'there-is-no-such-run', 'DIG-03'],
    ['run', '--target', 'there-is-no-such-file.yaml'],
    ['run', '--only', 'DGI-03'],
  ])('refuses wrong usage in a sentence, with exit code 2: %s %s %s', async (...args) => {
    const { exitCode, err } = await tell(...args);
    expect(exitCode).toBe(2);
    expect(err.trim()).not.toBe('');
    expect(err).not.toContain('    at ');
  });
});
