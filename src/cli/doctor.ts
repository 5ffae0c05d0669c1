import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { placeChecks } from '../checks/engine.ts';
import { oneLine, terminalJson } from '../report/harmless-text.ts';
import { type Paint, painter, type Style } from '../report/paint.ts';
import { wrap } from '../report/wrapped-text.ts';
import { examine, type Finding } from '../runner/doctor.ts';
import { learnReadings } from '../runner/learn-readings.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { openTarget } from '../runner/open-target.ts';
import { prepareRun } from '../runner/prepare-run.ts';
import { isWritable, writeReadings } from '../target/write-readings.ts';
import { closingOfLearning, readingTexts } from './learned-text.ts';
import { addTargetOptions, overridesIn, settingsHelp, type TargetFlags } from './target-options.ts';
import { CommandError, exitCodes, type Finish, redactorFor, terminalOf } from './terminal.ts';

interface DoctorFlags extends TargetFlags {
  readonly json?: boolean;
  readonly learn?: boolean;
  readonly write?: boolean;
}

export const doctorCommand = (finish: Finish): Command =>
  addTargetOptions(new Command('doctor'))
    .option('--json', 'print JSON')
    .option('--learn', 'find out which readings of the specification the bank keeps to')
    .option('--write', 'with --learn: write them into the target file')
    .addHelpText(
      'after',
      `
In a sandbox it creates a few payments and a basket. Without a target it looks
at the embedded reference bank.
${settingsHelp}

Examples:
  $ xs2a-conformance doctor --target target.yaml
  $ xs2a-conformance doctor --target target.yaml --json
  $ xs2a-conformance doctor --target target.yaml --learn --write

Exit codes: 0 all is well, 2 wrong usage or target file, 3 something failed.`,
    )
    .action(async (flags: DoctorFlags) => {
      if (flags.write === true && flags.learn !== true)
        throw new CommandError('--write writes what --learn finds out: give both.');
      finish(await (flags.learn === true ? learn(flags) : doctor(flags)));
    });

/** Prints what the bank was seen to do where the specification leaves it open, and writes it where it is asked to. */
async function learn(flags: DoctorFlags): Promise<number> {
  const { target: file, write = false, json = false } = flags;
  if (write && file === undefined)
    throw new CommandError('--write needs a target file: give it as --target.');
  // Before the bank is asked for minutes, and not after.
  if (write && file !== undefined && existsSync(file) && !isWritable(file))
    throw new CommandError(
      `--write cannot write into ${file}: give an ordinary file that is yours to change.`,
    );
  const terminal = terminalOf(process.stdout);
  const opened = await openTarget(file, overridesIn(flags));
  try {
    const redactor = redactorFor(opened.target, flags);
    const { runContext, blocker } = await prepareRun(opened.target, {
      seed: randomInt(1, 2 ** 31 - 1),
      runs: 1,
      repeatsPayments: false,
      command: 'npx xs2a-conformance run',
      redactor,
    });
    try {
      if (blocker !== undefined) throw new CommandError(blocker, exitCodes.incomplete);
      const paint = painter(terminal.colour);
      const width = Math.min(terminal.width, 110);
      const checks = placeChecks(await loadSuites());
      const textOf = readingTexts({ width, paint });
      const learned = await learnReadings(runContext, checks, (one) => {
        if (!json) terminal.write(`${textOf(one)}\n`);
      });
      const chosen: Readonly<Record<string, string>> = opened.target.readings;
      const changed = Object.fromEntries(
        learned.flatMap(({ id, observed }) =>
          observed === undefined || observed === chosen[id] ? [] : [[id, observed]],
        ),
      );
      if (write && file !== undefined) writeReadings(file, changed);
      terminal.write(
        json
          ? `${terminalJson({ target: opened.target.name, learned, changed, written: write })}\n`
          : `\n${closingOfLearning(learned, { changed, ...(write && file !== undefined ? { writtenTo: file } : {}) }, { width })}\n`,
      );
      return learned.every(({ observed }) => observed !== undefined)
        ? exitCodes.conformant
        : exitCodes.incomplete;
    } finally {
      await runContext.close();
    }
  } finally {
    await opened.close();
  }
}

async function doctor(flags: DoctorFlags): Promise<number> {
  const terminal = terminalOf(process.stdout);
  const paint = painter(terminal.colour);
  const isText = flags.json !== true;
  const opened = await openTarget(flags.target, overridesIn(flags));
  const { target } = opened;
  try {
    const redactor = redactorFor(target, flags);
    if (isText) terminal.write(`${paint('bold', oneLine(target.name))}  ${oneLine(target.baseUrl)}\n\n`);
    const width = Math.min(terminal.width, 110);
    const checks = placeChecks(await loadSuites());
    const findings = await examine(target, redactor, randomInt(1, 2 ** 31 - 1), checks, (finding) => {
      if (isText) terminal.write(`${findingText(finding, width, paint)}\n`);
    });
    const isWell = findings.every(({ state }) => state !== 'failed');
    if (isText) terminal.write(`\n${closing(findings, flags)}\n`);
    else
      terminal.write(
        `${terminalJson({ target: target.name, baseUrl: target.baseUrl, ok: isWell, findings })}\n`,
      );
    return isWell ? exitCodes.conformant : exitCodes.incomplete;
  } finally {
    await opened.close();
  }
}

const marks: Readonly<Record<Finding['state'], readonly [mark: string, style: Style]>> = {
  ok: ['ok', 'green'],
  warning: ['warning', 'yellow'],
  failed: ['failed', 'red'],
  skipped: ['skipped', 'gray'],
};

const indent = ' '.repeat(33);

function findingText({ name, state, said, remedy }: Finding, width: number, paint: Paint): string {
  const [mark, style] = marks[state];
  const lines = said.split('\n').map((line) => wrap(oneLine(line), width, indent));
  const told = `  ${paint(style, mark.padEnd(7))}  ${name.padEnd(20)}  ${lines.join(`\n${indent}`)}`;
  return remedy === undefined
    ? told
    : `${told}\n${indent}${paint('cyan', wrap(oneLine(remedy), width, indent))}`;
}

function closing(findings: readonly Finding[], { target }: DoctorFlags): string {
  const failed = findings.filter(({ state }) => state === 'failed').length;
  const file = target === undefined ? '' : ` --target ${target}`;
  if (failed === 0) return `Ready. Judge it: npx xs2a-conformance run${file}`;
  return `${failed} failed. What it says below a failure is what remedies it most of the time.`;
}
