import type { WriteStream } from 'node:tty';
import { harmlessLines } from '../report/harmless-text.ts';
import { wrap } from '../report/wrapped-text.ts';
import type { Target } from '../target/target.ts';
import { type RedactionOptions, Redactor } from '../tpp/redaction.ts';

/** What the shell is told. */
export const exitCodes = {
  conformant: 0,
  nonConformant: 1,
  usage: 2,
  incomplete: 3,
  ownFault: 70,
} as const;

/** Takes the exit code of a command that has done its work. */
export type Finish = (exitCode: number) => void;

/** Ends a command with a message for people, without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Where output goes, and what that place can show. */
export interface Terminal {
  readonly isTty: boolean;
  readonly colour: boolean;
  readonly width: number;
  /** Past the redactor, since what a terminal shows ends up in logs. */
  write(text: string): void;
  /** As it is: words of our own, and test data that somebody is to use. Nothing that a bank or a TPP has said. */
  writeOwn(text: string): void;
}

/** What is secret by its form is hidden before any target is known. */
let redactor = new Redactor();

/** From now on what is secret of a target is hidden as well. The process has one terminal, and one target. */
export function hideOnTerminal(next: Redactor): void {
  redactor = next;
}

/** A message for people, of one line or several; it may quote anybody. */
export function tellError(message: string): void {
  const text = harmlessLines(redactor.text(message));
  process.stderr.write(`${process.stderr.isTTY ? fitted(text, process.stderr.columns || 80) : text}\n`);
}

/** Breaks long lines between words, and keeps their indent; the lines of a stack stay whole. */
const fitted = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => {
      const indent = /^ */.exec(line)?.[0] ?? '';
      return /^ +at /.test(line) ? line : `${indent}${wrap(line.trimStart(), width, indent)}`;
    })
    .join('\n');

/** The redactor of a target, which the terminal follows from then on. */
export function redactorFor(target: Target, { showTestData = false }: RedactionOptions): Redactor {
  if (showTestData && target.environment !== 'sandbox') {
    throw new CommandError(
      `--show-test-data shows people and sessions, which are mocked in a sandbox alone; the environment of this target is ${target.environment}.`,
    );
  }
  const own = new Redactor(target, { showTestData });
  hideOnTerminal(own);
  return own;
}

/** Colours on a terminal, or where FORCE_COLOR asks for them; never against NO_COLOR (https://no-color.org). */
export function terminalOf(stream: WriteStream, environment: NodeJS.ProcessEnv = process.env): Terminal {
  const isTty = stream.isTTY === true;
  const noColour = environment.NO_COLOR !== undefined && environment.NO_COLOR !== '';
  const forced = environment.FORCE_COLOR !== undefined && !['', '0'].includes(environment.FORCE_COLOR);
  return {
    isTty,
    colour: !noColour && (forced || (isTty && environment.TERM !== 'dumb')),
    // A terminal that does not know its width says 0.
    width: stream.columns || 100,
    write: (text) => void stream.write(redactor.text(text)),
    writeOwn: (text) => void stream.write(text),
  };
}

/** A line of a log is not longer than one of a plain terminal, wherever it is read. */
export const shownWidth = ({ isTty, width }: Terminal): number =>
  isTty ? Math.max(60, Math.min(width, 100)) : 80;
