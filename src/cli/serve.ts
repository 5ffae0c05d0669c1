import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { type BankDesign, compliantDesign } from '../bank/design.ts';
import { allOf, type DesignChange } from '../bank/design-changes.ts';
import { type Deviation, deviationById } from '../bank/deviations/index.ts';
import { withLatency } from '../bank/with-latency.ts';
import { type EmbeddedBank, startEmbeddedBank } from '../runner/embedded-bank.ts';
import { tool } from '../runner/package.ts';
import {
  SandboxFolderError,
  sandboxFiles,
  sandboxPkiIn,
  writeSandboxTarget,
} from '../runner/sandbox-folder.ts';
import { schemaPathFrom } from '../runner/schema-path.ts';
import { readCertificate } from '../signing/certificate.ts';
import { nearest } from '../target/nearest.ts';
import { collected, httpsUrl, milliseconds, pathPrefix, portNumber } from './arguments.ts';
import type { Finish } from './commands.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import { requestLogLine } from './request-log.ts';
import { onEnding } from './signals.ts';
import { terminalOf } from './terminal.ts';

interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly prefix: string;
  readonly publicUrl?: string;
  readonly out: string;
  readonly trust?: readonly string[];
  readonly latency?: number;
  readonly deviation?: readonly string[];
  readonly json?: boolean;
}

export const serveCommand = (finish: Finish): Command =>
  new Command('serve')
    .option('-p, --port <number>', 'port to listen on; 0 takes any that is free', portNumber, 8443)
    .option(
      '--host <name>',
      'name or address to listen on; 0.0.0.0 is reached from other machines',
      'localhost',
    )
    .option('--prefix <path>', 'path before /v1, such as /psd2', pathPrefix, '')
    .option('--public-url <url>', 'address that others reach it by, where that is another one', httpsUrl)
    .option('-o, --out <dir>', 'folder for authority, TPP identity and target file', 'xs2a-sandbox')
    .option(
      '--trust <file>',
      'trust another authority for TPP certificates, such as your own (repeatable)',
      collected,
    )
    .option('--latency <ms>', 'answer so much later, as over a long line', milliseconds)
    .option(
      '--deviation <id>',
      'break one requirement in one way, to see how it is judged (repeatable)',
      collected,
    )
    .option('--json', 'write what it says as JSON, one object per line')
    .addHelpText(
      'after',
      `
The keys in the folder are used again at the next start. State lives in memory and starts from the initial data set.

Examples:
  $ xs2a-conformance serve
  $ xs2a-conformance serve --port 9443 --prefix /psd2 --latency 50
  $ xs2a-conformance serve --deviation DIG-03/unchecked    (explain DIG-03 names the ways to break it)
  $ xs2a-conformance serve --host 0.0.0.0 --public-url https://bank.test:8443
  $ xs2a-conformance run --target xs2a-sandbox/target.yaml      (in another terminal)`,
    )
    .action(async (flags: ServeFlags) => finish(await serve(flags)));

async function serve(flags: ServeFlags): Promise<number> {
  const terminal = terminalOf(process.stdout);
  const say = (event: object, text: string): void =>
    terminal.write(`${flags.json === true ? JSON.stringify(event) : text}\n`);
  const dir = resolve(flags.out);
  const pki = await sandboxPkiIn(dir).catch(asCommandError);
  const embedded = await startEmbeddedBank({
    design: designOf(flags),
    pki,
    trust: await Promise.all((flags.trust ?? []).map(readAuthority)),
    listen: { port: flags.port, host: flags.host },
    prefix: flags.prefix,
    ...publicAddress(flags),
    onRequest: (line) =>
      say(
        { event: 'request', at: new Date().toISOString(), ...line },
        requestLogLine(line, terminal, new Date()),
      ),
  }).catch((error: unknown) => asListenError(error, flags));
  const renewal = setInterval(() => embedded.renewSessions(), 5 * 60 * 1000);
  const target = await writeSandboxTarget(dir, embedded.description, pki, await schemaPathFrom(dir));
  say(listening(embedded, target), welcome(embedded, relative('', dir) || '.', deviationsOf(flags)));
  const signal = await new Promise<string>(onEnding);
  clearInterval(renewal);
  await embedded.close();
  say({ event: 'stopped', signal }, `${signal}: stopped.`);
  return exitCodes.conformant;
}

function designOf(flags: ServeFlags): BankDesign {
  const changes: readonly DesignChange[] = [
    ...deviationsOf(flags).map(({ apply }) => apply),
    ...(flags.latency === undefined ? [] : [withLatency(flags.latency)]),
  ];
  return allOf(...changes)(compliantDesign);
}

const deviationsOf = ({ deviation = [] }: ServeFlags): readonly Deviation[] =>
  deviation.map((id) => {
    const found = deviationById.get(id);
    if (found === undefined) throw new CommandError(unknownSwitch('deviation', id, deviationById.keys()));
    return found;
  });

