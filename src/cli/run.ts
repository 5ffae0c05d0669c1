import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { placeChecks } from '../checks/engine.ts';
import { defaultRuns, type RunRecord } from '../checks/verdict.ts';
import { renderRun } from '../report/console.ts';
import { terminalJson } from '../report/harmless-text.ts';
import { JournalWriteError, readJournal } from '../report/journal.ts';
import type { Outcome } from '../report/outcome.ts';
import { holdFolder, placeOf } from '../report/run-folder.ts';
import type { WrittenReports } from '../report/write-reports.ts';
import {
  type BudgetArgument,
  budgetOf,
  idList,
  isNumberOfRuns,
  runsOf,
  seconds,
  seedOf,
  shardOf,
  wholeNumber,
} from '../runner/arguments.ts';
import { describedBankSuites } from '../runner/descriptions.ts';
import { loadChecks } from '../runner/load-suites.ts';
import { type OpenTarget, openTarget, openWhenItAnswers } from '../runner/open-target.ts';
import { catchOrder } from '../runner/package.ts';
import type { RunListener } from '../runner/run.ts';
import { estimateRun, requestsOfACheck, type Selection, selectChecks } from '../runner/select-checks.ts';
import { groupedBy } from '../spec/grouped-by.ts';
import type { Target } from '../target/target.ts';
import type { Budget } from '../tpp/pace.ts';
import { Redactor } from '../tpp/redaction.ts';
import type { RunPage } from './console-options.ts';
import { endProcess } from './ending.ts';
import { onEnding } from './listening.ts';
import { type Progress, type ProgressOptions, type Reporter, reporters, showProgress } from './progress.ts';
import {
  annotate,
  consoleOptions,
  reportLines,
  shownPath,
  summarizeStep,
  verdictOf,
} from './report-lines.ts';
import {
  addReportOptions,
  attesting,
  attestRun,
  type ReportingFlags,
  reportOptionsOf,
  tellReportProblems,
} from './report-options.ts';
import { clearHeap } from './small-heap.ts';
import {
  addTargetOptions,
  overridesIn,
  settingsHelp,
  shownTargetFlags,
  type TargetFlags,
} from './target-options.ts';
import {
  CommandError,
  exitCodes,
  type Finish,
  redactorFor,
  type Terminal,
  tellError,
  terminalOf,
} from './terminal.ts';

interface RunFlags extends TargetFlags, ReportingFlags {
  readonly out?: string;
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  readonly lastFailed?: string | true;
  readonly seed?: number;
  readonly runs?: number;
  readonly shard?: { readonly index: number; readonly count: number };
  readonly budget?: BudgetArgument;
  readonly maxTime: number;
  readonly maxFailures?: number;
  readonly wait?: number;
  readonly reporter: Reporter;
  readonly json?: boolean;
  readonly open?: boolean;
}

const defaultOut = 'reports/latest';

/** A session holds for an hour after SCA (Limits): what is asked later is refused for that. */
const defaultMaxTime = 3600;

export const runCommand = (finish: Finish): Command =>
  addReportOptions(addTargetOptions(new Command('run')))
    .option('-o, --out <dir>', `folder for the reports (default: ${defaultOut})`)
    .option('--only <ids>', 'judge only these checks, requirements or suites (comma-separated)', idList)
    .option('--exclude <ids>', 'leave out these checks, requirements or suites (comma-separated)', idList)
    .option(
      '--last-failed [run]',
      'judge again what did not pass in the last run into --out, or in this run folder, with its seed; the reports stand next to it',
    )
    .option('--seed <number>', 'draw the same cases again; date takes one seed a day', (text) => seedOf(text))
    .option('--runs <number>', `cases of each property (default: ${defaultRuns})`, runsOf)
    .option('--shard <index/count>', 'judge one part of the checks, for several machines', shardOf)
    .addOption(
      new Option(
        '--budget <requests|seconds>',
        'judge what catches most within so many requests, such as 300, or seconds, such as 30s; one case each',
      )
        .argParser(budgetOf)
        .conflicts(['shard', 'lastFailed']),
    )
    .option(
      '--max-time <seconds>',
      'ask nothing more after so many seconds, whatever is not judged by then',
      seconds,
      defaultMaxTime,
    )
    .option('--max-failures <number>', 'end after so many failures', wholeNumber)
    .option('--wait <seconds>', 'wait so long for the bank to answer, for one that is being started', seconds)
    .addOption(
      new Option(
        '--reporter <kind>',
        'how to tell what happens: a live line, a dot or a line for each check, JSON events',
      )
        .choices(reporters)
        .default('line'),
    )
    .option('--json', 'print the verdict as JSON; progress goes to standard error')
    .option('--open', 'open a page in the browser that shows the run while it goes on, and its reports')
    .addHelpText(
      'after',
      `${settingsHelp}

Examples:
  $ xs2a-conformance run
  $ xs2a-conformance run --target bank.yaml --out reports/bank
  $ xs2a-conformance run --target bank.yaml --only DIG-03,AMT,signing/ --seed 7
  $ xs2a-conformance run --target bank.yaml --last-failed --max-failures 1
  $ xs2a-conformance run --target bank.yaml --budget 300
  $ xs2a-conformance run --target bank.yaml --seed 7 --shard 1/3 --out shard-1

A run with --only, --exclude, --last-failed, --budget or --shard judges a part:
its verdict is partial at best, never conformant.
Ctrl-C ends a run with the reports of what was judged so far; a second one quits
at once.

Exit codes: 0 conformant, or a part without a failure, 1 non-conformant, 2 wrong
usage or target file, 3 incomplete or unreachable, 70 our own fault.`,
    )
    .action(async (flags: RunFlags) => finish(await run(flags)));

