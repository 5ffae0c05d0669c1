import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { RunRecord } from '../checks/verdict.ts';
import { harOf, matrixCsv, sarifOf, stepSummary } from '../report/exports.ts';
import { githubAnnotations } from '../report/github-annotations.ts';
import { oneShortLine } from '../report/harmless-text.ts';
import type { Outcome } from '../report/outcome.ts';
import type { ConsoleOptions } from '../report/paint.ts';
import type { WrittenReports } from '../report/write-reports.ts';
import { shellWord } from '../spec/shell-word.ts';
import { Redactor } from '../tpp/redaction.ts';
import { shownWidth, type Terminal, tellError, terminalOf } from './terminal.ts';

/** A path as it is typed from here, where that is shorter. */
export function shownPath(path: string): string {
  const fromHere = relative('', path) || '.';
  return fromHere.length < path.length ? fromHere : path;
}

/** How a run is shown on this terminal, and how to go on from it. */
export function consoleOptions(
  terminal: Terminal,
  dir: string,
  targetFlag: string,
  everyFailure = false,
): ConsoleOptions {
  const run = shellWord(shownPath(dir));
  return {
    colour: terminal.colour,
    width: shownWidth(terminal),
    everyFailure,
    commands: {
      replay: (id) => `npx xs2a-conformance replay ${run} ${id}${targetFlag}`,
      everyFailure: `npx xs2a-conformance report ${run}`,
    },
  };
}

/** Where to read on, below the verdict. */
export function reportLines({ paths, outcome, notCertified }: WrittenReports): string {
  const { html, allure, matrix, certificate, summary, junit } = paths;
  // Why what is not conformant has none, its verdict tells.
  const isMissed = notCertified !== undefined && outcome.verdict === 'conformant';
  const lines = [
    ...(html === undefined ? [] : [`  Report        ${shownPath(html)}`]),
    `  Requirements  ${shownPath(matrix)}`,
    ...(certificate === undefined ? [] : [`  Certificate   ${shownPath(certificate)}`]),
    ...(isMissed ? [`  Certificate   none: ${oneShortLine(notCertified, 300)}`] : []),
    `  Summary       ${shownPath(summary)}`,
    `  JUnit         ${shownPath(junit)}`,
    ...(allure === undefined ? [] : [`  Allure        ${shownPath(allure)}`]),
    ...(html === undefined
      ? []
      : [`  Look at it    npx xs2a-conformance report ${shellWord(shownPath(dirname(html)))} --open`]),
  ];
  return `${lines.join('\n')}\n`;
}

/** The verdict for a program, with what stands between the run and `conformant`. `summary.json` has all of it. */
export function verdictOf({ run, outcome, paths, notCertified }: WrittenReports): object {
  const { verdict, exitCode, profiles, notBinding, counts, interrupted, problems, excused } = outcome;
  const failures = run.results
    .filter((result) => ['fail', 'error', 'inconclusive'].includes(result.verdict))
    .map(({ id, title, requirements, level, verdict: fell, reason, expected, actual, reproduce }) => ({
      id,
      title,
      requirements,
      level,
      verdict: fell,
      excused: excused.has(id),
      reason,
      expected,
      actual,
      reproduce,
    }));
  const { target, seed, side, selection } = run.header;
  return {
    verdict,
    exitCode,
    target,
    // A certification draws no cases.
    seed: side === 'tpp' ? undefined : seed,
    part: outcome.part !== undefined,
    selection,
    profiles,
    notBinding,
    interrupted,
    counts,
    problems,
    failures,
    notCertified,
    paths,
  };
}

/** Inside GitHub Actions, failures become annotations. They go to standard error, which `--json` leaves alone. */
export function annotate(
  run: RunRecord,
  outcome: Outcome,
  environment: NodeJS.ProcessEnv = process.env,
  write: (text: string) => void = terminalOf(process.stderr).write,
): void {
  if (environment.GITHUB_ACTIONS !== 'true') return;
  for (const line of githubAnnotations(run, outcome)) write(`${line}\n`);
}

/** Formats that other tools take. */
export const exportFormats = ['har', 'csv', 'sarif', 'markdown'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A run in one of them. Its journal may come from anybody, so that what is secret by its form is hidden once more. */
export function exported(format: ExportFormat, dir: string, run: RunRecord, outcome: Outcome): string {
  const shown = new Redactor();
  return shown.text(makers[format](run, outcome, locationOf(run, dir)));
}

const makers: Readonly<Record<ExportFormat, (run: RunRecord, outcome: Outcome, location: string) => string>> =
  {
    har: (run) => harOf(run),
    csv: (_, outcome) => matrixCsv(outcome),
    sarif: sarifOf,
    markdown: stepSummary,
  };

/** The target file as a code host knows it, from the folder that the command is typed in; else the run's summary. */
const locationOf = ({ header }: RunRecord, dir: string): string =>
  relative('', resolve(dir, header.targetFile ?? 'summary.json')).replaceAll('\\', '/');

/** Inside GitHub Actions, the page of the job gets a summary of the run. */
export function summarizeStep(
  run: RunRecord,
  outcome: Outcome,
  file: string | undefined = process.env.GITHUB_STEP_SUMMARY,
): void {
  if (file === undefined || file === '') return;
  try {
    // A pipe that nobody reads would hold the run up for ever, deaf to signals.
    const pad = openSync(
      file,
      constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NONBLOCK,
    );
    try {
      writeFileSync(pad, new Redactor().text(stepSummary(run, outcome)));
    } finally {
      closeSync(pad);
    }
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    tellError(`The summary of this step could not be written: ${told}. The reports stand.`);
  }
}
