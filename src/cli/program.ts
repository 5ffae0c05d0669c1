import { Command, CommanderError } from 'commander';
import { tool } from '../runner/package.ts';
import { systemLimit } from './system-limits.ts';
import { CommandError, exitCodes, type Finish, tellError } from './terminal.ts';

interface CommandEntry {
  readonly name: string;
  readonly description: string;
  readonly load: (finish: Finish) => Promise<Command>;
}

/** The commands in the order of the help. Each is loaded only when it is called: some bring a bank along. */
const entries: readonly CommandEntry[] = [
  {
    name: 'run',
    description: 'judge a bank; without a target, the embedded reference bank',
    load: async (finish) => (await import('./run.ts')).runCommand(finish),
  },
  {
    name: 'init',
    description: 'write a target file for your bank, and test keys if you want',
    load: async (finish) => (await import('./init.ts')).initCommand(finish),
  },
  {
    name: 'doctor',
    description: 'tell in one screen what works between this machine and the bank',
    load: async (finish) => (await import('./doctor.ts')).doctorCommand(finish),
  },
  {
    name: 'list',
    description: 'list checks, requirements or profiles',
    load: async (finish) => (await import('./list.ts')).listCommand(finish),
  },
  {
    name: 'explain',
    description: 'explain a requirement, check, reading or profile, and the remedies',
    load: async (finish) => (await import('./explain.ts')).explainCommand(finish),
  },
  {
    name: 'replay',
    description: 'send the failing request of a run again, freshly signed',
    load: async (finish) => (await import('./replay.ts')).replayCommand(finish),
  },
  {
    name: 'report',
    description: 'build the reports of a run again, or merge those of shards',
    load: async (finish) => (await import('./report.ts')).reportCommand(finish),
  },
  {
    name: 'compare',
    description: 'tell what broke, healed or became unjudged between two runs',
    load: async (finish) => (await import('./compare.ts')).compareCommand(finish),
  },
  {
    name: 'serve',
    description: 'run the reference bank, for a TPP to develop against',
    load: async (finish) => (await import('./serve.ts')).serveCommand(finish),
  },
  {
    name: 'certify-tpp',
    description: 'record and judge a TPP that talks to the reference bank',
    load: async (finish) => (await import('./certify-tpp.ts')).certifyTppCommand(finish),
  },
  {
    name: 'reference-tpp',
    description: 'run a TPP that does everything right, for certify-tpp to judge',
    load: async (finish) => (await import('./reference-tpp.ts')).referenceTppCommand(finish),
  },
  {
    name: 'explain-signature',
    description: 'tell why the signature of a request is refused, from the request or a trace of curl',
    load: async (finish) => (await import('./explain-signature.ts')).explainSignatureCommand(finish),
  },
  {
    name: 'attest',
    description: 'sign a run, and pack it into one file to hand in',
    load: async (finish) => (await import('./attest.ts')).attestCommand(finish),
  },
  {
    name: 'verify',
    description: 'find what was changed in a run since it was attested',
    load: async (finish) => (await import('./verify.ts')).verifyCommand(finish),
  },
];

/** All commands: the one that the arguments call in full, the others by name and description. */
export function commandsFor(args: readonly string[], finish: Finish): Promise<readonly Command[]> {
  const [first, second] = args.filter((arg) => !arg.startsWith('-'));
  const called = first === 'help' ? second : first;
  return Promise.all(
    entries.map(async ({ name, description, load }) => {
      const command = name === called ? await load(finish) : new Command(name);
      return command.description(description);
    }),
  );
}

