import type { Deviation } from '../../bank/deviations/index.ts';
import { dialects } from '../../bank/dialects/index.ts';
import { requirementsOf } from '../../checks/check.ts';
import { type PlacedCheck, placeChecks } from '../../checks/engine.ts';
import { loadSuites } from '../../runner/load-suites.ts';
import { poolSize, poolsOf } from '../dialect-pools.ts';
import { firstToBlame } from '../first-to-blame.ts';
import { type BankKeys, createBankKeys } from './bank-under-test.ts';
import { proveDeviation } from './prove-bank.ts';
import { provePool } from './prove-dialects.ts';

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

/** Each pool of dialects meets other checks; the whole proof runs them all. */
const shares = 12;

/** What the checks say of every second pool of compliant dialects, beginning with the first or the second one. */
export async function alarmsOfHalf(half: 0 | 1, { checks, keys }: ProofSetup): Promise<readonly string[]> {
  const alarms: string[] = [];
  for (const [index, pool] of poolsOf(dialects, poolSize, 1).entries()) {
    if (index % 2 !== half) continue;
    const results = await provePool(pool, part(checks, index % shares, shares), keys, { seed: index + 1 });
    for (const { ids, alarms: said } of results)
      alarms.push(...said.map((alarm) => `${ids.join(' + ')}: ${alarm}`));
  }
  return alarms;
}

/** One part of a list out of several, so that test files can share it. */
export const part = <Item>(items: readonly Item[], number: number, of: number): readonly Item[] =>
  items.filter((_, index) => index % of === number);
