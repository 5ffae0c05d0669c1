import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CommanderError } from 'commander';
import { loadAllSuites } from '../runner/coverage.ts';
import { catchOrderFile, killScoresFile, packageRoot } from '../runner/package.ts';
import { writeCaughtAlone, writeFirstToBlame } from './first-to-blame.ts';
import { learnCatchOrder } from './learn-catch-order.ts';
import { type ProofOptions, proofOptionsOf, whyNothing } from './proof-options.ts';
import { planProof, type Task } from './proof-plan.ts';
import { problemLines, proofPage, sectionLines, summaryLines } from './proof-text.ts';
import { killScoresOf, type Proof, type TaskResult, verdictOf } from './verdict-of-proof.ts';
import type { WorkerMessage } from './worker.ts';

/** The program whose users the faults and the soak are about. */
const command = join(import.meta.dirname, '../cli/main.js');

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

const options = askedFor(process.argv.slice(2));

/** The command line against servers that misbehave on the wire; it says nothing of the checks. */
if (options.faults === true) {
  const { faultRow, faultSummary, faultTableHead, proveFaults } = await import('./faults/prove-faults.ts');
  process.stdout.write(`${faultTableHead}\n`);
  const results = await proveFaults({
    ...options,
    command,
    lanes: options.threads,
    onResult: (result) => process.stdout.write(`${faultRow(result)}\n`),
  });
  if (results.length === 0) nothingMatches(options);
  process.stdout.write(`${faultSummary(results).join('\n')}\n`);
  process.exit(results.every(({ faults }) => Object.keys(faults).length === 0) ? 0 : 1);
}

/** The command line for long, against a bank that is in trouble now and then. */
if (options.soak !== undefined) {
  const { problemsOf, soak, soakLines } = await import('./faults/soak.ts');
  const result = await soak(command, options.soak);
  process.stdout.write(`${soakLines(result).join('\n')}\n`);
  process.exit(problemsOf(result).length === 0 ? 0 : 1);
}

/** The reference bank under requests that no TPP should send. */
if (options.badRequests !== undefined) {
  const { badRequestLines, isHeld, sendBadRequests } = await import('./bad-requests/send-bad-requests.ts');
  const count = options.badRequests;
  const result = await sendBadRequests({
    count,
    seed: options.seed,
    connections: 8 * options.threads,
    onProgress: (done) => progress(done, count),
  });
  process.stdout.write(`${badRequestLines(result).join('\n')}\n`);
  process.exit(isHeld(result) ? 0 : 1);
}

/** The same banks written in another way. */
if (options.sameAs !== undefined) {
  const { compareWith } = await import('./same-as.ts');
  const counts = { same: 0, hidden: 0, different: 0 };
  await compareWith({ ...options, sameAs: options.sameAs }, ({ id, difference, isHidden }) => {
    counts[difference !== undefined ? 'different' : isHidden ? 'hidden' : 'same'] += 1;
    if (difference !== undefined || isHidden)
      process.stdout.write(`${id}: ${difference ?? 'the same, but nothing that was asked shows it'}\n`);
  });
  const { same, hidden, different } = counts;
  if (same + hidden + different === 0) nothingMatches(options);
  process.stdout.write(`${same} the same, ${hidden} that nothing shows, ${different} different\n`);
  process.exit(different === 0 ? 0 : 1);
}

const proofFolder = join(packageRoot, 'reports', 'proof');
const started = performance.now();
const tasks = planProof(options);
if (tasks.length === 0) nothingMatches(options);
const results = await proveAll(tasks, options.threads, (done) => progress(done, tasks.length));
const checks = (await loadAllSuites())
  .flatMap((suite) => suite.checks)
  .filter(({ side }) => options.side === undefined || side === options.side);
const proof = verdictOf(results, checks);
const seconds = (performance.now() - started) / 1000;

/** Only all deviations of a side can tell which of its checks and requirements are left over. */
const isWholeSide = options.only === undefined;
const problems = problemLines(isWholeSide ? proof : { ...proof, unproved: [], needless: [] });
await write(proof);
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
async function write(found: Proof): Promise<void> {
  mkdirSync(proofFolder, { recursive: true });
  writeFileSync(
    join(proofFolder, 'proof.json'),
    `${JSON.stringify({ seed: options.seed, ...found }, null, 2)}\n`,
  );
  writeFileSync(join(proofFolder, 'proof.md'), proofPage(found, seconds));
  const costs = results.find((result) => result.kind === 'costs');
  if (costs === undefined) return;
  mkdirSync(dirname(killScoresFile), { recursive: true });
  const scores = Object.fromEntries(killScoresOf(found));
  writeFileSync(killScoresFile, `${JSON.stringify(scores, null, 2)}\n`);
  const banks = [...found.deviations, ...found.conditional].filter((result) => result.side === 'bank');
  const observing = new Set(checks.flatMap(({ id, observes }) => (observes === true ? [id] : [])));
  const noticed = banks.map(({ atOnceBy = [] }) => ({ noticedBy: atOnceBy }));
  const order = await learnCatchOrder(noticed, costs, observing, sentInTurn);
  writeFileSync(catchOrderFile, `${JSON.stringify(order, null, 2)}\n`);
  const whole = found.deviations.filter((result) => result.side === 'bank');
  const sent = new Map(
    [...costs.alone].map(([id, { own, shared }]) => [
      id,
      own + [...shared.values()].reduce((a, b) => a + b, 0),
    ]),
  );
  writeFirstToBlame(whole, sent);
  writeCaughtAlone(found.deviations);
}

/** What each of the checks sends behind those before it. */
async function sentInTurn(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const [result] = await proveAll([{ kind: 'turns', side: 'bank', ids }], 1, () => {});
  if (result?.kind !== 'turns') throw new Error('The requests of the checks in turn were not counted.');
  return result.requests;
}

/** What the arguments ask for; ends the process where they ask for help, or cannot be read. */
function askedFor(args: readonly string[]): ProofOptions {
  try {
    return proofOptionsOf(args);
  } catch (error) {
    // It has told what is wrong.
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2);
    throw error;
  }
}

/** Nothing was shown, which must not look like a proof. */
function nothingMatches(asked: ProofOptions): never {
  process.stderr.write(`error: ${whyNothing(asked)}\n`);
  process.exit(2);
}

function progress(done: number, total: number): void {
  const { stderr } = process;
  if (stderr.isTTY) stderr.write(`\r${done} of ${total}${done === total ? '\r\x1b[K' : ''}`);
  else if (done % 100 === 0) stderr.write(`${done} of ${total}\n`);
}
