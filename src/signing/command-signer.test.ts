import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SigningProgram, signByProgram } from './command-signer.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'xs2a-signer-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Notes each start, and then does as it is told; by the second start, if not before, `starts` has two lines. */
const programThat = (does: string): SigningProgram => ({
  command: ['/bin/sh', '-c', `echo >> starts; ${does}`],
  keepAlive: false,
  directory,
  signatureLength: 64,
  patienceMs: 2000,
});
const starts = (): number => readFileSync(join(directory, 'starts'), 'utf8').length;

describe('a program that signs nothing and does not end', () => {
  it.each([true, false])('is waited for once, staying or not: %s', async (keepAlive) => {
    const sign = signByProgram({ ...programThat('exec sleep 60'), keepAlive });
    await expect(sign(Buffer.from('date: x'), 'sha256')).rejects.toThrow(
      'The program /bin/sh did not sign within 2 seconds. Try it by hand: does it wait for a PIN?',
    );
    expect(starts()).toBe(1);
  });

  it('is tried again where it has signed before', async () => {
    const sign = signByProgram(
      programThat('if [ "$(wc -l < starts)" -eq 2 ]; then exec sleep 60; fi; head -c 64 /dev/zero'),
    );
    expect(await sign(Buffer.from('one'), 'sha256')).toHaveLength(64);
    expect(await sign(Buffer.from('two'), 'sha256')).toHaveLength(64);
    expect(starts()).toBe(3);
  });
});

describe('a program that has started another one', () => {
  it('has signed when it ends, although the other holds its output open', async () => {
    const sign = signByProgram(programThat('sleep 20 & head -c 64 /dev/zero'));
    expect(await sign(Buffer.from('one'), 'sha256')).toHaveLength(64);
  });

  it.each([true, false])('is given up with its output, staying or not: %s', async (keepAlive) => {
    const program = { ...programThat('cat /dev/zero | cat'), keepAlive };
    await expect(signByProgram(program)(Buffer.from('one'), 'sha256')).rejects.toThrow(
      'The program /bin/sh prints more than a signature.',
    );
  });
});
