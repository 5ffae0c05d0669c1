import { join, relative, resolve } from 'node:path';
import { styleText } from 'node:util';
import { Command } from 'commander';
import { compliantDesign } from '../bank/compliant-design.ts';
import { withLatency } from '../bank/design/design-changes.ts';
import type { RequestLine } from '../bank/http/dispatch.ts';
import { adjustableClock } from '../bank/state/clock.ts';
import { BankByHand, createInterruption } from '../console/bank-by-hand.ts';
import type { ConsoleContext } from '../console/console-context.ts';
import type { RunningConsole } from '../console/console-server.ts';
import { RequestBook } from '../console/request-book.ts';
import { oneShortLine } from '../report/harmless-text.ts';
import { collected, milliseconds } from '../runner/arguments.ts';
import { type BankSwitches, SwitchError, type SwitchFlags, switchesIn } from '../runner/bank-switches.ts';
import { type EmbeddedBank, startEmbeddedBank, type TargetDescription } from '../runner/embedded-bank.ts';
import { payingOnly } from '../runner/named-customers.ts';
import { schemaPathFrom, tool } from '../runner/package.ts';
import {
  SandboxFolderError,
  sandboxFiles,
  sandboxPkiIn,
  writeSandboxTarget,
} from '../runner/sandbox-folder.ts';
import { addConsoleOptions, type ConsoleFlags, openConsole } from './console-options.ts';
import { customerLines, type ShownCustomer } from './customer-lines.ts';
import {
  addListenOptions,
  asListenError,
  type ListenFlags,
  onEnding,
  publicAddress,
  readAuthority,
} from './listening.ts';
import { CommandError, exitCodes, type Finish, type Terminal, terminalOf } from './terminal.ts';

interface ServeFlags extends SwitchFlags, ListenFlags, ConsoleFlags {
  readonly out: string;
  readonly trust?: readonly string[];
  readonly json?: boolean;
  readonly production?: boolean;
}

export const serveCommand = (finish: Finish): Command =>
  addConsoleOptions(
    addListenOptions(new Command('serve'))
      .option('-o, --out <dir>', 'folder for authority, TPP identity and target file', 'xs2a-sandbox')
      .option(
        '--trust <file>',
        'trust another authority for TPP certificates, such as your own (repeatable)',
        collected,
      )
      .option('--production', 'be a production bank: without the sandbox operations')
      .option('--latency <ms>', 'answer so much later, as over a long line', milliseconds)
      .option(
        '--deviation <id>',
        'break one requirement in one way, to see how it is judged (repeatable)',
        collected,
      )
      .option('--dialect <id>', 'be unusual and still compliant, as banks are (repeatable)', collected)
      .option('--json', 'write what it says as JSON, one object per line'),
  )
    .addHelpText(
      'after',
      `
The keys in the folder are used again at the next start. State lives in memory
and starts from the initial data set. The console is a page that shows each
request as it comes, why it is refused and what was signed, and lets you change
the bank by hand. Its address is printed, with a token.

Examples:
  $ xs2a-conformance serve
  $ xs2a-conformance serve --open
  $ xs2a-conformance serve --port 9443 --prefix /psd2 --latency 50
  $ xs2a-conformance serve --deviation DIG-03/unchecked  (list --deviations)
  $ xs2a-conformance serve --dialect errors/problem-json (list --dialects)
  $ xs2a-conformance serve --host 0.0.0.0 --public-url https://bank.test:8443

In another terminal:
  $ xs2a-conformance run --target xs2a-sandbox/target.yaml`,
    )
    .action(async (flags: ServeFlags) => finish(await serve(flags)));

