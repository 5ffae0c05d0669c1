import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import {
  AttestationKeyError,
  type AttestedFrom,
  keyFingerprintOf,
  readAttestationKey,
  writeAttestation,
} from '../report/attestation.ts';
import {
  attestedFromFolder,
  foreignFiles,
  isSigned,
  readRun,
  whyNotAsAttested,
} from '../report/attested-run.ts';
import { oneShortLine } from '../report/harmless-text.ts';
import { readJournal } from '../report/journal.ts';
import { type Language, languages } from '../report/matrix-words.ts';
import { type WholeOfVersion, whyNotOurs } from '../report/whole-run.ts';
import type { ReportOptions, WrittenReports } from '../report/write-reports.ts';
import { killScores } from '../runner/package.ts';
import { requirements } from '../spec/catalogue.ts';
import { shownPath } from './report-lines.ts';
import { CommandError, tellError } from './terminal.ts';

interface SigningFlags {
  readonly attestKey?: string;
  readonly unattested?: boolean;
}

/** The flags of every command that writes the reports of a run. */
export interface ReportingFlags extends SigningFlags {
  readonly html: boolean;
  readonly allureResults?: boolean;
  readonly language?: Language;
  readonly history?: string;
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

/** The key of `--attest-key`. Read before a run begins, because a wrong one should not cost it. */
export function attestationKey(file: string | undefined): KeyObject | undefined {
  if (file === undefined) return undefined;
  try {
    return readAttestationKey(resolve(file));
  } catch (error) {
    if (error instanceof AttestationKeyError) throw new CommandError(error.message);
    throw error;
  }
}

/** For commands that sign what they have not judged themselves. */
export const addUnattestedOption = (command: Command): Command =>
  command.option(
    '--unattested',
    'sign a run that nothing attests yet; verify tells that it was signed later',
  );

/** What an attestation of these run folders can rely on. Where that is nothing, it is signed only on request. */
export function attestedFrom(dirs: readonly string[], flags: SigningFlags): AttestedFrom {
  const dir = dirs.find((each) => existsSync(each) && attestedFromFolder(each) === 'unattested folder');
  return dir === undefined ? 'attested folder' : unattested(dir, flags);
}

/** The same of what a stranger may have changed before anything attested it. */
export function unattested(dir: string, { attestKey, unattested: isMeant }: SigningFlags): AttestedFrom {
  if (attestKey !== undefined && isMeant !== true)
    throw new CommandError(
      `Nothing attests the run in ${shownPath(dir)} as it was left: whoever had the folder may have changed it. Sign a run as it is judged, with --attest-key of run or certify-tpp. To sign this one all the same, add --unattested: verify then tells that it was signed later.`,
    );
  return 'unattested folder';
}

/** Attests the reports of a run, after the last of them was written. */
export function attestRun(
  dir: string,
  keyFile: string | undefined,
  from: AttestedFrom,
  whole?: WholeOfVersion,
): void {
  writeAttestation(dir, requirements, attestationKey(keyFile), readRun(dir, whole), from);
  const foreign = foreignFiles(dir);
  if (foreign.length > 0) tellError(besideRun(dir, foreign));
}

function besideRun(dir: string, [first = '', ...rest]: readonly string[]): string {
  const shown = `${oneShortLine(first, 80)}${rest.length === 0 ? '' : ` and ${rest.length} more`}`;
  return `${shownPath(dir)} holds what no run has written (${shown}). It is not attested, and verify will call it added: give a run a folder of its own with --out, or move it elsewhere.`;
}

/**
 * Why reports that are built again are not attested again; undefined where they are. A signature is replaced by another,
 * not by none, and whatever was changed since it was attested is vouched for by nobody.
 */
export function whyNotAttested(
  dir: string,
  keyFile: string | undefined,
  whole: WholeOfVersion,
): string | undefined {
  const notOurs = keyFile === undefined ? undefined : whyNotOurs(readJournal(dir).header, whole);
  if (notOurs !== undefined) return notOurs;
  const changed = whyNotAsAttested(dir);
  if (changed !== undefined)
    return `${changed} It is not attested anew, and the command verify tells what was changed.`;
  return keyFile === undefined && isSigned(dir)
    ? 'The run was attested with a signature, which stands for the reports as they were before. Sign it anew with --attest-key.'
    : undefined;
}