/** What the flags come to once an earlier run was looked at. */
interface Choice {
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  readonly budget?: BudgetArgument;
  readonly shard?: { readonly index: number; readonly count: number };
  readonly seed?: number;
  readonly runs: number;
  /** Where the reports go. */
  readonly out: string;
  /** What is judged again, and where it stands then. */
  readonly again?: string;
}

async function run(flags: RunFlags): Promise<number> {
  attesting(flags);
  const choice = chosen(flags);
  const { out } = choice;
  const stopping = new AbortController();
  const release = holdFolder(out);
  const { exitCode, isCutShort } = await runInto(flags, choice, stopping).catch(unwritten).finally(release);
  // What was cut short may still hold connections and timers; nothing is worth waiting for.
  if (isCutShort) endProcess(exitCode);
  return exitCode;
}

/** Checks that are under way when their journal cannot be written any more are not waited for. */
function unwritten(error: unknown): Ended {
  if (!(error instanceof JournalWriteError)) throw error;
  tellError(error.message);
  return { exitCode: exitCodes.incomplete, isCutShort: true };
}

/** With --last-failed what did not pass is judged again, with the same cases unless told otherwise. */
function chosen({ lastFailed, ...flags }: RunFlags): Choice {
  const out = resolve(flags.out ?? defaultOut);
  const { only, exclude, budget, shard, seed, runs } = flags;
  const rest = {
    out,
    ...(budget === undefined ? {} : { budget }),
    ...(exclude === undefined ? {} : { exclude }),
    ...(shard === undefined ? {} : { shard }),
  };
  if (lastFailed === undefined) {
    return {
      ...rest,
      // More cases of a few checks catch less than one case of many.
      runs: runs ?? (budget === undefined ? defaultRuns : 1),
      ...(only === undefined ? {} : { only }),
      ...(seed === undefined ? {} : { seed }),
    };
  }
  if (only !== undefined)
    throw new CommandError('--last-failed and --only each name what to judge: give one of them.');
  const dir = lastFailed === true ? out : resolve(lastFailed);
  const { header, results } = readJournal(dir);
  const failed = results
    .filter(({ verdict }) => ['fail', 'error', 'inconclusive'].includes(verdict))
    .map(({ id }) => id);
  if (failed.length === 0)
    throw new CommandError(
      `Nothing failed in the run in ${shownPath(dir)}, so there is nothing to judge again.`,
    );
  const again = { seed: seed ?? header.seed, runs: runs ?? header.runs };
  // The folder may come from anybody.
  const isSeed = Number.isSafeInteger(again.seed) && again.seed > 0 && again.seed < 2 ** 31;
  if (!isSeed || !isNumberOfRuns(again.runs))
    throw new CommandError(
      `The run in ${shownPath(dir)} does not say which cases it tried: give --seed and --runs.`,
    );
  // The whole run is what a release is judged by: it stays, and is what the next one takes its failures from.
  const isOver = flags.out === undefined || placeOf(out) === placeOf(dir);
  const besides = isOver ? `${dir}-last-failed` : out;
  const told = `--last-failed judges ${failed.length} of ${results.length} checks of the run in ${shownPath(dir)} again. That run stays as it is; the reports of this one go to ${shownPath(besides)}.`;
  return { ...rest, only: failed, ...again, out: besides, again: told };
}

interface Ended {
  readonly exitCode: number;
  readonly isCutShort: boolean;
}

