import { exitCodes, tellError } from './terminal.ts';

let isOver = false;

/** Ends the process although connections and timers are left. */
export function endProcess(exitCode: number): never {
  isOver = true;
  process.exit(exitCode);
}

/**
 * A module of the target file is code of others in this process, and may end it: with exit code 0, which means conformant,
 * or 1, which means that the bank is not. What ends before its end says neither.
 */
export function refuseOtherEndings(): void {
  process.on('exit', (exitCode) => {
    if (isOver || !known.has(exitCode)) return;
    tellError(
      'The command was ended before its end, and says nothing about the target. If the target file names a module, that may have called process.exit.',
    );
    process.exitCode = exitCodes.incomplete;
  });
}

/** Node has codes of its own for what it ends by itself. */
const known: ReadonlySet<number> = new Set([exitCodes.conformant, exitCodes.nonConformant]);

/** The command has come to its end, and this is what the shell is told. */
export function ended(exitCode: number): void {
  isOver = true;
  process.exitCode = exitCode;
}
