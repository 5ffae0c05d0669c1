import { fork } from 'node:child_process';
import { join } from 'node:path';
import { compliantDesign } from '../bank/compliant-design.ts';
import { withLatency } from '../bank/design/design-changes.ts';
import { withinBudget } from '../checks/proof-findings.ts';
import { startEmbeddedBank } from '../runner/embedded-bank.ts';
import { catchOrder, codeRoot } from '../runner/package.ts';
import type { Measurement, Task } from './worker.ts';

/**
 * Benchmarks compare with a floor that is measured in the same run, on the same machine, against the same bank;
 * they report ratios, and no test asserts a time.
 */
const concurrency = 32;

/** The client works in a process of its own, as it does in a run. */
function inAnotherProcess(task: Task): Promise<Measurement> {
  return new Promise((resolve, reject) => {
    const child = fork(join(codeRoot, 'src/bench/worker.js'));
    child.once('message', (message) => resolve(message as Measurement));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The benchmark's client ended with exit code ${code}.`)));
    child.send(task);
  });
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const perSecond = ({ requests, durationMs }: Measurement): number => (requests / durationMs) * 1000;
const rounded = (number: number): string => number.toFixed(0).padStart(6);

async function withBank<T>(latencyMs: number, work: (targetText: string) => Promise<T>): Promise<T> {
  const bank = await startEmbeddedBank(
    latencyMs === 0 ? {} : { design: withLatency(latencyMs)(compliantDesign) },
  );
  try {
    return await work(bank.targetText);
  } finally {
    await bank.close();
  }
}

async function compareWithTheFloor(): Promise<void> {
  say(
    `The full suite against the floor (undici, same signatures, no checks), ${concurrency} requests in flight`,
  );
  await withBank(0, async (target) => {
    await inAnotherProcess({ kind: 'floor', target, concurrency, requests: 500 });
    const suite = await inAnotherProcess({ kind: 'suite', target, concurrency });
    const floor = await inAnotherProcess({ kind: 'floor', target, concurrency, requests: suite.requests });
    say(`  suite  ${rounded(perSecond(suite))} requests/s  (${suite.requests} requests)`);
    say(`  floor  ${rounded(perSecond(floor))} requests/s`);
    say(`  ratio  ${((perSecond(suite) / perSecond(floor)) * 100).toFixed(0)} % of the floor`);
  });
}

async function compareLatency(): Promise<void> {
  say(`\nThe full suite with 50 ms of latency, ${concurrency} requests in flight`);
  const near = await withBank(0, (target) => inAnotherProcess({ kind: 'suite', target, concurrency }));
  const far = await withBank(50, (target) => inAnotherProcess({ kind: 'suite', target, concurrency }));
  say(`  without  ${(near.durationMs / 1000).toFixed(1)} s`);
  say(`  with     ${(far.durationMs / 1000).toFixed(1)} s`);
  say(`  ratio    ${(far.durationMs / near.durationMs).toFixed(2)}`);
}

async function floodTheBank(): Promise<void> {
  const requests = 10_000;
  say(`\n${requests} signed payments at 64 in flight, twice`);
  await withBank(0, async (target) => {
    for (const round of ['first ', 'second']) {
      const flood = await inAnotherProcess({ kind: 'floor', target, concurrency: 64, requests });
      globalThis.gc?.();
      const memory = megabytes(process.memoryUsage().heapUsed);
      say(
        `  ${round} ${rounded(perSecond(flood))} requests/s, ${flood.errors} errors, memory of the bank afterwards ${memory}`,
      );
    }
  });
}

/** What a gate with a budget catches, as the last whole proof has shown. */
function drawTheCurve(): void {
  const order = catchOrder();
  if (order === undefined) return;
  const all = order.checks.reduce((sum, { requests }) => sum + requests, 0);
  say(`\nBroken banks of the proof (${order.banks}) that a budget of requests catches, with one case each`);
  for (const requests of [100, 300, 1000, all]) {
    const { share, ids } = withinBudget(order, requests);
    say(`  ${rounded(requests)} requests  ${(share * 100).toFixed(0).padStart(3)} %  (${ids.size} checks)`);
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;

await compareWithTheFloor();
await compareLatency();
await floodTheBank();
drawTheCurve();
