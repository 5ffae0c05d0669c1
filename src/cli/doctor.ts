import { randomInt } from 'node:crypto';
import { Command } from 'commander';
import { oneLine, terminalJson } from '../report/harmless-text.ts';
import { examine, type Finding } from '../runner/doctor.ts';
import { openTarget } from '../runner/open-target.ts';
import { exitCodes, type Finish } from './exit-codes.ts';
import { addTargetOptions, overridesIn, settingsHelp, type TargetFlags } from './target-options.ts';
import { type Paint, painter, redactorFor, type Style, terminalOf, wrap } from './terminal.ts';

interface DoctorFlags extends TargetFlags {
  readonly json?: boolean;
}

export const doctorCommand = (finish: Finish): Command =>
  addTargetOptions(new Command('doctor'))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
In a sandbox it creates a few payments and a basket. Without a target it looks at the embedded reference bank.
${settingsHelp}

Examples:
  $ xs2a-conformance doctor --target target.yaml
  $ xs2a-conformance doctor --target target.yaml --json

Exit codes: 0 all is well, 2 wrong usage or target file, 3 something failed.`,
    )
    .action(async (flags: DoctorFlags) => finish(await doctor(flags)));

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
    const findings = await examine(target, redactor, randomInt(1, 2 ** 31 - 1), (finding) => {
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
  const told = `  ${paint(style, mark.padEnd(7))}  ${name.padEnd(20)}  ${wrap(oneLine(said), width, indent)}`;
  return remedy === undefined
    ? told
    : `${told}\n${indent}${paint('cyan', wrap(oneLine(remedy), width, indent))}`;
}

function closing(findings: readonly Finding[], { target }: DoctorFlags): string {
  const failed = findings.filter(({ state }) => state === 'failed').length;
  const file = target === undefined ? '' : ` --target ${target}`;
  if (failed === 0) return `Ready. Judge it: xs2a-conformance run${file}`;
  return `${failed} failed. What it says below a failure is what remedies it most of the time.`;
}
