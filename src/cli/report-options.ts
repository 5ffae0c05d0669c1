import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { keyFingerprintOf } from '../report/attestation.ts';
import { type Language, languages } from '../report/matrix-words.ts';
import type { ReportOptions, WrittenReports } from '../report/write-reports.ts';
import { killScores } from '../runner/package.ts';
import { requirements } from '../spec/catalogue.ts';
import { attestationKey } from './attestation-key.ts';
import { tellError } from './terminal.ts';

/** The flags of every command that writes the reports of a run. */
export interface ReportingFlags {
  readonly html: boolean;
  readonly allureResults?: boolean;
  readonly language?: Language;
  readonly history?: string;
  readonly attestKey?: string;
}

export const addReportOptions = (command: Command): Command =>
  command
    .option('--no-html', 'leave out the HTML report')
    .option('--allure-results', 'write the results for Allure servers as well (thousands of files)')
    .addOption(
      new Option('--language <language>', 'of the fixed words in requirements.html').choices(languages),
    )
    .option(
      '--history <file>',
      'where the earlier runs of the target are kept, for the trend (default: next to --out)',
    )
    .option('--attest-key <file>', 'sign the attestation of the run with this Ed25519 or RSA key (PEM)');

/** What the flags mean for the reports. `isAttested` is false where no attestation follows them. */
export function reportOptionsOf(
  { html, allureResults = false, language, history, attestKey }: ReportingFlags,
  isAttested = true,
): ReportOptions {
  const key = attestationKey(attestKey);
  return {
    requirements,
    killScores: killScores(),
    html,
    allureResults,
    ...(language === undefined ? {} : { language }),
    ...(history === undefined ? {} : { history: resolve(history) }),
    ...(isAttested
      ? { attestation: key === undefined ? {} : { keyFingerprint: keyFingerprintOf(key) } }
      : {}),
  };
}

/** What could not be written, apart from the verdict. */
export function tellReportProblems({ htmlProblem, historyProblem }: WrittenReports): void {
  if (htmlProblem !== undefined) tellError(htmlProblem);
  if (historyProblem !== undefined) tellError(historyProblem);
}
