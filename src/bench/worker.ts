import { placeChecks, runChecks } from '../checks/engine.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { createRunContext } from '../runner/run-context.ts';
import type { Target } from '../target/target.ts';
import { type Measurement, startMeasuring } from './measurement.ts';
import { benchTarget, paymentSigner, sendPayments, signedPayments } from './signed-payments.ts';

/** What the benchmark's client is told to do. */
export type Task = { readonly target: string; readonly concurrency: number } & (
  | { readonly kind: 'suite' }
  /** Payments that are signed as they are sent, or before the time is taken. */
  | { readonly kind: 'floor' | 'sent'; readonly requests: number }
);

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

async function measureFloor(target: Target, concurrency: number, requests: number): Promise<Measurement> {
  const { sign, close } = paymentSigner(target);
  const measurement = await sendPayments(target, concurrency, requests, sign);
  await close();
  return measurement;
}

async function measureSent(target: Target, concurrency: number, requests: number): Promise<Measurement> {
  const drafts = await signedPayments(target, requests);
  return sendPayments(target, concurrency, requests, async () => {
    const draft = drafts.pop();
    if (draft === undefined) throw new Error('Fewer payments were signed than are to be sent.');
    return draft;
  });
}

function measured(task: Task, target: Target): Promise<Measurement> {
  switch (task.kind) {
    case 'suite':
      return measureSuite(target);
    case 'floor':
      return measureFloor(target, task.concurrency, task.requests);
    case 'sent':
      return measureSent(target, task.concurrency, task.requests);
  }
}

process.once('message', async (task: Task) => {
  const measurement = await measured(task, await benchTarget(task.target, task.concurrency));
  process.send?.(measurement, () => process.disconnect());
});
