import { parentPort } from 'node:worker_threads';
import { conditionalDeviations, deviationById } from '../bank/deviations/index.ts';
import { dialectById } from '../bank/dialects/index.ts';
import { placeChecks } from '../checks/engine.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { createBankKeys } from './bank/bank-under-test.ts';
import { proveDeviation, proveDialects } from './bank/prove-bank.ts';
import { costlyChecks, type Task } from './proof-plan.ts';
import { createTppKeys } from './tpp/certify.ts';
import { conditionalTppDeviations, tppDeviations } from './tpp/conditional.ts';
import { tppDialects } from './tpp/dialects.ts';
import { proveTppDeviation, proveTppDialect } from './tpp/prove-tpp.ts';
import type { DeviationResult, DialectResult, TaskResult } from './verdict-of-proof.ts';

/** What goes to the main thread: readiness, or the result of a task. */
export interface WorkerMessage {
  readonly result?: TaskResult;
}

/** Made when the first task of a side comes: a part of a proof may need but one of them. */
const once = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const bankTools = once(async () => ({
  keys: await createBankKeys(),
  checks: placeChecks(await loadSuites('bank')),
}));

const tppTools = once(async () => ({ keys: await createTppKeys(), suites: await loadSuites('tpp') }));

async function prove(task: Task): Promise<TaskResult> {
  return task.kind === 'deviation'
    ? { kind: 'deviation', ...(await deviationResult(task)) }
    : { kind: 'dialect', ...(await dialectResult(task)) };
}

async function deviationResult({
  side,
  id,
  all,
  learns,
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
  return proveDeviation(known(found, id), checks, keys, { all, learns: learns === true });
}

async function dialectResult(task: Task & { kind: 'dialect' }): Promise<DialectResult> {
  if (task.side === 'tpp') {
    const { keys, suites } = await tppTools();
    const dialect = tppDialects.find(({ id }) => id === task.id);
    return proveTppDialect(known(dialect, task.id), suites, keys);
  }
  const { keys, checks } = await bankTools();
  const dialects = task.ids.map((id) => known(dialectById.get(id), id));
  const { from, step } = task.checks;
  const met = checks.filter(
    ({ check }, place) => place % step === from && (task.costly || !costlyChecks.includes(check.id)),
  );
  return proveDialects(dialects, met, keys, {
    seed: task.seed,
    isWhole: step === 1,
    learns: task.learns === true,
  });
}

function known<Found>(found: Found | undefined, id: string): Found {
  if (found === undefined) throw new Error(`There is no deviation or dialect ${id}.`);
  return found;
}

if (parentPort !== null) {
  const port = parentPort;
  port.on('message', (task: Task) => {
    prove(task).then(
      (result) => port.postMessage({ result } satisfies WorkerMessage),
      (error: unknown) => {
        throw error;
      },
    );
  });
  port.postMessage({} satisfies WorkerMessage);
}