async function serve(flags: ServeFlags): Promise<number> {
  const terminal = terminalOf(process.stdout);
  // Its customers are mocked, and whoever develops a TPP has to know their numbers.
  const say = (event: object, text: string, write = terminal.writeOwn): void =>
    write(`${flags.json === true ? JSON.stringify(event) : text}\n`);
  const dir = resolve(flags.out);
  const switches = chosenSwitches(flags);
  const prefix = flags.prefix ?? switches.prefix ?? '';
  const pki = await sandboxPkiIn(dir).catch(asCommandError);
  const trust = await Promise.all((flags.trust ?? []).map(readAuthority));
  const hand = createHand();
  const embedded = await startEmbeddedBank({
    design: hand.interruption.change(switches.design),
    clock: hand.clock,
    ...(flags.console ? { onAnswer: (answered) => hand.book.add(answered) } : {}),
    signsResponses: switches.signsResponses,
    environment: flags.production === true ? 'production' : 'sandbox',
    pki,
    trust,
    listen: { port: flags.port, host: flags.host },
    prefix,
    ...publicAddress(flags, prefix),
    onRequest: (line) =>
      say(
        { event: 'request', at: new Date().toISOString(), ...line },
        requestLogLine(line, terminal, new Date()),
        terminal.write,
      ),
  }).catch((error: unknown) => asListenError(error, flags));
  const byHand = byHandOf(embedded, hand, switches, flags);
  const running = flags.console
    ? await openConsole(consoleContext(embedded, hand.book, byHand, dir, trust), flags).catch(
        async (error: unknown) => {
          await embedded.close();
          throw error;
        },
      )
    : undefined;
  const renewal = setInterval(
    () => embedded.renewSessions((sessionId) => byHand.hasExpired(sessionId)),
    5 * 60 * 1000,
  );
  const described = withScaToPass(embedded.description);
  const description = {
    ...described,
    ...declaredBy(switches, flags),
    accounts: payingOnly(described.accounts, switches.declared),
  };
  const close = async (): Promise<void> => {
    clearInterval(renewal);
    await running?.close();
    await embedded.close();
  };
  try {
    await writeSandboxTarget(dir, description, pki, await schemaPathFrom(dir));
  } catch (error) {
    // Who still listens would keep the process from ending.
    await close();
    throw error;
  }
  say(
    listeningEvent(embedded, dir, switches, running),
    welcome(embedded, relative('', dir) || '.', switches, running?.url),
  );
  const signal = await new Promise<string>(onEnding);
  await close();
  say({ event: 'stopped', signal }, `${signal}: stopped.`);
  return exitCodes.conformant;
}

/** What reaches into the bank from the console. */
const createHand = () => ({
  book: new RequestBook(),
  clock: adjustableClock(),
  interruption: createInterruption(),
});

const byHandOf = (
  embedded: EmbeddedBank,
  { clock, interruption }: ReturnType<typeof createHand>,
  { deviations, dialects }: BankSwitches,
  { latency }: ServeFlags,
): BankByHand =>
  new BankByHand({
    bank: embedded.bank,
    startDesign: embedded.bank.design,
    plainDesign: latency === undefined ? compliantDesign : withLatency(latency)(compliantDesign),
    interruption,
    clock,
    started: { dialects: dialects.map(({ id }) => id), deviations: deviations.map(({ id }) => id) },
    reset: () => embedded.reset(),
  });

const consoleContext = (
  { bank, baseUrl, pki }: EmbeddedBank,
  book: RequestBook,
  byHand: BankByHand,
  dir: string,
  trust: readonly string[],
): ConsoleContext => ({
  book,
  bank,
  baseUrl,
  byHand,
  identity: pki.tpp,
  connection: { origin: new URL(baseUrl).origin, ca: join(dir, sandboxFiles.ca) },
  start: {
    tool,
    startedAt: new Date().toISOString(),
    baseUrl,
    trustedAuthorities: [pki.ca.certificatePem, pki.oddAuthority, ...trust],
  },
});

/**
 * Every run passes SCA anew, in the session that all of them share: a session that the bank was started with ends when
 * a TPP logs the same customer in.
 */
function withScaToPass({
  psu,
  ...description
}: TargetDescription): Omit<TargetDescription, 'psu'> & { readonly psu: object } {
  const { id: _, corporateId: __, corporate, ...known } = psu;
  // One for all runs: some dialects know the addresses of a TPP.
  const person = { ...known, redirectUri: 'https://tpp.example/redirect' };
  if (corporate === undefined) return { ...description, psu: person };
  const { id: ___, corporateId: ____, ...company } = corporate;
  return { ...description, psu: { ...person, corporate: company } };
}

/** What a target file has to say of this very bank. */
const declaredBy = ({ declared, way, changedData }: BankSwitches, { production }: ServeFlags): object => ({
  ...(changedData && production !== true ? { sandbox: { allowChanges: true } } : {}),
  ...(declared.notOffered.length === 0 ? {} : { notOffered: declared.notOffered }),
  ...(Object.keys(declared.interpretations).length === 0
    ? {}
    : { interpretations: declared.interpretations }),
  ...way,
});

