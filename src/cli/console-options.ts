import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { CertificationView } from '../console/certification-view.ts';
import type { ConsoleContext } from '../console/console-context.ts';
import { type RunningConsole, serveSite, startConsole } from '../console/console-server.ts';
import type { RequestBook } from '../console/request-book.ts';
import { RunView } from '../console/run-view.ts';
import type { ReportPaths, WrittenReports } from '../report/write-reports.ts';
import { portNumber } from '../runner/arguments.ts';
import type { Certification, CertificationListener } from '../runner/certification.ts';
import type { SigningIdentity } from '../signing/identity.ts';
import { CommandError, type Terminal, tellError } from './terminal.ts';

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
export function openInBrowser(address: string): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true });
  child.once('error', () => tellError('No browser could be opened. Open the printed address by hand.'));
  child.unref();
}

/** The console of a certification, from its first request to the verdict. */
export interface CertificationConsole {
  readonly running: RunningConsole | undefined;
  hear(news: Parameters<CertificationListener['news']>[0]): void;
  /** The bank is closed; the reports are on their way. */
  judging(): void;
  /** Shows the verdict to whoever has the console open, until the page is closed. Nobody else has to wait. */
  showEnd(written: WrittenReports, out: string, terminal: Terminal, ending: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

interface CertificationConsoleOptions {
  readonly book: RequestBook;
  /** The file with the authority of the bank's TLS. */
  readonly caFile: string;
  /** The identity that was made for the TPP; absent where it brings its own. */
  readonly identity: SigningIdentity | undefined;
}

export async function openCertificationConsole(
  certification: Certification,
  { book, caFile, identity }: CertificationConsoleOptions,
  flags: ConsoleFlags,
): Promise<CertificationConsole> {
  const { bank, baseUrl, session } = certification;
  const view = new CertificationView(session, () => certification.end('finish'));
  const running = flags.console
    ? await openConsole(
        {
          book,
          bank,
          baseUrl,
          certification: view,
          replayRefused:
            'in a certification the bank records what the TPP sends, and a replay would count as sent by the TPP.',
          ...(identity === undefined ? {} : { identity }),
          connection: { origin: new URL(baseUrl).origin, ca: caFile },
          start: session.start,
        },
        flags,
      )
    : undefined;
  return {
    running,
    hear: (news) => {
      view.hear(news);
      running?.tellNews();
    },
    judging: () => {
      view.ended();
      running?.tellNews();
    },
    showEnd: showEnd(view, running),
    close: async () => running?.close(),
  };
}

/** A run of `--open`, which a page shows while it goes on. */
export interface RunPage {
  /** The journal of the run is there. */
  begin(): void;
  /** A verdict has fallen. */
  hear(): void;
  /** As at the end of a certification. */
  showEnd(written: WrittenReports, out: string, ending: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Opens the page of a run on this machine, and prints its address for whoever has no browser here. */
export async function openRunPage(folder: string, terminal: Terminal): Promise<RunPage> {
  const view = new RunView(folder);
  const running = await serveSite(view.site, { host: 'localhost', port: 0 });
  terminal.writeOwn(`The run as it goes on: ${running.url}\n`);
  openInBrowser(running.url);
  return {
    begin: () => {
      view.begin();
      running.tellNews();
    },
    hear: () => {
      if (view.isStale) running.tellNews();
    },
    showEnd: (written, out, ending) => showEnd(view, running)(written, out, terminal, ending),
    close: () => running.close(),
  };
}

const showEnd =
  (
    view: Pick<CertificationView, 'ended'>,
    running: RunningConsole | undefined,
  ): CertificationConsole['showEnd'] =>
  async ({ outcome, paths }, out, terminal, ending) => {
    view.ended({
      verdict: outcome.verdict,
      profiles: Object.fromEntries(outcome.profiles.map(({ id, verdict }) => [id, verdict])),
      folder: out,
      reports: handedOut(paths),
    });
    running?.tellNews();
    if (running === undefined || running.watchers === 0 || ending.aborted) return;
    terminal.write(
      'The console shows the verdict. It closes with its page, on Ctrl-C, or after five minutes.\n',
    );
    await untilUnwatched(running, ending);
  };

/** Everything but the journal, which is large, and of use to commands only. */
const handedOut = ({
  html,
  allure,
  matrix,
  certificate,
  summary,
  junit,
  badge,
}: ReportPaths): readonly string[] =>
  [html, matrix, certificate, summary, junit, badge, allure].flatMap((path) =>
    path === undefined ? [] : [basename(path)],
  );

/** How long the console waits for whoever has it open to read the report. */
const readingMs = 5 * 60 * 1000;
const lookMs = 500;
/** A page that loads itself anew is gone for a moment. */
const looksWithoutPage = 4;

const untilUnwatched = (running: RunningConsole, ending: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    let looks = 0;
    const end = (): void => {
      ending.removeEventListener('abort', end);
      clearInterval(look);
      clearTimeout(limit);
      resolve();
    };
    ending.addEventListener('abort', end);
    const limit = setTimeout(end, readingMs);
    const look = setInterval(() => {
      looks = running.watchers === 0 ? looks + 1 : 0;
      if (looks >= looksWithoutPage) end();
    }, lookMs);
  });