/** Parses the command line, runs the command and returns the exit code. Nothing ends in a stack trace but our own bug. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  let exitCode: number = exitCodes.conformant;
  const finish = (code: number): void => {
    exitCode = code;
  };
  const program = new Command('xs2a-conformance')
    .description('Judges whether a bank conforms to the interface specification, and leaves the evidence.')
    .version(tool.version)
    .showSuggestionAfterError(true)
    .showHelpAfterError('Add --help to see what can be given.')
    .exitOverride()
    // It quotes what was typed, which in a pipeline may be anybody's.
    .configureOutput({ outputError: (text) => tellError(text.trimEnd()) })
    .hook('preAction', (_, command) => refuseEmptyNames(command))
    .addHelpText(
      'after',
      `
Examples:
  $ xs2a-conformance run                          try it on the embedded bank
  $ xs2a-conformance init                         describe your own bank
  $ xs2a-conformance doctor --target target.yaml  see whether it is reached
  $ xs2a-conformance run --target target.yaml     judge it
  $ xs2a-conformance explain DIG-03               understand what failed`,
    );
  try {
    for (const command of await commandsFor(argv.slice(2), finish)) {
      program.addCommand(command.copyInheritedSettings(program));
    }
    await program.parseAsync([...argv]);
    return exitCode;
  } catch (error) {
    return exitCodeOf(error);
  }
}

/**
 * A name that is empty comes from a variable of the shell that is not set. It would mean the folder that one stands in,
 * whose reports, of whatever project, a run replaces, and of a machine all of its addresses, where others listen in.
 */
function refuseEmptyNames(command: Command): void {
  const names = command.options.filter(
    ({ long, flags }) => long === '--out' || /[<[](?:file|dir|dirs\.\.\.|name|run)[>\]]$/.test(flags),
  );
  const empty = names.find((option) => isEmptyName(command.getOptionValue(option.attributeName())));
  const argument = command.registeredArguments[command.processedArgs.findIndex(isEmptyName)];
  const what = empty?.long ?? argument?.name();
  if (what !== undefined)
    throw new CommandError(`${what} is empty: name what it stands for, or leave it out.`);
}

const isEmptyName = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isEmptyName) : typeof value === 'string' && value.trim() === '';

/** By name, because importing them would load half of the tool before the command is known. */
const usageErrors = new Set([
  'TargetFileError',
  'JournalError',
  'MergeError',
  'UnknownIdError',
  'FolderInUseError',
]);

/** Runs that ended before their end. */
const brokenOff = new Set(['JournalWriteError', 'ReportWriteError', 'RecordingWriteError']);

/** What an error means for the shell, which is told of it as well. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  if (error instanceof Error && usageErrors.has(error.name)) {
    tellError(error.message);
    return exitCodes.usage;
  }
  if (error instanceof Error && brokenOff.has(error.name)) {
    tellError(error.message);
    return exitCodes.incomplete;
  }
  if (error instanceof CommandError) {
    tellError(error.message);
    return error.exitCode;
  }
  const limit = systemLimit(error);
  if (limit !== undefined) {
    tellError(limit);
    return exitCodes.incomplete;
  }
  const aboutFile = fileProblem(error);
  if (aboutFile !== undefined) {
    tellError(aboutFile);
    return exitCodes.usage;
  }
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  tellError(`xs2a-conformance itself broke; please report this.\n${told}`);
  return exitCodes.ownFault;
}

/** What the file system says of places that the user has named: none of it is our fault. */
const fileFaults: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write or read there',
  EPERM: 'the system does not allow it',
  EROFS: 'the file system can only be read',
  ENOSPC: 'the disk is full',
  EFBIG: 'the file would be larger than this user may write',
  EDQUOT: 'the quota of this user is used up',
  ENOTDIR: 'a file stands where a folder is needed',
  EEXIST: 'a file stands where a folder is needed',
  EISDIR: 'it is a folder, not a file',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'links lead in a circle',
  ENOENT: 'it is not there and cannot be made',
};

function fileProblem(error: unknown): string | undefined {
  const { code, path, syscall } = error as NodeJS.ErrnoException;
  const fault = fileFaults[code ?? ''];
  if (!(error instanceof Error) || fault === undefined || syscall === undefined) return undefined;
  return `${path ?? 'A place that was named'} cannot be used: ${fault} (${code}). Give another place.`;
}
