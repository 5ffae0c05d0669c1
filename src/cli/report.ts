import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { readRun } from '../report/attested-run.ts';
import { renderRun } from '../report/console.ts';
import { terminalJson } from '../report/harmless-text.ts';
import { targetFlagFor } from '../report/journal.ts';
import { mergeJournals } from '../report/merge-journals.ts';
import { judgeRun } from '../report/outcome.ts';
import { isAttested } from '../report/read-attestation.ts';
import { holdFolder, placeOf } from '../report/run-folder.ts';
import { makeFolder, writeNamed } from '../report/write-files.ts';
import { inSpecificationOrder, type WrittenReports, writeReports } from '../report/write-reports.ts';
import { loadWhole } from '../runner/coverage.ts';
import { requirements } from '../spec/catalogue.ts';
import {
  annotate,
  consoleOptions,
  type ExportFormat,
  exported,
  exportFormats,
  reportLines,
  shownPath,
  summarizeStep,
  verdictOf,
} from './report-lines.ts';
import {
  addReportOptions,
  addUnattestedOption,
  attestedFrom,
  attesting,
  attestRun,
  type ReportingFlags,
  reportOptionsOf,
  tellReportProblems,
  whyNotAttested,
} from './report-options.ts';
import { CommandError, exitCodes, type Finish, tellError, terminalOf } from './terminal.ts';

interface ReportFlags extends ReportingFlags {
  readonly merge?: readonly string[];
  readonly out?: string;
  readonly open?: boolean;
  readonly json?: boolean;
  readonly format?: ExportFormat;
}

export const reportCommand = (finish: Finish): Command =>
  addUnattestedOption(addReportOptions(new Command('report')))
    .argument('[run]', 'folder of the run, such as reports/latest')
    .option('--merge <dirs...>', 'folders of shards, to be made one run')
    .option('-o, --out <path>', 'folder for the merged run; with --format the file to write')
    .addOption(
      new Option(
        '--format <kind>',
        'only print the run for other tools: exchanges as HAR, the matrix as CSV, failures as SARIF or Markdown',
      ).choices(exportFormats),
    )
    .option('--open', 'open the HTML report in a browser')
    .option('--json', 'print the verdict as JSON')
    .addHelpText(
      'after',
      `
Everything is built from the journal of the run, whether it ended, was
interrupted or killed. The exit code is that of the run; with --format it is 0.
Shards belong together when target, seed and version are the same and they began
within a day. While one is missing, the merged run is incomplete, and says which
one. With all of them it is judged, and can be signed, like a run of the whole.
Nothing is written outside the folder, unless --history names a file: a run that
is reported again is not added to the history of its target.

Examples:
  $ xs2a-conformance report reports/latest --open
  $ xs2a-conformance report reports/latest --format sarif --out bank.sarif
  $ xs2a-conformance report reports/latest --format csv > matrix.csv
  $ xs2a-conformance report --merge shard-1 shard-2 shard-3 --out reports/whole`,
    )
    .action(async (run: string | undefined, flags: ReportFlags) => finish(await report(run, flags)));

async function report(run: string | undefined, flags: ReportFlags): Promise<number> {
  const terminal = terminalOf(process.stdout);
  if (flags.format !== undefined) return exportRun(run, flags.format, flags);
  attesting(flags);
  const { dir, shards } = runFolder(run, flags);
  const isWatched = terminal.isTty && flags.json !== true && flags.html;
  if (isWatched) terminal.write('Building the reports …');
  const { written, attestationProblem, exitCode } = await build(dir, shards, flags).finally(() => {
    if (isWatched) terminal.write('\r\u001b[2K');
  });
  const { run: record, outcome } = written;
  terminal.write(
    flags.json === true
      ? `${terminalJson(verdictOf(written))}\n`
      : `${renderRun(record, outcome, consoleOptions(terminal, dir, targetFlagFor(record.header), true))}\n${reportLines(written)}`,
  );
  annotate(record, outcome);
  summarizeStep(record, outcome);
  tellReportProblems(written);
  if (attestationProblem !== undefined) tellError(attestationProblem);
  if (flags.open === true) {
    // What serves pages is not loaded for a file.
    const { openInBrowser } = await import('./console-options.ts');
    openInBrowser(written.paths.html ?? written.paths.matrix);
  }
  return outcome.exitCode || exitCode;
}

/** Tells a run in a format of other tools. Its own reports stay as they are. */
async function exportRun(
  run: string | undefined,
  format: ExportFormat,
  { merge, out }: ReportFlags,
): Promise<number> {
  if (run === undefined || merge !== undefined)
    throw new CommandError(
      '--format takes the folder of one run, such as reports/latest. Merge shards first.',
    );
  const dir = resolve(run);
  const record = inSpecificationOrder(readRun(dir, await loadWhole()), requirements);
  const outcome = judgeRun(record, requirements);
  const text = exported(format, dir, record, outcome);
  if (out === undefined) terminalOf(process.stdout).write(text);
  else writeExport(resolve(out), dir, text);
  return exitCodes.conformant;
}

function writeExport(file: string, dir: string, text: string): void {
  const isInside = !relative(dir, file).startsWith('..');
  if (isInside && isAttested(dir))
    throw new CommandError(
      `${shownPath(dir)} is attested, so that nothing can be added to it. Give a file elsewhere with --out.`,
    );
  try {
    makeFolder(dirname(file));
    writeNamed(file, text, 0o600);
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${shownPath(file)} cannot be written: ${told}. Give another file with --out.`);
  }
}

/** A folder that a run still writes to is left to it. */
async function build(
  dir: string,
  shards: readonly string[],
  flags: ReportFlags,
): Promise<{
  readonly written: WrittenReports;
  readonly attestationProblem: string | undefined;
  readonly exitCode: number;
}> {
  // Where there is no folder there is nothing to hold, and a misspelt name should leave none behind.
  const release = shards.length > 0 || existsSync(dir) ? holdFolder(dir) : () => {};
  try {
    const from = attestedFrom(shards.length > 0 ? shards : [dir], flags);
    if (shards.length > 0) mergeJournals(shards, dir);
    const whole = await loadWhole();
    const attestationProblem = whyNotAttested(dir, flags.attestKey, whole);
    const options = reportOptionsOf(flags, attestationProblem === undefined);
    // A merged run is a new one, in a folder of ours; the folder of another may be anybody's, and so may be what is next to it.
    const remembers = shards.length > 0 || flags.history !== undefined;
    const written = await writeReports(dir, { ...options, whole, ...(remembers ? {} : { remembers }) });
    const exitCode = attestationProblem === undefined ? await attestRun(dir, flags, from, whole) : 0;
    return { written, attestationProblem, exitCode };
  } finally {
    release();
  }
}

/** The folder that is reported on, and the shards that it is made of, if any. */
function runFolder(
  run: string | undefined,
  { merge, out }: ReportFlags,
): { readonly dir: string; readonly shards: readonly string[] } {
  if (merge === undefined) {
    if (run === undefined) throw new CommandError('Name the folder of a run, such as reports/latest.');
    if (out !== undefined) throw new CommandError('--out goes with --merge; a run is reported where it is.');
    return { dir: resolve(run), shards: [] };
  }
  if (out === undefined) throw new CommandError('Name a folder for the merged run with --out.');
  const shards = [...(run === undefined ? [] : [run]), ...merge].map((dir) => resolve(dir));
  if (shards.map(placeOf).includes(placeOf(resolve(out)))) {
    throw new CommandError('--out names one of the shards, which would be lost. Name another folder.');
  }
  return { dir: resolve(out), shards };
}