async function runInto(flags: RunFlags, choice: Choice, stopping: AbortController): Promise<Ended> {
  const stopListening = onEnding(() => stopping.abort());
  const terminal = terminalOf(flags.json === true ? process.stderr : process.stdout);
  const opening = opened(flags, stopping.signal, (sentence) => {
    if (flags.reporter !== 'json') terminal.write(`${sentence} …\n`);
  });
  const selection = await selected(choice, opening);
  // What only a page needs is not loaded without one.
  const page =
    flags.open === true
      ? await (await import('./console-options.ts')).openRunPage(
          choice.out,
          // Programs read the other one.
          flags.reporter === 'json' ? terminalOf(process.stderr) : terminal,
        )
      : undefined;
  try {
    const ended = await judgeInto(flags, choice, stopping.signal, { terminal, opening, selection, page });
    // Only now: whoever interrupts a run while its reports are written wants them, too.
    stopListening();
    return ended;
  } finally {
    await page?.close();
  }
}

interface Begun {
  readonly terminal: Terminal;
  readonly opening: Promise<OpenTarget>;
  readonly selection: Selection;
  readonly page: RunPage | undefined;
}

async function judgeInto(
  flags: RunFlags,
  choice: Choice,
  signal: AbortSignal,
  { terminal, opening, selection, page }: Begun,
): Promise<Ended> {
  const { out } = choice;
  // Like the suites, only now that the target is being opened.
  const { judgeTarget } = await import('../runner/run.ts');
  const progress = showProgress(terminal, {
    reporter: flags.reporter,
    suites: suitesOf(selection),
    out: shownPath(out),
  });
  let redactor = new Redactor();
  const listener = listenerOf(progress, flags, choice, ({ pace }) =>
    longRunWarning(estimateRun(selection.planned, choice.runs, pace), choice.runs, flags),
  );
  const { blocker, isJournalled, isCutShort } = await judgeTarget({
    opening,
    out,
    seed: choice.seed ?? randomInt(1, 2 ** 31 - 1),
    repeatsPayments: choice.seed !== undefined,
    runs: choice.runs,
    ...(choice.shard === undefined ? {} : { shard: choice.shard }),
    maxTimeMs:
      1000 * (flags.budget !== undefined && 'seconds' in flags.budget ? flags.budget.seconds : flags.maxTime),
    ...(flags.budget !== undefined && 'requests' in flags.budget ? { budget: flags.budget } : {}),
    ...(flags.maxFailures === undefined ? {} : { maxFailures: flags.maxFailures }),
    command: commandLine(flags, choice),
    ...selection,
    listener: {
      ...listener,
      opened(header, target) {
        page?.begin();
        listener.opened?.(header, target);
      },
      judged(result) {
        page?.hear();
        listener.judged(result);
      },
    },
    redactorFor: (target) => {
      redactor = redactorFor(target, flags);
      return redactor;
    },
    signal,
  });
  progress.end();
  if (writesAllure(flags, choice)) clearHeap();
  if (blocker !== undefined) tellError(blocker);
  const exitCode = isJournalled
    ? await report(flags, choice, redactor, progress, (written) => page?.showEnd(written, out, signal))
    : exitCodes.incomplete;
  return { exitCode, isCutShort };
}

function suitesOf({ planned }: Selection): ProgressOptions['suites'] {
  const bySuite = groupedBy(planned, ({ suite }) => suite.id);
  const expected = new Map(catchOrder()?.checks.map(({ id, requests }) => [id, requests]));
  return new Map(
    [...bySuite].map(([id, group]) => [
      id,
      {
        title: group[0]?.suite.title ?? id,
        checks: new Map(group.map(({ check }) => [check.id, expected.get(check.id) ?? requestsOfACheck])),
      },
    ]),
  );
}

function listenerOf(
  progress: Progress,
  flags: RunFlags,
  choice: Choice,
  warningOf: (target: Target) => string | undefined,
): RunListener {
  const { again } = choice;
  let isReady = !writesAllure(flags, choice);
  return {
    opened(header, target) {
      progress.opened(header);
      if (again !== undefined) progress.remark(again);
      const warning = warningOf(target);
      if (warning !== undefined) progress.remark(warning);
    },
    checking: (requests) => progress.checking(requests),
    judged(result) {
      progress.judged(result);
      if (!isReady) makeReady();
      isReady = true;
    },
    remark: (text) => progress.remark(text),
  };
}

/** Of a part, which somebody waits for, only when asked to. */
const writesAllure = ({ html, allure }: RunFlags, { only, exclude, budget, shard }: Choice): boolean =>
  html && (allure ?? [only, exclude, budget, shard].every((part) => part === undefined));

/**
 * Loads what makes the page of Allure while the bank is waited for anyway: whoever interrupts the run has two seconds for all
 * reports, and loading alone takes one.
 */
function makeReady(): void {
  // What is wrong with it is told when its turn comes.
  import('../report/allure-html.ts').catch(() => {});
}

