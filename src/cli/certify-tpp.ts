import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { boundText } from '../certification/admission.ts';
import { controlPaths } from '../certification/certification-bank.ts';
import { type Journey, journeys } from '../certification/journeys.ts';
import { RecordingError, readRecording } from '../certification/recorder.ts';
import { type EndReason, recordingFile, unredactedFolder } from '../certification/recording.ts';
import { renderRun } from '../report/console.ts';
import { oneShortLine } from '../report/harmless-text.ts';
import { holdFolder } from '../report/run-folder.ts';
import { type WrittenReports, writeReports } from '../report/write-reports.ts';
import {
  type Certification,
  type CertificationListener,
  journalCertification,
  startCertification,
} from '../runner/certification.ts';
import { describeCertification } from '../runner/certification-target.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { killScores, tool } from '../runner/package.ts';
import {
  SandboxFolderError,
  sandboxFiles,
  sandboxPkiIn,
  writeSandboxTarget,
} from '../runner/sandbox-folder.ts';
import type { SandboxPki } from '../runner/sandbox-pki.ts';
import { schemaPathFrom } from '../runner/schema-path.ts';
import { type CertificateAuthority, createCertificateAuthority } from '../signing/certificate-authority.ts';
import { requirementById, requirements } from '../spec/catalogue.ts';
import { nearest } from '../target/nearest.ts';
import { httpsUrl, idList, pathPrefix, portNumber, seconds } from './arguments.ts';
import { attestationKey, attestRun } from './attest.ts';
import { CommandError, type Finish } from './exit-codes.ts';
import { asListenError, type ListenFlags, publicAddress, readAuthority } from './listening.ts';
import { reportLines, verdictJson } from './report-lines.ts';
import { onEnding } from './signals.ts';
import { painter, type Terminal, tellError, terminalOf } from './terminal.ts';

interface CertifyFlags extends ListenFlags {
  readonly prefix: string;
  readonly out: string;
  readonly tppCa?: string;
  readonly issue?: string | true;
  readonly until?: readonly string[];
  readonly timeout?: number;
  readonly judge?: string;
  readonly html: boolean;
  readonly json?: boolean;
  readonly attestKey?: string;
}

const defaultFolder = 'xs2a-sandbox';

export const certifyTppCommand = (finish: Finish): Command =>
  new Command('certify-tpp')
    .option('-p, --port <number>', 'port to listen on; 0 takes any that is free', portNumber, 8443)
    .option(
      '--host <name>',
      'name or address to listen on; 0.0.0.0 is reached from other machines',
      'localhost',
    )
    .option('--prefix <path>', 'path before /v1, such as /psd2', pathPrefix, '')
    .option('--public-url <url>', 'address that the TPP reaches it by, where that is another one', httpsUrl)
    .option('-o, --out <dir>', 'folder for the recording and the reports', 'reports/tpp')
    .option('--tpp-ca <file>', 'trust the issuer of the certificate that the TPP brings along (PEM)')
    .option(
      '--issue [dir]',
      `make a test identity for the TPP, with a target file (${defaultFolder}; also without --tpp-ca)`,
    )
    .option('--until <journeys>', 'end when these are complete: ids, "mandatory" or "all"', idList)
    .option('--timeout <seconds>', 'end after so many seconds, whatever was seen', seconds)
    .option('--judge <dir>', 'judge what was recorded there, without a bank: after a crash, or a new version')
    .option('--attest-key <file>', 'sign the attestation of the run with this Ed25519 or RSA key (PEM)')
    .option('--no-html', 'leave out the HTML report')
    .option('--json', 'print the verdict as JSON; what goes on is told on standard error')
    .addHelpText(
      'after',
      `
The bank records everything that the TPP sends, provokes what a real bank provokes, and judges the TPP. It ends when
all journeys are complete, on Ctrl-C, on a POST to the address that it prints, or at the time-out. What the TPP has an answer
to is on the disk: a killed certification is judged with --judge.

Examples:
  $ xs2a-conformance certify-tpp                                   (with a test identity in ${defaultFolder})
  $ xs2a-conformance certify-tpp --tpp-ca qseal-ca.pem --until mandatory --timeout 600
  $ xs2a-conformance reference-tpp ${defaultFolder}                   (in another terminal: a TPP that passes)

Exit codes: 0 conformant, 1 non-conformant, 2 wrong usage, 3 incomplete, 70 our own fault.`,
    )
    .action(async (flags: CertifyFlags) => finish(await certifyTpp(flags)));

