import { parentPort } from 'node:worker_threads';
import { conditionalDeviations, deviationById } from '../bank/deviations/index.ts';
import { type Dialect, dialectById } from '../bank/dialects/index.ts';
import { type PlacedCheck, placeChecks } from '../checks/engine.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { once } from '../spec/once.ts';
import { createBankKeys } from './bank/bank-under-test.ts';
import { proveDeviation } from './bank/prove-bank.ts';
import { proveDialects, provePool } from './bank/prove-dialects.ts';
import { requestsAlone, requestsInTurn, requestsOfPreparation } from './bank/request-costs.ts';
import { costlyChecks, type Task } from './proof-plan.ts';
import { createTppKeys } from './tpp/certify.ts';
import { conditionalTppDeviations, tppDeviations } from './tpp/conditional.ts';
import { tppDialects } from './tpp/dialects.ts';
import { proveTppDeviation, proveTppDialect } from './tpp/prove-tpp.ts';
import type { DeviationResult, DialectResult, TaskResult } from './verdict-of-proof.ts';

/** What goes to the main thread: readiness, or the results of a task. */
export interface WorkerMessage {
  readonly results?: readonly TaskResult[];
}

/** Made when the first task of a side comes: a part of a proof may need but one of them. */
const bankTools = once(async () => ({
  keys: await createBankKeys(),
  checks: placeChecks(await loadSuites('bank')),
}));

const tppTools = once(async () => ({ keys: await createTppKeys(), suites: await loadSuites('tpp') }));

async function prove(task: Task): Promise<readonly TaskResult[]> {
  if (task.kind === 'deviation') return [{ kind: 'deviation', ...(await deviationResult(task)) }];
  if (task.kind === 'costs') {
    const { keys, checks } = await bankTools();
    const preparation = await requestsOfPreparation(keys);
    return [{ kind: 'costs', alone: await requestsAlone(checks, keys), preparation }];
  }
  if (task.kind === 'turns') {
    const { keys, checks } = await bankTools();
    const byId = new Map(checks.map((placed) => [placed.check.id, placed]));
    const inTurn = task.ids.map((id) => known(byId.get(id), id));
    return [{ kind: 'turns', requests: await requestsInTurn(inTurn, keys) }];
  }
  const results = task.kind === 'pool' ? await poolResults(task) : [await dialectResult(task)];
  return results.map((result) => ({ kind: 'dialect', ...result }));
}

async function deviationResult({
  side,
  id,
  all,
  learns,
  seed,
}: Task & { kind: 'deviation' }): Promise<DeviationResult> {
  if (side === 'tpp') {
    const { keys, suites } = await tppTools();
    const deviation = [...tppDeviations, ...conditionalTppDeviations].find(
      (candidate) => candidate.id === id,
    );
    return proveTppDeviation(known(deviation, id), suites, keys);
  }
  const { keys, checks } = await bankTools();
  const found = deviationById.get(id) ?? conditionalDeviations().find((candidate) => candidate.id === id);
  return proveDeviation(known(found, id), checks, keys, { all, learns: learns === true, seed });
}

async function dialectResult(task: Task & { kind: 'dialect' }): Promise<DialectResult> {
  if (task.side === 'tpp') {
    const { keys, suites } = await tppTools();
    const dialect = tppDialects.find(({ id }) => id === task.id);
    return proveTppDialect(known(dialect, task.id), suites, keys);
  }
  const { keys, checks } = await bankTools();
  const { from, step } = task.checks;
  const met = checks.filter((_, place) => place % step === from);
  return proveDialects(dialectsOf(task), affordable(met, task), keys, {
    seed: task.seed,
    isWhole: step === 1,
  });
}

async function poolResults(task: Task & { kind: 'pool' }): Promise<readonly DialectResult[]> {
  const { keys, checks } = await bankTools();
  return provePool(dialectsOf(task), affordable(checks, task), keys, { seed: task.seed, isWhole: true });
}

const dialectsOf = ({ ids }: { readonly ids: readonly string[] }): readonly Dialect[] =>
  ids.map((id) => known(dialectById.get(id), id));

const affordable = (
  checks: readonly PlacedCheck[],
  { costly }: { readonly costly: boolean },
): readonly PlacedCheck[] => checks.filter(({ check }) => costly || !costlyChecks.includes(check.id));

function known<Found>(found: Found | undefined, id: string): Found {
  if (found === undefined) throw new Error(`There is no deviation, dialect or check ${id}.`);
  return found;
}

if (parentPort !== null) {
  const port = parentPort;
  port.on('message', (task: Task) => {
    prove(task).then(
      (results) => port.postMessage({ results } satisfies WorkerMessage),
      (error: unknown) => {
        throw error;
      },
    );
  });
  port.postMessage({} satisfies WorkerMessage);
}
