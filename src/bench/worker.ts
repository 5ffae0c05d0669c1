import fc from 'fast-check';
import { Pool } from 'undici';
import { placeChecks, runChecks } from '../checks/engine.ts';
import { Amounts } from '../payloads/amounts.ts';
import { paymentsOf } from '../payloads/payments.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { createRunContext } from '../runner/run-context.ts';
import { defaultProduct } from '../spec/products.ts';
import { loadTarget } from '../target/load-target.ts';
import type { Target } from '../target/target.ts';

/** What the benchmark's client is told to do. */
export type Task =
  | { readonly kind: 'suite'; readonly target: string; readonly concurrency: number }
  | {
      readonly kind: 'floor';
      readonly target: string;
      readonly concurrency: number;
      readonly requests: number;
    };

export interface Measurement {
  readonly requests: number;
  readonly durationMs: number;
  readonly errors: number;
  /** Time of processors, which a busy machine changes less than the time that passes. */
  readonly cpuMs: number;
}

function startMeasuring(): () => Pick<Measurement, 'durationMs' | 'cpuMs'> {
  const started = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { durationMs: performance.now() - started, cpuMs: (user + system) / 1000 };
  };
}

async function measureSuite(target: Target): Promise<Measurement> {
  const runContext = createRunContext({ target, seed: 1, runs: 10 });
  const checks = placeChecks(await loadSuites());
  const measure = startMeasuring();
  const results = await runChecks(checks, runContext);
  const spent = measure();
  await runContext.client.options.transport.close();
  const errors = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable').length;
  return { requests: runContext.client.requests, errors, ...spent };
}

/** Signed payments over undici as fast as they go: nothing is recorded, judged or drawn. */
async function measureFloor(target: Target, concurrency: number, requests: number): Promise<Measurement> {
  const runContext = createRunContext({ target, seed: 1, runs: 1 });
  const { client } = runContext;
  const { ca } = target.tls;
  const pool = new Pool(new URL(target.baseUrl).origin, {
    connections: concurrency,
    connect: ca === undefined ? {} : { ca },
  });
  const facts = { ...target.accounts, now: new Date() };
  const [body] = fc.sample(paymentsOf(defaultProduct, facts, new Amounts(1, 0)), { seed: 1, numRuns: 1 });
  let left = requests;
  let errors = 0;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const draft = await client.prepare({ operation: defaultProduct.creation, body });
      const response = await pool.request({
        method: 'POST',
        path: draft.target,
        headers: draft.headers.lines().flat(),
        body: draft.body ?? null,
      });
      await response.body.dump();
      if (response.statusCode !== 201) errors += 1;
    }
  };
  const measure = startMeasuring();
  await Promise.all(Array.from({ length: concurrency }, work));
  const spent = measure();
  await pool.close();
  await client.options.transport.close();
  return { requests, errors, ...spent };
}

process.once('message', async (task: Task) => {
  const loaded = await loadTarget({ text: task.target });
  const { requestsPerSecond, ...pace } = loaded.pace;
  const target = { ...loaded, pace: { ...pace, concurrency: task.concurrency } };
  const measurement =
    task.kind === 'suite'
      ? await measureSuite(target)
      : await measureFloor(target, task.concurrency, task.requests);
  process.send?.(measurement, () => process.disconnect());
});