async function certifyTpp(flags: CertifyFlags): Promise<number> {
  const out = resolve(flags.judge ?? flags.out);
  attestationKey(flags.attestKey);
  const suites = await loadSuites('tpp');
  const until = journeysMeant(flags.until ?? ['all']);
  const terminal = terminalOf(flags.json === true ? process.stderr : process.stdout);
  const reproduce = `npx xs2a-conformance certify-tpp --judge ${relative('', out) || '.'}`;
  const release = holdFolder(out);
  try {
    if (flags.judge !== undefined) {
      await journalCertification(out, recordedIn(out), suites, reproduce);
    } else {
      const session = await hold(flags, out, until, suites, terminal);
      await journalCertification(out, session, suites, reproduce);
    }
    return await report(out, flags);
  } finally {
    release();
  }
}

/** Holds the certification from the first connection to its end. */
async function hold(
  flags: CertifyFlags,
  out: string,
  until: readonly Journey[],
  suites: Awaited<ReturnType<typeof loadSuites<'tpp'>>>,
  terminal: Terminal,
): Promise<Certification['session']> {
  const keys = await keysFor(flags, out);
  const log = certificationLog(terminal);
  const certification = await startCertification({
    out,
    suites,
    ca: keys.ca,
    trustedAuthorities: keys.trusted,
    listen: { port: flags.port, host: flags.host },
    prefix: flags.prefix,
    ...publicAddress(flags, flags.prefix),
    until,
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1000 }),
    listener: log,
  }).catch((error: unknown) => asListenError(error, flags));
  const stopListening = onEnding(() => certification.end('signal'));
  if (keys.issued !== undefined) {
    const description = describeCertification(certification.baseUrl, keys.issued.pki);
    await writeSandboxTarget(
      keys.issued.dir,
      description,
      keys.issued.pki,
      await schemaPathFrom(keys.issued.dir),
    );
  }
  // The customers are mocked, and whoever tests a TPP has to know their numbers.
  terminal.writeOwn(welcome(certification, keys, out, until));
  const reason = await certification.ended;
  stopListening();
  await certification.close();
  log.news(await certification.progress.look());
  terminal.write(`\n${endings[reason]}\n\n`);
  return certification.session;
}

const endings: Readonly<Record<EndReason, string>> = {
  complete: 'Every journey asked for is complete.',
  finish: 'Finished on request.',
  signal: 'Ended by Ctrl-C.',
  timeout: 'The time is over.',
};

async function report(out: string, flags: CertifyFlags): Promise<number> {
  const terminal = terminalOf(process.stdout);
  const written: WrittenReports = await writeReports(out, {
    requirements,
    killScores: killScores(),
    html: flags.html,
    onVerdict: (record, outcome) => {
      if (flags.json !== true)
        terminal.write(`${renderRun(record, outcome, {}, { colour: terminal.colour })}\n`);
    },
  });
  attestRun(out, flags.attestKey);
  terminal.write(flags.json === true ? verdictJson(written) : reportLines(written.paths));
  if (written.htmlProblem !== undefined) tellError(written.htmlProblem);
  return written.outcome.exitCode;
}

interface Keys {
  /** Issues the bank's own certificates. */
  readonly ca: CertificateAuthority;
  /** Where a TPP finds it, to trust the bank's TLS. */
  readonly caFile: string;
  readonly trusted: readonly string[];
  readonly issued?: { readonly dir: string; readonly pki: SandboxPki };
}

/** A TPP that brings no certificate along gets one. */
async function keysFor({ issue, tppCa }: CertifyFlags, out: string): Promise<Keys> {
  const own = tppCa === undefined ? [] : [await readAuthority(tppCa)];
  if (issue === undefined && tppCa !== undefined) {
    const ca = await createCertificateAuthority();
    const caFile = join(out, 'bank-ca.pem');
    await mkdir(out, { recursive: true });
    await writeFile(caFile, ca.certificatePem);
    return { ca, caFile, trusted: own };
  }
  const dir = resolve(typeof issue === 'string' ? issue : defaultFolder);
  const pki = await sandboxPkiIn(dir).catch((error: unknown) => {
    if (error instanceof SandboxFolderError)
      throw new CommandError(error.message.replace('--out', '--issue'));
    throw error;
  });
  return {
    ca: pki.ca,
    caFile: join(dir, sandboxFiles.ca),
    trusted: [pki.ca.certificatePem, pki.oddAuthority, ...own],
    issued: { dir, pki },
  };
}

function recordedIn(dir: string): Certification['session'] {
  try {
    return readRecording(dir);
  } catch (error) {
    if (error instanceof RecordingError) throw new CommandError(error.message);
    throw error;
  }
}

function journeysMeant(ids: readonly string[]): readonly Journey[] {
  return journeys.filter(({ id, mandatory }) =>
    ids.some((meant) => {
      if (meant === 'all' || meant === id) return true;
      if (meant === 'mandatory') return mandatory;
      if (journeys.some((journey) => journey.id === meant)) return false;
      const known = journeys.map((journey) => journey.id);
      const near = nearest(meant, known);
      throw new CommandError(
        `There is no journey "${meant}".${near === undefined ? '' : ` Did you mean ${near}?`} There are: ${known.join(', ')}.`,
      );
    }),
  );
}

