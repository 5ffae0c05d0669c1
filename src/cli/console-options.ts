import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import type { ConsoleContext } from '../console/console-context.ts';
import { type RunningConsole, startConsole } from '../console/console-server.ts';
import { portNumber } from './arguments.ts';
import { CommandError } from './exit-codes.ts';
import { tellError } from './terminal.ts';

export interface ConsoleFlags {
  readonly console: boolean;
  readonly consoleHost: string;
  readonly consolePort: number;
  readonly open?: boolean;
}

/** The flags of the commands that have a console. */
export const addConsoleOptions = (command: Command): Command =>
  command
    .option('--no-console', 'leave out the console: the page that shows each request, and why it is refused')
    .option('--open', 'open the console in the browser')
    .option(
      '--console-host <name>',
      'name or address that the console listens on; 0.0.0.0 is reached from other machines',
      'localhost',
    )
    .option('--console-port <number>', 'port of the console; 0 takes any that is free', portNumber, 0);

/** Starts the console next to a bank that listens already. */
export async function openConsole(
  context: ConsoleContext,
  { consoleHost, consolePort, open }: ConsoleFlags,
): Promise<RunningConsole> {
  const running = await startConsole(context, { host: consoleHost, port: consolePort }).catch(
    (error: unknown) => {
      const said = error instanceof Error ? error.message : String(error);
      throw new CommandError(
        `The console cannot listen on port ${consolePort} of ${consoleHost}: ${said}. Choose others with --console-host and --console-port, or leave it out with --no-console.`,
      );
    },
  );
  if (open === true) openInBrowser(running.url);
  return running;
}

const openers: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', '""'],
};

/** A machine without a browser is no reason to stop: the address is printed in any case. */
function openInBrowser(url: string): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () =>
    tellError('No browser could be opened. Open the printed address of the console by hand.'),
  );
  child.unref();
}