function chosenSwitches(flags: ServeFlags): BankSwitches {
  try {
    return switchesIn(flags);
  } catch (error) {
    return asCommandError(error);
  }
}

function asCommandError(error: unknown): never {
  if (error instanceof SandboxFolderError || error instanceof SwitchError)
    throw new CommandError(error.message);
  throw error;
}

/** What a program needs to know of a bank that has begun to listen. */
function listeningEvent(
  embedded: EmbeddedBank,
  dir: string,
  switches: BankSwitches,
  running: RunningConsole | undefined,
): object {
  const { baseUrl, pki, description } = embedded;
  const { certificate } = pki.tpp;
  return {
    event: 'listening',
    tool,
    baseUrl,
    ...(running === undefined
      ? {}
      : { console: { url: running.url, apiUrl: running.apiUrl, token: running.token } }),
    target: join(dir, sandboxFiles.target),
    ca: join(dir, sandboxFiles.ca),
    tpp: {
      certificate: join(dir, sandboxFiles.tpp),
      privateKey: join(dir, sandboxFiles.tppKey),
      authorisationNumber: certificate.authorisationNumber,
      roles: certificate.roles,
    },
    psu: description.psu,
    customers: customersOf(embedded),
    deviations: switches.deviations.map(({ id }) => id),
    dialects: switches.dialects.map(({ id }) => id),
  };
}

/** The same for people. */
function welcome(embedded: EmbeddedBank, dir: string, switches: BankSwitches, consoleUrl?: string): string {
  const { baseUrl, pki, description } = embedded;
  const { certificate } = pki.tpp;
  const file = (name: string): string => join(dir, name);
  return [
    `Reference bank, ${tool.name} ${tool.version}`,
    ...[...switches.deviations, ...switches.dialects].map(({ id, title }) => `  It ${title} (${id}).`),
    ...Object.entries(switches.readings).map(
      ([id, value]) =>
        `  That breaks a rule under the reading ${id}: ${value}, which the target file chooses.`,
    ),
    '',
    `  Base URL     ${baseUrl}`,
    ...(consoleUrl === undefined ? [] : [`  Console      ${consoleUrl}`]),
    `  Authority    ${file(sandboxFiles.ca)}`,
    `  TPP          ${file(sandboxFiles.tpp)} and ${sandboxFiles.tppKey}`,
    `               (${certificate.authorisationNumber}, ${certificate.roles.join(' and ')})`,
    `  PSU          PSU-ID ${description.psu.id}`,
    ...(description.psu.corporateId === undefined
      ? []
      : [`               PSU-Corporate-ID ${description.psu.corporateId}`]),
    `               TPP-Session-ID ${description.psu.sessionId}`,
    `               (customer ${description.psu.nationalId}, SCA passed)`,
    `  Target file  ${file(sandboxFiles.target)}`,
    '',
    ...customerLines(customersOf(embedded)),
    '',
    `Judge it:  npx xs2a-conformance run --target ${file(sandboxFiles.target)}`,
    'Stop it with Ctrl-C.',
    '',
  ].join('\n');
}

function customersOf({ bank }: EmbeddedBank): readonly ShownCustomer[] {
  const { customers } = bank.state;
  return customers.list().map(({ customerNumber, customerType, customerName }) => ({
    customerNumber,
    type: customerType,
    name: customerName,
    accounts: customers.accountsOf(customerNumber).map(({ bban, currency }) => ({ bban, currency })),
    cards: customers.cardAccountsOf(customerNumber).map(({ identification }) => identification),
  }));
}

/** One line per request: when, how it ended, what was called, and for a refusal the requirement and what was wrong. */
export function requestLogLine(line: RequestLine, { colour }: Pick<Terminal, 'colour'>, now: Date): string {
  const { method, path, status, requirement, text, durationMs } = line;
  const paint = (style: Parameters<typeof styleText>[0], shown: string): string =>
    colour ? styleText(style, shown, { validateStream: false }) : shown;
  const style = status < 400 ? 'green' : status < 500 ? 'yellow' : 'red';
  return [
    paint('gray', now.toISOString().slice(11, 23)),
    paint(style, String(status)),
    method.padEnd(6),
    oneShortLine(path, 120),
    paint('gray', `${Math.round(durationMs)} ms`),
    ...(requirement === undefined ? [] : [paint('bold', requirement)]),
    ...(text === undefined ? [] : [oneShortLine(text, 200)]),
  ].join('  ');
}
