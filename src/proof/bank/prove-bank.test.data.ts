import type { Deviation } from '../../bank/deviations/index.ts';
import { requirementsOf } from '../../checks/check.ts';
import { type PlacedCheck, placeChecks } from '../../checks/engine.ts';
import { loadSuites } from '../../runner/load-suites.ts';
import { firstToBlame } from '../first-to-blame.ts';
import { type BankKeys, createBankKeys } from './bank-under-test.ts';
import { proveDeviation } from './prove-bank.ts';

export interface ProofSetup {
  readonly keys: BankKeys;
  readonly checks: readonly PlacedCheck[];
}

let made: Promise<ProofSetup> | undefined;

/** Made once for all test files of a process. */
export function proofSetup(): Promise<ProofSetup> {
  made ??= Promise.all([createBankKeys(), loadSuites()]).then(([keys, suites]) => ({
    keys,
    checks: placeChecks(suites),
  }));
  return made;
}

/** The checks of a requirement; the others are left to the whole proof. */
export const citing = (checks: readonly PlacedCheck[], requirement: string): readonly PlacedCheck[] =>
  checks.filter(({ check }) => requirementsOf(check).includes(requirement));

/**
 * What is wrong with the proof of some deviations: each that no check of its requirement notices. Drawn with another seed
 * than that of the whole proof, since a bank is to be found out by any run.
 */
export async function unnoticed(
  deviations: readonly Deviation[],
  { checks, keys }: ProofSetup,
  seed: number,
): Promise<readonly string[]> {
  const survivors: string[] = [];
  const likeliest = firstToBlame();
  for (const deviation of deviations) {
    const { blamed, said } = await proveDeviation(deviation, checks, keys, {
      all: false,
      untilBlamed: true,
      first: likeliest.get(deviation.id),
      seed,
    });
    if (!blamed) survivors.push(`${deviation.id}: ${deviation.title}; ${said.join('; ')}`);
  }
  return survivors;
}

/** One part of a list out of several, so that test files can share it. */
export const part = <Item>(items: readonly Item[], number: number, of: number): readonly Item[] =>
  items.filter((_, index) => index % of === number);
