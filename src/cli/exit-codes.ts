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
