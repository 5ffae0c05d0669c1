import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { placeChecks } from '../checks/judge.ts';
import { killScoresFile } from '../runner/kill-scores.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { packageRoot } from '../runner/package.ts';
import { planProof } from './proof-plan.ts';
import { problemLines, proofPage, summaryLines } from './proof-text.ts';
import { killScoresOf, type Proof, verdictOf } from './verdict-of-proof.ts';
import { proveAll } from './work-force.ts';

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    only: { type: 'string' },
    combinations: { type: 'string', default: '200' },
    seed: { type: 'string', default: '20260101' },
    threads: { type: 'string', default: String(availableParallelism()) },
  },
});

const started = performance.now();
const checks = placeChecks(await loadSuites());
const tasks = planProof({
  full: values.full,
  combinations: Number(values.combinations),
  seed: Number(values.seed),
  ...(values.only === undefined ? {} : { only: new RegExp(values.only) }),
});
const results = await proveAll(tasks, Number(values.threads), (_, done) => progress(done, tasks.length));
const proof = verdictOf(results, checks);
const seconds = (performance.now() - started) / 1000;

write(proof);
const problems = problemLines(values.only === undefined ? proof : { ...proof, unproved: [] });
for (const line of [...problems, ...(problems.length === 0 ? [] : ['']), ...summaryLines(proof, seconds)]) {
  process.stdout.write(`${line}\n`);
}
process.exitCode = problems.length === 0 ? 0 : 1;

/** A part of a proof says nothing about the rest, so it leaves no scores. */
function write(found: Proof): void {
  const folder = join(packageRoot, 'reports', 'proof');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'proof.json'), `${JSON.stringify({ seed: values.seed, ...found }, null, 2)}\n`);
  writeFileSync(join(folder, 'proof.md'), proofPage(found, seconds));
  if (values.only !== undefined) return;
  mkdirSync(dirname(killScoresFile), { recursive: true });
  writeFileSync(killScoresFile, `${JSON.stringify(killScoresOf(found), null, 2)}\n`);
}

function progress(done: number, total: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${total}${done === total ? '\r\x1b[K' : ''}`);
}
