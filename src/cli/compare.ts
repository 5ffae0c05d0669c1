import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { compareRuns, readSummary } from '../report/compare-runs.ts';
import { comparisonHtml, comparisonText } from '../report/comparison-report.ts';
import { terminalJson } from '../report/harmless-text.ts';
import { isAttested } from '../report/read-attestation.ts';
import { makeFolder, writeNamed } from '../report/write-files.ts';
import { requirements } from '../spec/catalogue.ts';
import { shownPath } from './report-lines.ts';
import { CommandError, exitCodes, type Finish, shownWidth, terminalOf } from './terminal.ts';

interface CompareFlags {
  readonly html?: string;
  readonly json?: boolean;
}

export const compareCommand = (finish: Finish): Command =>
  new Command('compare')
    .argument('<before>', 'the earlier run: its folder, or its summary.json')
    .argument('<after>', 'the later run')
    .option('--html <file>', 'write the comparison as a page as well')
    .option('--json', 'print the comparison as JSON')
    .addHelpText(
      'after',
      `
Tells first which requirements broke, then which healed or became unjudged, and
which were judged in neither run. What else differs between the runs (target,
version, readings, the part that was judged) is told last: it may be the reason.

Examples:
  $ xs2a-conformance compare reports/last-release reports/latest
  $ xs2a-conformance compare before/summary.json reports/latest --html page.html

Exit codes: 0 nothing broke, 1 a requirement fails that did not fail before,
2 wrong usage.`,
    )
    .action((before: string, after: string, flags: CompareFlags) => finish(compare(before, after, flags)));

function compare(before: string, after: string, { html, json }: CompareFlags): number {
  const [earlier, later] = [readSummary(before, requirements), readSummary(after, requirements)];
  if ((earlier.side ?? 'bank') !== (later.side ?? 'bank'))
    throw new CommandError('One run judges a bank and the other one a TPP: they have nothing to compare.');
  const comparison = compareRuns(earlier, later);
  if (html !== undefined) writePage(resolve(html), comparisonHtml(comparison));
  const terminal = terminalOf(process.stdout);
  const options = { colour: terminal.colour, width: shownWidth(terminal) };
  terminal.write(
    `${json === true ? terminalJson(comparison) : `${comparisonText(comparison, options)}${html === undefined ? '' : `\n  Page  ${html}`}`}\n`,
  );
  return comparison.broke ? exitCodes.nonConformant : exitCodes.conformant;
}

function writePage(path: string, text: string): void {
  if (isAttested(dirname(path)))
    throw new CommandError(
      `${shownPath(dirname(path))} is attested, so that nothing can be added to it. Give a file elsewhere with --html.`,
    );
  try {
    makeFolder(dirname(path));
    writeNamed(path, text);
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The page cannot be written to ${path}: ${told}. Give another place with --html.`);
  }
}
