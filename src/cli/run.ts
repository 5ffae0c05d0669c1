import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { placeChecks } from '../checks/judge.ts';
import type { RunRecord } from '../checks/verdict.ts';
import { progressLine, renderRun } from '../report/console.ts';
import { harmlessLines } from '../report/harmless-text.ts';
import type { Outcome } from '../report/outcome.ts';
import { holdFolder } from '../report/run-folder.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { type OpenTarget, openTarget } from '../runner/open-target.ts';
import { killScores } from '../runner/package.ts';
import { judgeTarget, type RunListener } from '../runner/run.ts';
import { type Selection, selectChecks } from '../runner/select-checks.ts';
import { requirements } from '../spec/catalogue.ts';
import { idList, seconds, seedOf, shardOf, wholeNumber } from './arguments.ts';
import { attestationKey, attestRun } from './attest.ts';
import { exitCodes, type Finish } from './exit-codes.ts';
import { annotate, reportLines, verdictJson } from './report-lines.ts';
import { onEnding } from './signals.ts';
import {
  addTargetOptions,
  overridesIn,
  settingsHelp,
  shownTargetFlags,
  type TargetFlags,
} from './target-options.ts';
import { redactorFor, type Terminal, tellError, terminalOf } from './terminal.ts';

interface RunFlags extends TargetFlags {
  readonly out: string;
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly runs: number;
  readonly shard?: { readonly index: number; readonly count: number };
  readonly maxTime: number;
  readonly html: boolean;
  readonly allureResults?: boolean;
  readonly json?: boolean;
  readonly attestKey?: string;
}

const defaultRuns = 10;

/** A session holds for an hour after SCA (Limits): what is asked later is refused for that. */
const defaultMaxTime = 3600;

export const runCommand = (finish: Finish): Command =>
  addTargetOptions(new Command('run'))
    .option('-o, --out <dir>', 'folder for the reports', 'reports/latest')
    .option('--only <ids>', 'judge only these checks, requirements or suites (comma-separated)', idList)
    .option('--seed <number>', 'draw the same cases again; date takes one seed a day', (text) => seedOf(text))
    .option('--runs <number>', 'cases of each property', wholeNumber, defaultRuns)
    .option('--shard <index/count>', 'judge one part of the checks, for several machines', shardOf)
    .option(
      '--max-time <seconds>',
      'ask nothing more after so many seconds, whatever is not judged by then',
      seconds,
      defaultMaxTime,
    )
    .option('--no-html', 'leave out the HTML report')
    .option('--allure-results', 'write the results for Allure servers as well (thousands of files)')
    .option('--json', 'print the verdict as JSON; progress goes to standard error')
    .option('--attest-key <file>', 'sign the attestation of the run with this Ed25519 or RSA key (PEM)')
    .addHelpText(
      'after',
      `${settingsHelp}

Examples:
  $ xs2a-conformance run
  $ xs2a-conformance run --target bank.yaml --out reports/bank
  $ xs2a-conformance run --target bank.yaml --only DIG-03,AMT,signing/ --seed 7
  $ xs2a-conformance run --target bank.yaml --seed date --shard 1/3 --out reports/shard-1

A run with --only or --shard judges a part: its verdict is partial at best, never conformant.
Exit codes: 0 conformant, or a part without a failure, 1 non-conformant, 2 wrong usage or target file, 3 incomplete or unreachable, 70 our own fault.
Ctrl-C ends a run with the reports of what was judged so far; a second one quits at once.`,
    )
    .action(async (flags: RunFlags) => finish(await run(flags)));

async function run(flags: RunFlags): Promise<number> {
  const out = resolve(flags.out);
  attestationKey(flags.attestKey);
  const stopping = new AbortController();
  const release = holdFolder(out);
  const exitCode = await runInto(out, flags, stopping).finally(release);
  // What was cut short may still hold connections and timers; nothing is worth waiting for.
  if (stopping.signal.aborted) process.exit(exitCode);
  return exitCode;
}

async function runInto(out: string, flags: RunFlags, stopping: AbortController): Promise<number> {
  const stopListening = onEnding(() => stopping.abort());
  const opening = openTarget(flags.target, overridesIn(flags));
  const selection = await selected(flags, opening);
  const progress = showProgress(
    terminalOf(flags.json === true ? process.stderr : process.stdout),
    selection.planned.length,
  );
  const { blocker, isJournalled } = await judgeTarget({
    opening,
    out,
    seed: flags.seed ?? randomInt(1, 2 ** 31 - 1),
    repeatsPayments: flags.seed !== undefined,
    runs: flags.runs,
    maxTimeMs: flags.maxTime * 1000,
    command: commandLine(flags),
    ...selection,
    listener: progress,
    redactorFor: (target) => redactorFor(target, flags),
    signal: stopping.signal,
  });
  progress.end();
  stopListening();
  if (blocker !== undefined) tellError(blocker);
  return isJournalled ? await report(out, flags) : exitCodes.incomplete;
}

/** Loads the suites while the target is opened, and leaves nothing open when the choice means nothing. */
async function selected(flags: RunFlags, opening: Promise<OpenTarget>): Promise<Selection> {
  try {
    // What is wrong with the target is told when its turn comes.
    opening.catch(() => {});
    return selectChecks(placeChecks(await loadSuites()), flags);
  } catch (error) {
    await opening.then(
      ({ close }) => close(),
      () => {},
    );
    throw error;
  }
}

/** The verdict is told before the page is made: that takes a while, and nobody should wait for it. */
async function report(out: string, flags: RunFlags): Promise<number> {
  const terminal = terminalOf(process.stdout);
  const onVerdict = (record: RunRecord, outcome: Outcome): void => {
    annotate(record, outcome);
    if (flags.json !== true && record.footer?.blocker === undefined)
      terminal.write(`${renderRun(record, outcome, {}, { colour: terminal.colour })}\n`);
  };
  // Loaded only here: the first request need not wait for it.
  const { writeReports } = await import('../report/write-reports.ts');
  const written = await writeReports(out, {
    requirements,
    killScores: killScores(),
    html: flags.html,
    allureResults: flags.allureResults === true,
    onVerdict,
  });
  attestRun(out, flags.attestKey);
  terminal.write(flags.json === true ? verdictJson(written) : reportLines(written.paths));
  if (written.htmlProblem !== undefined) tellError(written.htmlProblem);
  return written.outcome.exitCode;
}

const commandLine = (flags: RunFlags): string =>
  [
    'npx xs2a-conformance run',
    ...shownTargetFlags(flags),
    ...(flags.runs === defaultRuns ? [] : [`--runs ${flags.runs}`]),
  ].join(' ');

/** A line that changes in place on a terminal; in a log a plain line now and then. */
function showProgress(terminal: Terminal, total: number): RunListener & { end(): void } {
  let done = 0;
  let failures = 0;
  let nextTenth = 1;
  const clear = terminal.isTty ? '\r\u001b[2K' : '';
  return {
    judged({ id, verdict, title }) {
      done += 1;
      if (verdict === 'fail' || verdict === 'error') failures += 1;
      if (terminal.isTty) {
        terminal.write(
          clear + progressLine(done, total, failures, `${id} ${title}`).slice(0, terminal.width - 1),
        );
      } else if (done * 10 >= nextTenth * total) {
        nextTenth = Math.floor((done * 10) / total) + 1;
        terminal.write(`${progressLine(done, total, failures)}\n`);
      }
    },
    remark: (text) => terminal.write(`${clear}${harmlessLines(text)}\n`),
    end: () => terminal.write(clear),
  };
}
