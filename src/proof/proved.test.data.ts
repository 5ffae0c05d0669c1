import type { Deviation } from '../bank/deviations/index.ts';
import { requirementsOf } from '../checks/check.ts';
import { type PlacedCheck, placeChecks } from '../checks/judge.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { proveDeviation } from './prove-deviation.ts';
import { createProvingGround, type ProvingGround } from './proving-ground.ts';

export interface ProofSetup {
  readonly ground: ProvingGround;
  readonly checks: readonly PlacedCheck[];
}

export async function proofSetup(): Promise<ProofSetup> {
  const [ground, suites] = await Promise.all([createProvingGround(), loadSuites()]);
  return { ground, checks: placeChecks(suites) };
}

/** The checks of a requirement; the others are left to the whole proof. */
export const citing = (checks: readonly PlacedCheck[], requirement: string): readonly PlacedCheck[] =>
  checks.filter(({ check }) => requirementsOf(check).includes(requirement));

/** What is wrong with the proof of some deviations: each that no check of its requirement notices. */
export async function unnoticed(
  deviations: readonly Deviation[],
  { checks, ground }: ProofSetup,
): Promise<readonly string[]> {
  const survivors: string[] = [];
  for (const deviation of deviations) {
    const { blamed, said } = await proveDeviation(deviation, citing(checks, deviation.requirement), ground);
    if (!blamed) survivors.push(`${deviation.id}: ${deviation.title}; ${said.join('; ')}`);
  }
  return survivors;
}

/** One part of a list out of several, so that test files can share it. */
export const part = <Item>(items: readonly Item[], number: number, of: number): readonly Item[] =>
  items.filter((_, index) => index % of === number);