function welcome(
  { baseUrl, finishUrl, bank }: Certification,
  { caFile, issued }: Keys,
  out: string,
  until: readonly Journey[],
): string {
  const shown = (file: string): string => relative('', file) || '.';
  const { customers } = bank.state;
  const width = Math.max(...journeys.map(({ id }) => id.length));
  const indent = ' '.repeat(width + 4);
  const identity =
    issued === undefined
      ? 'its own certificate, from the authority given by --tpp-ca'
      : `${shown(join(issued.dir, sandboxFiles.tpp))} and ${sandboxFiles.tppKey} (or its own, with --tpp-ca)`;
  return [
    `Certification of a TPP, ${tool.name} ${tool.version}`,
    '',
    `  Base URL     ${baseUrl}`,
    `  Authority    ${shown(caFile)}`,
    `  TPP signs    with ${identity}`,
    ...(issued === undefined ? [] : [`  Target file  ${shown(join(issued.dir, sandboxFiles.target))}`]),
    `  Recording    ${shown(join(unredactedFolder(out), recordingFile))} (not redacted: keep it to yourself)`,
    `  Progress     GET ${baseUrl}${controlPaths.progress}`,
    `  Finish       POST ${finishUrl}, or Ctrl-C`,
    '',
    'Customers; their number is what the SCA page asks for:',
    ...customers
      .list()
      .map(({ customerNumber, customerType, customerName }) =>
        [
          ` ${customerNumber}`,
          customerType.padEnd(9),
          customerName.padEnd(16),
          ...customers.accountsOf(customerNumber).map(({ bban, currency }) => `${bban} ${currency}`),
          ...customers.cardAccountsOf(customerNumber).map(({ identification }) => `card ${identification}`),
        ].join('  '),
      ),
    '',
    'Journeys (* is mandatory), in any order:',
    ...journeys.flatMap(({ id, mandatory, goal, requests }) => [
      `${mandatory ? '*' : ' '} ${id.padEnd(width)}  ${goal}`,
      ...requests.map((request) => `${indent}${request}`),
    ]),
    '',
    until.length === journeys.length
      ? 'It ends when all of them are complete.'
      : `It ends when these are complete: ${until.map(({ id }) => id).join(', ')}.`,
    ...(issued === undefined
      ? []
      : [`See how it looks:  npx xs2a-conformance reference-tpp ${shown(issued.dir)}`]),
    '',
    '',
  ].join('\n');
}

/** What a certification tells while it goes on, line by line, so that a log of a build server reads the same. */
function certificationLog(terminal: Terminal): CertificationListener {
  const paint = painter(terminal.colour);
  const completed = new Set<string>();
  const mandatory = journeys.filter((journey) => journey.mandatory);
  const seen = new Set<string>();
  const observable = [...requirementById.values()].filter(
    ({ side, unobservable }) => side === 'tpp' && unobservable === undefined,
  );
  return {
    exchange: (exchange) => {
      if (exchange.operation === 'page' && exchange.status < 400 && exchange.status !== 303) return;
      const { status, method, path, recorded, at } = exchange;
      const style = status < 400 ? 'green' : recorded.provocation === undefined ? 'yellow' : 'cyan';
      const why = recorded.provocation ?? exchange.answer.messages[0]?.text;
      terminal.write(
        `${[
          paint('gray', at.toISOString().slice(11, 23)),
          paint(style, String(status)),
          method.padEnd(6),
          oneShortLine(path, 100),
          ...(why === undefined ? [] : [paint('gray', oneShortLine(why, 160))]),
        ].join('  ')}\n`,
      );
    },
    handshake: ({ message, code }) =>
      terminal.write(
        `${paint('yellow', 'TLS handshake failed')}  ${oneShortLine(`${code} ${message}`.trim(), 200)}\n`,
      ),
    bound: (bound) =>
      terminal.write(`${paint('yellow', 'not kept')}  ${oneShortLine(boundText(bound), 300)}\n`),
    news: ({ completed: now, seen: requirements, failed }) => {
      for (const { id } of now) {
        completed.add(id);
        const done = mandatory.filter((journey) => completed.has(journey.id)).length;
        terminal.write(
          `${paint('green', '✓ journey')}  ${id}  ${paint('gray', `${done} of ${mandatory.length} mandatory, ${completed.size} of ${journeys.length} in all`)}\n`,
        );
      }
      for (const { id, title, actual = '' } of failed) {
        terminal.write(`${paint('red', `✗ ${id}`)}  ${title}: ${oneShortLine(actual, 240)}\n`);
      }
      if (requirements.length === 0) return;
      for (const id of requirements) seen.add(id);
      terminal.write(
        `${paint('gray', `· seen ${seen.size} of ${observable.length} requirements, new: ${requirements.join(', ')}`)}\n`,
      );
    },
  };
}