const opened = (
  flags: RunFlags,
  signal: AbortSignal,
  onWaiting: (sentence: string) => void,
): Promise<OpenTarget> =>
  flags.wait === undefined
    ? openTarget(flags.target, overridesIn(flags))
    : openWhenItAnswers(flags.target, overridesIn(flags), { seconds: flags.wait, signal, onWaiting });

/** Without a limit to its pace a bank on the same machine answers about so many requests in a second. */
const unlimitedPerSecond = 250;

/** A time is as many requests as the pace of the target lets through. */
async function budgetIn(budget: BudgetArgument, opening: Promise<OpenTarget>): Promise<Budget> {
  if ('requests' in budget) return budget;
  const { target } = await opening;
  const perSecond = target.pace.requestsPerSecond || unlimitedPerSecond;
  return { asked: budget.asked, requests: budget.seconds * perSecond };
}

/** Loads the suites while the target is opened, and leaves nothing open when the choice means nothing. */
async function selected(choice: Choice, opening: Promise<OpenTarget>): Promise<Selection> {
  try {
    // What is wrong with the target is told when its turn comes.
    opening.catch(() => {});
    const { budget, out: _, again: __, ...named } = choice;
    const { planned, ...chosen } = selectChecks(placeChecks(await describedBankSuites()), {
      ...named,
      ...(budget === undefined ? {} : { budget: await budgetIn(budget, opening) }),
    });
    return { ...chosen, planned: await loadChecks(planned) };
  } catch (error) {
    await opening.then(
      ({ close }) => close(),
      () => {},
    );
    throw error;
  }
}

/** The verdict is told before the page is made: that takes a while, and nobody should wait for it. */
async function report(
  flags: RunFlags,
  choice: Choice,
  redactor: Redactor,
  progress: Progress,
  show: (written: WrittenReports) => Promise<void> | undefined,
): Promise<number> {
  const { out } = choice;
  const terminal = terminalOf(process.stdout);
  const isText = flags.json !== true && flags.reporter !== 'json';
  const targetFlags = shownTargetFlags(flags)
    .map((flag) => ` ${flag}`)
    .join('');
  const onVerdict = (record: RunRecord, outcome: Outcome): void => {
    progress.end();
    annotate(record, outcome);
    summarizeStep(record, outcome);
    if (isText && record.footer?.blocker === undefined)
      terminal.write(
        `\n${renderRun(record, outcome, consoleOptions(terminal, out, targetFlags, flags.reporter === 'verbose'))}\n`,
      );
    else if (isText) terminal.write(`\n${outcome.verdict.toUpperCase()}  No check could be run.\n`);
    if (writesAllure(flags, choice)) progress.doing('Building allure.html');
  };
  progress.doing('Writing the reports');
  // Loaded only here: the first request need not wait for it.
  const { writeReports } = await import('../report/write-reports.ts');
  const written = await writeReports(out, {
    ...reportOptionsOf(flags),
    commandFor: (id, { seed }) => redactor.text(`${commandLine(flags, choice)} --only ${id} --seed ${seed}`),
    onVerdict,
  });
  const attested = await attestRun(out, flags, 'run');
  progress.end();
  terminal.write(endOf(written, flags));
  if (isText && choice.again !== undefined)
    terminal.write('\nOnly a run of the whole judges the bank: run it again without --last-failed.\n');
  tellReportProblems(written);
  await show(written);
  return written.outcome.exitCode || attested;
}

/** Where to read on; for a program the verdict itself, as one value or as the last of the events. */
function endOf(written: WrittenReports, { json, reporter }: RunFlags): string {
  if (json === true) return `${terminalJson(verdictOf(written))}\n`;
  if (reporter === 'json') return `${terminalJson({ event: 'verdict', ...verdictOf(written) }, 0)}\n`;
  return reportLines(written);
}

/** What would take hours is told before it begins, with what ends it. */
function longRunWarning(
  { requests, seconds: estimated }: ReturnType<typeof estimateRun>,
  runs: number,
  { maxTime }: RunFlags,
): string | undefined {
  if (estimated < Math.min(maxTime, 3600)) return undefined;
  const hours = estimated / 3600;
  const took =
    hours < 1
      ? `${Math.round(estimated / 60)} minutes`
      : `${hours < 10 ? hours.toFixed(1) : Math.round(hours)} hours`;
  const end =
    estimated > maxTime
      ? ` --max-time ends it after ${Math.round(maxTime / 60)} minutes, with what was judged by then.`
      : '';
  return `This run sends about ${requests.toLocaleString('en-US')} requests (--runs ${runs}) and takes about ${took}.${end}`;
}

const commandLine = (flags: RunFlags, { runs }: Choice): string =>
  [
    'npx xs2a-conformance run',
    ...shownTargetFlags(flags),
    ...(runs === defaultRuns ? [] : [`--runs ${runs}`]),
  ].join(' ');
