import { Command } from 'commander';
import type { Finish } from './exit-codes.ts';

interface CommandEntry {
  readonly name: string;
  readonly description: string;
  readonly load: (finish: Finish) => Promise<Command>;
}

/** The commands in the order of the help. Each is loaded only when it is called: some bring a bank or Vitest along. */
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
    description: 'explain a requirement, check, interpretation or profile, and how to remedy it',
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
    description: 'send a TPP that does everything right to such a certification',
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
