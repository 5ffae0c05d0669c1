import { appendFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { RunRecord } from '../checks/verdict.ts';
import { harOf, matrixCsv, sarifOf, stepSummary } from '../report/exports.ts';
import type { Outcome } from '../report/outcome.ts';
import { Redactor } from '../tpp/redaction.ts';
import { tellError } from './terminal.ts';

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
    appendFileSync(file, new Redactor().text(stepSummary(run, outcome)));
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    tellError(`The summary of this step could not be written: ${told}. The reports stand.`);
  }
}
