import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { deviantTpps } from '../certification/proof/deviants.ts';
import {
  describeTppProof,
  isProven,
  needlessTppChecks,
  proveTpp,
  tppKillScores,
} from '../certification/proof/prove-tpp.ts';
import { placeChecks } from '../checks/judge.ts';
import { killScoresFile } from '../runner/kill-scores.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { packageRoot } from '../runner/package.ts';
import { planProof } from './proof-plan.ts';
import { needlessLine, problemLines, proofPage, sectionLines, summaryLines } from './proof-text.ts';
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

const proofFolder = join(packageRoot, 'reports', 'proof');
const started = performance.now();
const checks = placeChecks(await loadSuites());
const tasks = planProof({
  full: values.full,
  combinations: Number(values.combinations),
  seed: Number(values.seed),
  ...(values.only === undefined ? {} : { only: new RegExp(values.only) }),
});
const tppSuites = await loadSuites('tpp');
const [results, tppProof] = await Promise.all([
  proveAll(tasks, Number(values.threads), (_, done) => progress(done, tasks.length)),
  proveTpp(tppSuites, tppsMeant(values.only)),
]);
const proof = verdictOf(results, checks);
const seconds = (performance.now() - started) / 1000;

write(proof);
const isWhole = values.only === undefined;
const problems = isWhole
  ? [...problemLines(proof), ...needlessTppChecks(tppProof, tppSuites).map(needlessLine)]
  : problemLines({ ...proof, unproved: [], needless: [] });
const summary = summaryLines(proof, seconds, isWhole);
const parts = [sectionLines(proof), problems, summary].filter(({ length }) => length > 0);
process.stdout.write(`${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`);
if (tppProof.deviants.length + tppProof.dialects.length > 0) {
  process.stdout.write(`${describeTppProof(tppProof)}\n`);
}
process.stdout.write(`Matrix        ${relative('', join(proofFolder, 'proof.md'))}\n`);
process.exitCode = problems.length === 0 && isProven(tppProof) ? 0 : 1;

/** `--only` names deviants of either side; the correct TPPs belong to the whole proof. */
function tppsMeant(only: string | undefined): Parameters<typeof proveTpp>[1] {
  if (only === undefined) return {};
  const wanted = new RegExp(only);
  return { deviants: deviantTpps.filter(({ id }) => wanted.test(id)), dialects: [] };
}

/** A part of a proof says nothing about the rest, so it leaves no scores. */
function write(found: Proof): void {
  mkdirSync(proofFolder, { recursive: true });
  writeFileSync(
    join(proofFolder, 'proof.json'),
    `${JSON.stringify({ seed: values.seed, ...found, tpp: tppProof }, null, 2)}\n`,
  );
  writeFileSync(join(proofFolder, 'proof.md'), proofPage(found, seconds));
  if (values.only !== undefined) return;
  mkdirSync(dirname(killScoresFile), { recursive: true });
  const scores = Object.fromEntries([...killScoresOf(found), ...tppKillScores(tppProof)]);
  writeFileSync(killScoresFile, `${JSON.stringify(scores, null, 2)}\n`);
}

function progress(done: number, total: number): void {
  const { stderr } = process;
  if (stderr.isTTY) stderr.write(`\r${done} of ${total}${done === total ? '\r\x1b[K' : ''}`);
  else if (done % 100 === 0) stderr.write(`${done} of ${total}\n`);
}
