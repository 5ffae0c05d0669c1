import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type AttestedFrom, type Attesting, type Deployed, writeAttestation } from '../report/attestation.ts';
import {
  attestedFromFolder,
  foreignFiles,
  isSigned,
  readRun,
  whyNotAsAttested,
} from '../report/attested-run.ts';
import { oneShortLine } from '../report/harmless-text.ts';
import { isOfRun, readJournal } from '../report/journal.ts';
import { type Language, languages } from '../report/matrix-words.ts';
import { AttestationKeyError, readAttestationKey } from '../report/signed-envelope.ts';
import { stampRun, TimeStampError } from '../report/time-stamp.ts';
import { type WholeOfVersion, whyNotOurs } from '../report/whole-run.ts';
import type { ReportOptions, WrittenReports } from '../report/write-reports.ts';
import { killScores } from '../runner/package.ts';
import { requirements } from '../spec/catalogue.ts';
import { shownPath } from './report-lines.ts';
import { CommandError, exitCodes, tellError } from './terminal.ts';

/** What is attested, by whom, and who sees it. */
export interface AttestingFlags {
  readonly attestKey?: string;
  readonly subject?: Deployed;
  readonly timestamp?: string;
}

interface SigningFlags extends AttestingFlags {
  readonly unattested?: boolean;
}

/** The flags of every command that writes the reports of a run. */
export interface ReportingFlags extends SigningFlags {
  readonly html: boolean;
  /** Of a whole run unless told otherwise. */
  readonly allure?: boolean;
  readonly allureResults?: boolean;
  readonly language?: Language;
  readonly history?: string;
}

export const addReportOptions = (command: Command): Command =>
  addAttestingOptions(command)
    .option('--no-html', 'leave out report.html and allure.html')
    .option('--allure', 'write allure.html also of a part of the checks, where it is left out otherwise')
    .option('--no-allure', 'leave out allure.html, which takes 2 MB and about four seconds')
    .option('--allure-results', 'write the results for Allure servers as well (thousands of files)')
    .addOption(
      new Option('--language <language>', 'of the fixed words in requirements.html').choices(languages),
    )
    .option(
      '--history <file>',
      'where the earlier runs of the target are kept, for the trend (default: next to --out)',
    );

export const addAttestingOptions = (command: Command): Command =>
  command
    .option(
      '--attest-key <file>',
      'sign the attestation of the run with this Ed25519, ECDSA or RSA key (PEM)',
    )
    .option(
      '--subject <name@sha256:digest>',
      'attest that this was deployed, such as the image of the bank; again for others',
      deployed,
    )
    .option(
      '--timestamp <url>',
      'have this authority stamp the time of the attestation (RFC 3161)',
      authority,
    );

/** So many that an attestation stays readable. */
const mostDeployed = 32;

/** `--subject`: what was deployed, as container tools name it. */
function deployed(text: string, before: Deployed = {}): Deployed {
  const [, name = '', digest = ''] = /^([\w./:+-]{1,255})@sha256:([0-9a-f]{64})$/.exec(text) ?? [];
  if (name === '')
    throw new InvalidArgumentError(
      'Give a name and a digest, such as registry.example/bank:1.4@sha256: and 64 digits, 0 to 9 and a to f.',
    );
  if (isOfRun(name) || Object.hasOwn(before, name) || Object.keys(before).length === mostDeployed)
    throw new InvalidArgumentError(
      `Give each once, ${mostDeployed} at most, and none that is called as a file of a run is.`,
    );
  return { ...before, [name]: digest };
}

function authority(text: string): string {
  const { protocol, username, password, hash } = URL.canParse(text) ? new URL(text) : {};
  if (!/^https?:$/.test(protocol ?? '') || `${username}${password}${hash}` !== '')
    throw new InvalidArgumentError(
      'Give an http or https address without a name, a password and a fragment, such as https://tsa.example/tsr.',
    );
  return text;
}

/** What the flags mean for the reports. `isAttested` is false where no attestation follows them. */
export function reportOptionsOf(
  { html, allure, allureResults = false, language, history, ...flags }: ReportingFlags,
  isAttested = true,
): ReportOptions {
  return {
    requirements,
    killScores: killScores(),
    html,
    ...(allure === undefined ? {} : { allure }),
    allureResults,
    ...(language === undefined ? {} : { language }),
    ...(history === undefined ? {} : { history: resolve(history) }),
    ...(isAttested ? { attestation: attesting(flags) } : {}),
  };
}

/** What could not be written, apart from the verdict. */
export function tellReportProblems({ allureProblem, historyProblem }: WrittenReports): void {
  if (allureProblem !== undefined) tellError(allureProblem);
  if (historyProblem !== undefined) tellError(historyProblem);
}

/** What is attested besides the run. The key is read before a run begins, because a wrong one should not cost it. */
export function attesting({ attestKey, subject }: AttestingFlags): Attesting {
  try {
    return {
      key: attestKey === undefined ? undefined : readAttestationKey(resolve(attestKey)),
      deployed: subject,
    };
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

/** Attests the reports of a run, after the last of them was written. The exit code is not 0 where nobody stamps the time. */
export async function attestRun(
  dir: string,
  flags: AttestingFlags,
  from: AttestedFrom,
  whole?: WholeOfVersion,
): Promise<number> {
  writeAttestation(dir, requirements, { ...attesting(flags), from }, readRun(dir, whole));
  const foreign = foreignFiles(dir);
  if (foreign.length > 0) tellError(besideRun(dir, foreign));
  return stamped(dir, flags);
}

/** Has the time of an attestation stamped where that is asked for. Without a stamp the attestation stands. */
export async function stamped(dir: string, { timestamp }: AttestingFlags): Promise<number> {
  try {
    if (timestamp !== undefined) await stampRun(dir, timestamp);
    return exitCodes.conformant;
  } catch (error) {
    if (!(error instanceof TimeStampError)) throw error;
    tellError(`${error.message} Ask again with: attest RUN --out FILE.tar.gz --timestamp URL`);
    return exitCodes.incomplete;
  }
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
