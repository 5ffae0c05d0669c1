import type { RunRecord } from '../checks/verdict.ts';
import { githubAnnotations } from '../report/github-annotations.ts';
import { terminalJson } from '../report/harmless-text.ts';
import type { Outcome } from '../report/outcome.ts';
import type { ReportPaths, WrittenReports } from '../report/write-reports.ts';
import { terminalOf } from './terminal.ts';

/** Where to read on, below the verdict. */
export function reportLines({ html, matrix, summary, junit }: ReportPaths): string {
  const lines = [
    ...(html === undefined ? [] : [`  Report        ${html}`]),
    `  Requirements  ${matrix}`,
    `  Summary       ${summary}`,
    `  JUnit         ${junit}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The verdict for a program, with what stands between the run and `conformant`. `summary.json` has all of it. */
export function verdictJson({ run, outcome, paths }: WrittenReports): string {
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
  const { target, seed, selection } = run.header;
  const told = {
    verdict,
    exitCode,
    target,
    seed,
    part: outcome.part !== undefined,
    selection,
    profiles,
    notBinding,
    interrupted,
    counts,
    problems,
    failures,
    paths,
  };
  return `${terminalJson(told)}\n`;
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
