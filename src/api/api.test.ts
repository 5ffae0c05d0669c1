import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type JudgedCheck,
  judgeTpp,
  loadTarget,
  type ReferenceBank,
  runConformance,
  startReferenceBank,
} from './index.ts';

describe('a program that judges a bank', () => {
  let bank: ReferenceBank;
  let out: string;
  beforeAll(async () => {
    bank = await startReferenceBank({ deviations: ['AMT-02/unchecked'] });
    out = await mkdtemp(join(tmpdir(), 'xs2a-api-'));
  });
  afterAll(async () => {
    await bank.close();
    await rm(out, { recursive: true });
  });

  it('hears of each check and gets the verdict, and finds no file it did not ask for', async () => {
    const heard: JudgedCheck[] = [];
    const judgement = await runConformance(bank.target, {
      only: ['AMT-02', 'DIG-01'],
      seed: 7,
      runs: 2,
      onCheck: (check) => heard.push(check),
    });
    expect(judgement.verdict).toBe('non-conformant');
    expect(judgement.checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)).toEqual(
      expect.arrayContaining(['AMT-02']),
    );
    expect(heard.map(({ id }) => id).toSorted()).toEqual(judgement.checks.map(({ id }) => id).toSorted());
    expect(judgement.out).toBeUndefined();
    expect(judgement.seed).toBe(7);
  });

  it('gets the reports in the folder that it names', async () => {
    const judgement = await runConformance(bank.target, { only: ['DIG-01'], runs: 1, out: join(out, 'run') });
    expect(judgement.verdict).toBe('partial');
    for (const file of ['summary.json', 'junit.xml', 'report.html'])
      expect(existsSync(join(out, 'run', file))).toBe(true);
  });

  it('is told what is wrong with a target file, or with what it asks for', async () => {
    await expect(loadTarget(join(out, 'none.yaml'))).rejects.toThrow('does not exist');
    await expect(runConformance(bank.target, { only: ['ATM-02'] })).rejects.toThrow('AMT-02');
    await expect(startReferenceBank({ deviations: ['AMT-02/uncheckd'] })).rejects.toThrow('AMT-02/unchecked');
  });
});

it('a TPP is judged by what it sends, and nothing of it is left behind', async ({ onTestFinished }) => {
  const temporary = await mkdtemp(join(tmpdir(), 'xs2a-api-'));
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(temporary, { recursive: true });
  });
  const judgement = await judgeTpp(
    async ({ baseUrl, ca }) => {
      const dispatcher = new Agent({ connect: { ca } });
      const { statusCode } = await request(`${baseUrl}/v1/accounts`, { dispatcher });
      expect(statusCode).toBe(400);
      await dispatcher.close();
    },
    { profiles: ['accounts'] },
  );
  expect(judgement.verdict).toBe('non-conformant');
  const broken = judgement.checks.filter(({ verdict }) => verdict === 'fail');
  expect(broken.flatMap(({ requirements }) => requirements)).toContain('TPP-03');
  expect(await readdir(temporary)).toEqual([]);
});