/** The id that was meant, or all that begin as the requirement does. */
function unknownSwitch(kind: string, id: string, known: Iterable<string>): string {
  const ids = [...known];
  const requirement = id.split('/', 1)[0]?.toUpperCase() ?? '';
  const siblings = ids.filter((candidate) => candidate.startsWith(`${requirement}/`));
  const meant = siblings.length > 0 ? siblings.join(', ') : nearest(id, ids);
  return `There is no ${kind} "${id}".${meant === undefined ? '' : ` Did you mean ${meant}?`}`;
}

async function readAuthority(file: string): Promise<string> {
  try {
    const pem = await readFile(file, 'utf8');
    readCertificate(pem);
    return pem;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${file} is no authority to trust. ${said}`);
  }
}

/** An address that means "everywhere" leads nowhere, so the bank calls itself by a name. */
function publicAddress({ host, port, prefix, publicUrl }: ServeFlags): {
  readonly publicUrl?: string;
  readonly hostnames: readonly string[];
} {
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const address =
    publicUrl ?? (isEverywhere && port !== 0 ? `https://localhost:${port}${prefix}` : undefined);
  const names = ['localhost', hostname(), ...(isEverywhere ? [] : [host])];
  const outside = address === undefined ? [] : [new URL(address).hostname.replace(/^\[|\]$/g, '')];
  return {
    ...(address === undefined ? {} : { publicUrl: address }),
    // The first one names the certificate; what no certificate can hold is left out.
    hostnames: [...new Set([...outside, ...names])].filter((name) => /^[\w.:-]+$/.test(name)),
  };
}

interface ShownCustomer {
  readonly customerNumber: string;
  readonly type: string;
  readonly name: string;
  readonly accounts: readonly { readonly bban: string; readonly currency: string }[];
  readonly cards: readonly string[];
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

function listening(embedded: EmbeddedBank, target: string): object {
  const { baseUrl, pki, description } = embedded;
  const { certificate } = pki.tpp;
  const file = (name: string): string => join(target, '..', name);
  return {
    event: 'listening',
    tool,
    baseUrl,
    target,
    ca: file(sandboxFiles.ca),
    tpp: {
      certificate: file(sandboxFiles.tpp),
      privateKey: file(sandboxFiles.tppKey),
      authorisationNumber: certificate.authorisationNumber,
      roles: certificate.roles,
    },
    psu: description.psu,
    customers: customersOf(embedded),
  };
}

function welcome(embedded: EmbeddedBank, dir: string, deviations: readonly Deviation[]): string {
  const { baseUrl, pki, description } = embedded;
  const { certificate } = pki.tpp;
  const file = (name: string): string => join(dir, name);
  const customers = customersOf(embedded);
  const nameWidth = Math.max(...customers.map(({ name }) => name.length));
  return [
    `Reference bank, ${tool.name} ${tool.version}`,
    ...deviations.map(({ id, title }) => `  It ${title} (${id}).`),
    '',
    `  Base URL     ${baseUrl}`,
    `  Authority    ${file(sandboxFiles.ca)}`,
    `  TPP          ${file(sandboxFiles.tpp)} and ${sandboxFiles.tppKey} (${certificate.authorisationNumber}, ${certificate.roles.join(' and ')})`,
    `  PSU          PSU-ID ${description.psu.id}`,
    `               TPP-Session-ID ${description.psu.sessionId} (customer ${description.psu.nationalId}, SCA passed)`,
    `  Target file  ${file(sandboxFiles.target)}`,
    '',
    'Customers; their number is what the SCA page asks for:',
    ...customers.map(({ customerNumber, type, name, accounts, cards }) =>
      [
        ` ${customerNumber}`,
        type.padEnd(9),
        name.padEnd(nameWidth),
        ...accounts.map(({ bban, currency }) => `${bban} ${currency}`),
        ...cards.map((card) => `card ${card}`),
      ].join('  '),
    ),
    '',
    `Judge it:  npx xs2a-conformance run --target ${file(sandboxFiles.target)}`,
    'Stop it with Ctrl-C.',
    '',
  ].join('\n');
}

function asCommandError(error: unknown): never {
  if (error instanceof SandboxFolderError) throw new CommandError(error.message);
  throw error;
}

function asListenError(error: unknown, { port, host }: ServeFlags): never {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    throw new CommandError(`Port ${port} of ${host} is taken. Choose another with --port; 0 takes any.`);
  }
  if (code === 'EACCES')
    throw new CommandError(`Port ${port} may not be used by you. Choose one above 1023.`);
  if (code === 'ENOTFOUND' || code === 'EADDRNOTAVAIL') {
    throw new CommandError(`${host} is no address of this machine. Choose another with --host.`);
  }
  throw error;
}
