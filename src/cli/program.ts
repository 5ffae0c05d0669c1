import { Command, CommanderError } from 'commander';
import { JournalError } from '../report/journal.ts';
import { tool } from '../runner/package.ts';
import { TargetFileError } from '../target/target-file-error.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { runCommand } from './run.ts';
import { serveCommand } from './serve.ts';

/** Parses the command line, runs the command and returns the exit code. Nothing ends in a stack trace but our own bug. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.conformant;
  const program = new Command('xs2a-conformance')
    .description('Judges whether a bank, or a TPP, conforms to the interface specification.')
    .version(tool.version)
    .showSuggestionAfterError(true)
    .exitOverride();
  const finish = (code: number): void => {
    exitCode = code;
  };
  for (const command of [runCommand(finish), serveCommand(finish)])
    program.addCommand(command.exitOverride());
  try {
    await program.parseAsync([...argv]);
    return exitCode;
  } catch (error) {
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  if (error instanceof TargetFileError || error instanceof JournalError) {
    process.stderr.write(`${error.message}\n`);
    return exitCodes.usage;
  }
  if (error instanceof CommandError) {
    process.stderr.write(`${error.message}\n`);
    return error.exitCode;
  }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`xs2a-conformance itself broke; please report this.\n${told}\n`);
  return exitCodes.ownFault;
}
