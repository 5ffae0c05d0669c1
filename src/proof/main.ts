import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { catchOrderOf } from '../checks/proof-findings.ts';
import { loadAllSuites } from '../runner/coverage.ts';
import { catchOrderFile, killScoresFile, packageRoot } from '../runner/package.ts';
import { badRequestLines, isHeld, sendBadRequests } from './bad-requests/send-bad-requests.ts';
import { faultRow, faultSummary, faultTableHead, proveFaults } from './faults/prove-faults.ts';
import { problemsOf, soak, soakLines } from './faults/soak.ts';
import { planProof, type Task } from './proof-plan.ts';
import { problemLines, proofPage, sectionLines, summaryLines } from './proof-text.ts';
import { killScoresOf, type Proof, type TaskResult, verdictOf } from './verdict-of-proof.ts';
import type { WorkerMessage } from './worker.ts';

/** While one bank makes its TPP wait, the thread has another task. */
const tasksAtOnce = 2;

/** Short-lived answers by the thousand: room for them costs less than clearing it all the time. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 };

/** Shares tasks out among threads, each of which takes the next one when it is done with one of its own. */
async function proveAll(
  tasks: readonly Task[],
  threads: number,
  onDone: (done: number) => void,
): Promise<readonly TaskResult[]> {
  const queue = [...tasks];
  const found: TaskResult[] = [];
  let done = 0;
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL('./worker.js', import.meta.url), { resourceLimits });
      worker.on('error', reject);
      worker.on('exit', () => resolve());
      let underWay = 0;
      worker.on('message', ({ results }: WorkerMessage) => {
        if (results !== undefined) {
          underWay -= 1;
          done += 1;
          found.push(...results);
          onDone(done);
        }
        for (; underWay < tasksAtOnce && queue.length > 0; underWay += 1) worker.postMessage(queue.shift());
        if (underWay === 0) void worker.terminate();
      });
    });
  await Promise.all(Array.from({ length: Math.min(threads, tasks.length) }, work));
  return found;
}

const usage = `Usage: npm run proof -- [options]

Proves the checks on banks and TPPs that are broken on purpose, and on such as are unusual and still compliant.

  --only REGEX         only deviations and dialects whose id matches, such as AMT-02 or 'NDC-11/.*@'
  --side bank|tpp      only one side
  --full               every check against every broken bank
  --each               every dialect of a bank alone, instead of most of them in pools; twice as long
  --combinations N     random combinations of dialects (200)
  --conditional N      deviations that show under a condition only (450)
  --learning           also asks of each broken bank what doctor --learn would make of it; twice as long
  --seed N             draws other combinations, conditions and payloads
  --shard I/N          one part of N
  --threads N          threads to work with (one for each core)
  --faults             the command line against servers that misbehave on the wire, instead
  --bad-requests N     the reference bank under requests that no TPP should send, instead
  --soak CASES         the command line with so many cases of each property against a bank in trouble, instead
`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h', default: false },
    full: { type: 'boolean', default: false },
    each: { type: 'boolean', default: false },
    only: { type: 'string' },
    side: { type: 'string' },
    faults: { type: 'boolean', default: false },
    'bad-requests': { type: 'string' },
    soak: { type: 'string' },
    shard: { type: 'string', default: '1/1' },
    combinations: { type: 'string', default: '200' },
    conditional: { type: 'string', default: '450' },
    learning: { type: 'boolean', default: false },
    seed: { type: 'string', default: '20260101' },
    threads: { type: 'string', default: String(availableParallelism()) },
  },
});

if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}

/** The command line against servers that misbehave on the wire; it says nothing of the checks. */
if (values.faults) {
  process.stdout.write(`${faultTableHead}\n`);
  const results = await proveFaults({
    command: join(import.meta.dirname, '../cli/main.js'),
    combinations: Number(values.combinations),
    seed: Number(values.seed),
    lanes: Number(values.threads),
    ...(values.only === undefined ? {} : { only: new RegExp(values.only) }),
    shard: shardOf(values.shard),
    onResult: (result) => process.stdout.write(`${faultRow(result)}\n`),
  });
  process.stdout.write(`${faultSummary(results).join('\n')}\n`);
  process.exit(results.every(({ faults }) => Object.keys(faults).length === 0) ? 0 : 1);
}

