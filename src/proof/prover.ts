import { deviationById } from '../bank/deviations/index.ts';
import { dialectById } from '../bank/dialects/index.ts';
import type { PlacedCheck } from '../checks/judge.ts';
import { costlyChecks, type Task } from './proof-plan.ts';
import { type DeviationResult, proveDeviation } from './prove-deviation.ts';
import { type DialectResult, proveDialects } from './prove-dialect.ts';
import type { ProvingGround } from './proving-ground.ts';

export type TaskResult =
  | ({ readonly kind: 'deviation' } & DeviationResult)
  | ({ readonly kind: 'dialect' } & DialectResult);

export async function prove(
  task: Task,
  checks: readonly PlacedCheck[],
  ground: ProvingGround,
): Promise<TaskResult> {
  if (task.kind === 'deviation') {
    const deviation = known(deviationById.get(task.id), task.id);
    return { kind: 'deviation', ...(await proveDeviation(deviation, checks, ground, { all: task.all })) };
  }
  const dialects = task.ids.map((id) => known(dialectById.get(id), id));
  const { from, step } = task.checks;
  const met = checks.filter(
    ({ check }, place) => place % step === from && (task.costly || !costlyChecks.includes(check.id)),
  );
  return { kind: 'dialect', ...(await proveDialects(dialects, met, ground, task.seed)) };
}

function known<Found>(found: Found | undefined, id: string): Found {
  if (found === undefined) throw new Error(`There is no deviation or dialect ${id}.`);
  return found;
}
