import { describe, expect, it } from 'vitest';
import { requirements } from '../spec/catalogue.ts';
import { profileIds } from '../spec/profiles.ts';
import { tell } from './run-program.test.data.ts';

describe('list', () => {
  it('lists checks by suite, and only those that were asked for', async () => {
    const { exitCode, out } = await tell('list', 'signing/digest', 'amt');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^Digest {2}signing\/digest/m);
    expect(out).toMatch(/^ {2}DIG-03 +must/m);
    expect(out).toMatch(/^ {2}AMT-01 /m);
    expect(out).not.toMatch(/^ {2}CLK-01/m);
  });

  it('gives programs the whole catalogue', async () => {
    const { out } = await tell('list', '--requirements', '--json');
    const listed: { id: string; checks: readonly string[] }[] = JSON.parse(out);
    expect(listed.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id));
    expect(listed.find(({ id }) => id === 'DIG-03')?.checks).toContain('DIG-03');
  });

  it('fails when a must-level requirement has neither a check nor a reason', async () => {
    const { exitCode, out } = await tell('list', '--uncovered', '--json');
    const listed: { level: string; side: string; checks: readonly string[] }[] = JSON.parse(out);
    expect(listed.every(({ checks }) => checks.length === 0)).toBe(true);
    expect(exitCode).toBe(listed.some(({ level }) => level === 'must') ? 1 : 0);
  });

  it('lists the checks on TPPs next to those on banks', async () => {
    const { out } = await tell('list', 'tpp/transport', 'DIG-03');
    expect(out).toMatch(/^ {2}TPP-\d+ /m);
    expect(out).toMatch(/^\d+ checks on a bank \(run\), \d+ on a TPP \(certify-tpp\)$/m);
  });

  it('lists the profiles with their versions and what they hold', async () => {
    const { exitCode, out } = await tell('list', '--profiles');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/^accounts +\d+\.\d+ {2}Accounts, balances .*: \d+ on a bank, \d+ on a TPP\.$/m);
    expect(out).toMatch(/^sandbox +.*Binds a sandbox only/m);
    const listed: { id: string }[] = JSON.parse((await tell('list', '--profiles', '--json')).out);
    expect(listed.map(({ id }) => id)).toEqual(profileIds);
  });

  it('suggests what was meant', async () => {
    expect(await tell('list', 'signing/digst')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('signing/digest'),
    });
  });
});
