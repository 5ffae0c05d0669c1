import { randomInt } from 'node:crypto';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { renderRun } from '../report/console.ts';
import { writeReports } from '../report/write-reports.ts';
import { judgeTarget } from '../runner/judge-target.ts';
import { requirements } from '../spec/catalogue.ts';
import { idList, shardOf, wholeNumber } from './arguments.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { showProgress } from './progress.ts';
import { selectChecks } from './select-checks.ts';
import { terminalOf } from './terminal.ts';

interface RunFlags {
  readonly target?: string;
  readonly baseUrl?: string;
  readonly out: string;
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly runs: number;
  readonly shard?: { readonly index: number; readonly count: number };
  readonly html: boolean;
  readonly allowProductionPayments?: boolean;
}

export const runCommand = (finish: (exitCode: number) => void): Command =>
  new Command('run')
    .description('judges a bank; without a target, the embedded reference bank')
    .option('-t, --target <file>', 'target file that describes the bank (YAML or JSON)')
    .option('--base-url <url>', 'address of the bank, instead of the one in the target file')
    .option('-o, --out <dir>', 'folder for the reports', 'reports/latest')
    .option('--only <ids>', 'judge only these checks, requirements or suites (comma-separated)', idList)
    .option('--seed <number>', 'draw the same cases again', wholeNumber)
    .option('--runs <number>', 'cases of each property', wholeNumber, 10)
    .option('--shard <index/count>', 'judge one part of the checks, for several machines', shardOf)
    .option('--no-html', 'leave out the HTML report')
    .option('--allow-production-payments', 'create payments although the target is a production environment')
    .addHelpText(
      'after',
      `
Examples:
  $ xs2a-conformance run
  $ xs2a-conformance run --target bank.yaml --out reports/bank
  $ xs2a-conformance run --target bank.yaml --only DIG-03,AMT --seed 7

Exit codes: 0 conformant, 1 non-conformant, 2 wrong usage or target file, 3 incomplete or unreachable, 70 our own fault.`,
    )
    .action(async (flags: RunFlags) => finish(await run(flags)));

async function run(flags: RunFlags): Promise<number> {
  const terminal = terminalOf(process.stdout);
  const out = resolve(flags.out);
  const selection = await selectChecks(flags);
  const progress = showProgress(terminal, selection.planned.length);
  const { wall } = await judgeTarget({
    ...(flags.target === undefined ? {} : { target: flags.target }),
    overrides: {
      ...(flags.baseUrl === undefined ? {} : { baseUrl: flags.baseUrl }),
      ...(flags.allowProductionPayments === true ? { allowProductionPayments: true } : {}),
    },
    out,
    seed: flags.seed ?? randomInt(1, 2 ** 31 - 1),
    repeatsPayments: flags.seed !== undefined,
    runs: flags.runs,
    command: commandLine(flags),
    ...selection,
    listener: progress,
  });
  progress.end();
  if (wall !== undefined) throw new CommandError(wall, exitCodes.incomplete);
  const {
    run: record,
    outcome,
    paths,
    htmlProblem,
  } = await writeReports(out, { requirements, html: flags.html });
  terminal.write(`${renderRun(record, outcome, paths, { colour: terminal.colour })}\n`);
  if (htmlProblem !== undefined) process.stderr.write(`The HTML report could not be made: ${htmlProblem}\n`);
  return outcome.exitCode;
}

function commandLine({ target, baseUrl, runs }: RunFlags): string {
  return [
    'npx xs2a-conformance run',
    ...(target === undefined ? [] : [`--target ${target}`]),
    ...(baseUrl === undefined ? [] : [`--base-url ${baseUrl}`]),
    ...(runs === 10 ? [] : [`--runs ${runs}`]),
  ].join(' ');
}
