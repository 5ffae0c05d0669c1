import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CheckDescription, type LoadedSuite, levelOf } from '../checks/check.ts';
import { defaultReadings } from '../spec/interpretations.ts';
import type { Level } from '../spec/requirement.ts';
import { codeRoot } from './package.ts';

/** A way in which the reference bank can be broken or unusual. */
export interface BankSwitch {
  readonly id: string;
  readonly title: string;
  /** The one that a deviation breaks. */
  readonly requirement?: string;
}

/** All that can be said of checks, deviations and dialects without running any: plain data. */
export interface Descriptions {
  /** The suites of both sides, those of a bank first. */
  readonly suites: readonly LoadedSuite<CheckDescription>[];
  /** The level of each check under the default readings; without one it is not judged. */
  readonly levels: Readonly<Record<string, Level>>;
  readonly deviations: readonly BankSwitch[];
  readonly dialects: readonly BankSwitch[];
}

/** Written by the build: reading it takes a tenth of the time that all suites and the bank take to load. */
const writtenFile = join(codeRoot, 'descriptions.json');

export async function loadDescriptions(): Promise<Descriptions> {
  return existsSync(writtenFile)
    ? (JSON.parse(readFileSync(writtenFile, 'utf8')) as Descriptions)
    : describeEverything();
}

/** What is said of the checks on a bank, without making them where that was written down. */
export async function describedBankSuites(): Promise<Descriptions['suites']> {
  if (existsSync(writtenFile)) {
    const { suites } = await loadDescriptions();
    return suites.filter(({ id }) => !id.startsWith('tpp/'));
  }
  const { loadSuites } = await import('./load-suites.ts');
  return loadSuites();
}

export async function writeDescriptions(): Promise<void> {
  writeFileSync(writtenFile, JSON.stringify(await describeEverything()));
}

async function describeEverything(): Promise<Descriptions> {
  const { loadSuites } = await import('./load-suites.ts');
  const [ofBanks, ofTpps, { deviations }, { dialects }] = await Promise.all([
    loadSuites('bank'),
    loadSuites('tpp'),
    import('../bank/deviations/index.ts'),
    import('../bank/dialects/index.ts'),
  ]);
  const suites: readonly LoadedSuite<CheckDescription>[] = [...ofBanks, ...ofTpps];
  const levels = suites.flatMap(({ checks }) =>
    checks.flatMap((check) => {
      const level = levelOf(check, defaultReadings);
      return level === undefined ? [] : [[check.id, level] as const];
    }),
  );
  return {
    suites,
    levels: Object.fromEntries(levels),
    deviations: deviations.map(({ id, title, requirement }) => ({ id, title, requirement })),
    dialects: dialects.map(({ id, title }) => ({ id, title })),
  };
}
