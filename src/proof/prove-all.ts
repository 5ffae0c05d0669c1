import { Worker } from 'node:worker_threads';
import type { Task } from './proof-plan.ts';
import type { TaskResult } from './verdict-of-proof.ts';
import type { WorkerMessage } from './worker.ts';

/** While one bank makes its TPP wait, the thread has another task. */
const tasksAtOnce = 2;

/** Short-lived answers by the thousand: room for them costs less than clearing it all the time. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 };

/** Shares tasks out among threads, each of which takes the next one when it is done with one of its own. */
export async function proveAll(
  tasks: readonly Task[],
  threads: number,
  onResult: (result: TaskResult, done: number) => void,
): Promise<readonly TaskResult[]> {
  const queue = [...tasks];
  const results: TaskResult[] = [];
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./worker.js', import.meta.url), { resourceLimits });
      worker.on('error', reject);
      worker.on('exit', () => resolve());
      let underWay = 0;
      worker.on('message', ({ result }: WorkerMessage) => {
        if (result !== undefined) {
          underWay -= 1;
          results.push(result);
          onResult(result, results.length);
        }
        for (; underWay < tasksAtOnce && queue.length > 0; underWay += 1) worker.postMessage(queue.shift());
        if (underWay === 0) void worker.terminate();
      });
    });
  await Promise.all(Array.from({ length: Math.min(threads, tasks.length) }, work));
  return results;
}
