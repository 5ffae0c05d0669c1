import { startBankAhead } from '../runner/bank-thread.ts';

/** By their names alone: the settings themselves bring half of the tool along. */
const naming = /^(?:-t.*|--target(?:=.*)?|--base-url(?:=.*)?)$/;
const helping = ['-h', '--help'];

/** Whether a command line means a run on the embedded bank. A wrong guess costs or gains a few tenths of a second. */
export function meansTheEmbeddedBank(
  [command, ...flags]: readonly string[],
  { XS2A_TARGET, XS2A_BASE_URL }: NodeJS.ProcessEnv,
): boolean {
  return (
    command === 'run' &&
    XS2A_TARGET === undefined &&
    !XS2A_BASE_URL &&
    !flags.some((flag) => naming.test(flag) || helping.includes(flag))
  );
}

export function startBankIfMeant(args: readonly string[], environment: NodeJS.ProcessEnv): void {
  if (meansTheEmbeddedBank(args, environment)) startBankAhead();
}
