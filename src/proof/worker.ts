import { parentPort } from 'node:worker_threads';
import { placeChecks } from '../checks/judge.ts';
import { loadSuites } from '../runner/load-suites.ts';
import type { Task } from './proof-plan.ts';
import { prove, type TaskResult } from './prover.ts';
import { createProvingGround } from './proving-ground.ts';

/** What goes to the main thread: readiness, or the result of a task. */
export interface WorkerMessage {
  readonly result?: TaskResult;
}

if (parentPort !== null) {
  const port = parentPort;
  const [ground, suites] = await Promise.all([createProvingGround(), loadSuites()]);
  const checks = placeChecks(suites);
  port.on('message', (task: Task) => {
    prove(task, checks, ground).then(
      (result) => port.postMessage({ result } satisfies WorkerMessage),
      (error: unknown) => {
        throw error;
      },
    );
  });
  port.postMessage({} satisfies WorkerMessage);
}
