import { Worker } from 'node:worker_threads';
import type { Task } from './proof-plan.ts';
import type { TaskResult } from './prover.ts';
import type { WorkerMessage } from './worker.ts';

/** Shares tasks out among threads, each of which takes the next one when it is done with its own. */
export async function proveAll(
  tasks: readonly Task[],
  threads: number,
  onResult: (result: TaskResult, done: number) => void,
): Promise<readonly TaskResult[]> {
  const queue = [...tasks];
  const results: TaskResult[] = [];
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./worker.js', import.meta.url));
      worker.on('error', reject);
      worker.on('exit', () => resolve());
      worker.on('message', ({ result }: WorkerMessage) => {
        if (result !== undefined) {
          results.push(result);
          onResult(result, results.length);
        }
        const next = queue.shift();
        if (next === undefined) void worker.terminate();
        else worker.postMessage(next);
      });
    });
  await Promise.all(Array.from({ length: Math.min(threads, tasks.length) }, work));
  return results;
}