/** The command line for long, against a bank that is in trouble now and then. */
if (values.soak !== undefined) {
  const result = await soak(join(import.meta.dirname, '../cli/main.js'), Number(values.soak));
  process.stdout.write(`${soakLines(result).join('\n')}\n`);
  process.exit(problemsOf(result).length === 0 ? 0 : 1);
}

/** The reference bank under requests that no TPP should send. */
if (values['bad-requests'] !== undefined) {
  const count = Number(values['bad-requests']);
  const result = await sendBadRequests({
    count,
    seed: Number(values.seed),
    connections: 8 * Number(values.threads),
    onProgress: (done) => progress(done, count),
  });
  process.stdout.write(`${badRequestLines(result).join('\n')}\n`);
  process.exit(isHeld(result) ? 0 : 1);
}

const { side } = values;
if (side !== undefined && side !== 'bank' && side !== 'tpp') {
  process.stderr.write(`--side takes "bank" or "tpp", not "${side}".\n`);
  process.exit(2);
}

const proofFolder = join(packageRoot, 'reports', 'proof');
const started = performance.now();
const tasks = planProof({
  full: values.full,
  each: values.each,
  combinations: Number(values.combinations),
  conditional: Number(values.conditional),
  learning: values.learning,
  seed: Number(values.seed),
  ...(values.only === undefined ? {} : { only: new RegExp(values.only) }),
  ...(side === undefined ? {} : { side }),
});
const results = await proveAll(tasks, Number(values.threads), (done) => progress(done, tasks.length));
const checks = (await loadAllSuites())
  .flatMap((suite) => suite.checks)
  .filter((check) => side === undefined || check.side === side);
const proof = verdictOf(results, checks);
const seconds = (performance.now() - started) / 1000;

/** Only all deviations of a side can tell which of its checks and requirements are left over. */
const isWholeSide = values.only === undefined;
const problems = problemLines(isWholeSide ? proof : { ...proof, unproved: [], needless: [] });
write(proof);
const parts = [sectionLines(proof), problems, summaryLines(proof, seconds, isWholeSide)];
process.stdout.write(
  `${parts
    .filter(({ length }) => length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`,
);
process.stdout.write(`Matrix        ${relative('', join(proofFolder, 'proof.md'))}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** A part of a proof says nothing about the rest, so it leaves no scores. */
function write(found: Proof): void {
  mkdirSync(proofFolder, { recursive: true });
  writeFileSync(
    join(proofFolder, 'proof.json'),
    `${JSON.stringify({ seed: values.seed, ...found }, null, 2)}\n`,
  );
  writeFileSync(join(proofFolder, 'proof.md'), proofPage(found, seconds));
  const costs = results.find((result) => result.kind === 'costs');
  if (costs === undefined) return;
  mkdirSync(dirname(killScoresFile), { recursive: true });
  const scores = Object.fromEntries(killScoresOf(found));
  writeFileSync(killScoresFile, `${JSON.stringify(scores, null, 2)}\n`);
  const banks = [...found.deviations, ...found.conditional].filter((result) => result.side === 'bank');
  const order = catchOrderOf(
    banks.map(({ atOnceBy = [] }) => ({ noticedBy: atOnceBy })),
    costs.requests,
  );
  writeFileSync(catchOrderFile, `${JSON.stringify(order, null, 2)}\n`);
}

/** `2/5`: the second of five parts. */
function shardOf(text: string): { readonly index: number; readonly count: number } {
  const [index = 1, count = 1] = text.split('/').map(Number);
  return { index, count };
}

function progress(done: number, total: number): void {
  const { stderr } = process;
  if (stderr.isTTY) stderr.write(`\r${done} of ${total}${done === total ? '\r\x1b[K' : ''}`);
  else if (done % 100 === 0) stderr.write(`${done} of ${total}\n`);
}
