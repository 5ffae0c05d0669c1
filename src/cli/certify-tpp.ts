import { writeFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { isMandatory, type Journey, journeys } from '../certification/journeys.ts';
import { RecordingError, readRecording } from '../certification/recorder.ts';
import type { EndReason } from '../certification/recording.ts';
import { learnFrom } from '../certification/session.ts';
import { RequestBook } from '../console/request-book.ts';
import { renderRun } from '../report/console.ts';
import { terminalJson } from '../report/harmless-text.ts';
import { holdFolder } from '../report/run-folder.ts';
import { makeFolder } from '../report/write-files.ts';
import { type WrittenReports, writeReports } from '../report/write-reports.ts';
import { idList, seconds } from '../runner/arguments.ts';
import {
  type Certification,
  type CertificationListener,
  journalCertification,
  startCertification,
} from '../runner/certification.ts';
import { loadSuites } from '../runner/load-suites.ts';
import { schemaPathFrom } from '../runner/package.ts';
import {
  describeCertification,
  SandboxFolderError,
  sandboxFiles,
  sandboxPkiIn,
  writeSandboxTarget,
} from '../runner/sandbox-folder.ts';
import type { SandboxPki } from '../runner/sandbox-pki.ts';
import { type CertificateAuthority, createCertificateAuthority } from '../signing/certificate-authority.ts';
import type { ProfileId } from '../spec/profiles.ts';
import { shellWord } from '../spec/shell-word.ts';
import { nearest } from '../target/nearest.ts';
import { Redactor } from '../tpp/redaction.ts';
import {
  type CertificationPlaces,
  certificationLog,
  describeForProgram,
  missingJourneyLines,
  tppProfileList,
  tppProfiles,
  welcome,
} from './certification-text.ts';
import {
  addConsoleOptions,
  type CertificationConsole,
  type ConsoleFlags,
  openCertificationConsole,
} from './console-options.ts';
import {
  addListenOptions,
  asListenError,
  type ListenFlags,
  onEnding,
  publicAddress,
  readAuthority,
} from './listening.ts';
import { reportLines, verdictOf } from './report-lines.ts';
import {
  addReportOptions,
  addUnattestedOption,
  attesting,
  attestRun,
  type ReportingFlags,
  reportOptionsOf,
  tellReportProblems,
  unattested,
} from './report-options.ts';
import {
  CommandError,
  type Finish,
  hideOnTerminal,
  shownWidth,
  type Terminal,
  terminalOf,
} from './terminal.ts';

interface CertifyFlags extends ListenFlags, ReportingFlags, ConsoleFlags {
  readonly out: string;
  readonly tppCa?: string;
  readonly issue?: string | true;
  readonly profile?: readonly ProfileId[];
  readonly until?: readonly string[];
  readonly timeout?: number;
  readonly judge?: string;
  readonly json?: boolean;
}

const defaultFolder = 'xs2a-sandbox';

export const certifyTppCommand = (finish: Finish): Command =>
  addConsoleOptions(
    addListenOptions(addUnattestedOption(addReportOptions(new Command('certify-tpp'))))
      .option('-o, --out <dir>', 'folder for the recording and the reports', 'reports/tpp')
      .option('--tpp-ca <file>', 'trust the issuer of the certificate that the TPP brings along (PEM)')
      .option(
        '--issue [dir]',
        `make a test identity for the TPP, with a target file (${defaultFolder}; also without --tpp-ca)`,
      )
      .option(
        '--profile <ids>',
        `certify for these: ${tppProfiles.join(', ')} (those that the TPP uses)`,
        tppProfileList,
      )
      .option('--until <journeys>', 'end when these are complete: ids, "mandatory" or "all"', idList)
      .option('--timeout <seconds>', 'end after so many seconds, whatever was seen', seconds)
      .option(
        '--judge <dir>',
        'judge what was recorded there, without a bank: after a crash, or a new version',
      )
      .option('--json', 'print the verdict as JSON; what goes on is told on standard error'),
  )
    .addHelpText(
      'after',
      `
The bank records everything that the TPP sends, provokes what a real bank
provokes, and judges the TPP. It ends when all journeys are complete (with
--profile the mandatory ones of the profiles), on Ctrl-C, on a POST to the
address that it prints, or at the time-out. Every answered request is on the
disk: a killed certification is judged with --judge.
The console, whose address is printed, shows journeys and failures as they come,
with a ready curl command for each step.

Examples:
  $ xs2a-conformance certify-tpp                     (identity in ${defaultFolder})
  $ xs2a-conformance certify-tpp --profile accounts  (only reads accounts)
  $ xs2a-conformance certify-tpp --tpp-ca qseal-ca.pem --until mandatory

In another terminal, a TPP that passes:
  $ xs2a-conformance reference-tpp ${defaultFolder}

Exit codes: 0 conformant, 1 non-conformant, 2 wrong usage, 3 incomplete, 70 our
own fault.`,
    )
    .action(async (flags: CertifyFlags) => finish(await certifyTpp(flags)));

async function certifyTpp(flags: CertifyFlags): Promise<number> {
  const out = resolve(flags.judge ?? flags.out);
  attesting(flags);
  if (flags.judge !== undefined) unattested(out, flags);
  const suites = await loadSuites('tpp');
  const until = journeysMeant(
    flags.until ?? [flags.profile === undefined ? 'all' : 'mandatory'],
    flags.profile ?? tppProfiles,
  );
  const terminal = terminalOf(flags.json === true ? process.stderr : process.stdout);
  const reproduce = againFor(out);
  const release = holdFolder(out);
  const ending = new AbortController();
  // Until the reports are written: whoever interrupts that wants them, too.
  const stopListening = flags.judge === undefined ? onEnding(() => ending.abort()) : () => {};
  try {
    if (flags.judge !== undefined) {
      await journalCertification(out, recordedIn(out, flags.profile), suites, reproduce);
    } else {
      const held = await hold({ flags, out, until, suites, terminal, ending: ending.signal });
      try {
        await journalCertification(out, held.session, suites, reproduce);
        return await report(out, flags, (written) =>
          held.consoleServer.showEnd(written, out, terminal, ending.signal),
        );
      } finally {
        await held.consoleServer.close();
      }
    }
    return await report(out, flags);
  } finally {
    stopListening();
    release();
  }
}

const againFor = (out: string): string =>
  `npx xs2a-conformance certify-tpp --judge ${shellWord(relative('', out) || '.')}`;

interface Held {
  readonly session: Certification['session'];
  readonly consoleServer: CertificationConsole;
}

/** What a certification is held with. */
interface Setting {
  readonly flags: CertifyFlags;
  readonly out: string;
  readonly until: readonly Journey[];
  readonly suites: Awaited<ReturnType<typeof loadSuites<'tpp'>>>;
  readonly terminal: Terminal;
  readonly ending: AbortSignal;
}

/** Holds the certification from the first connection to its end. */
async function hold(setting: Setting): Promise<Held> {
  const { flags, out, terminal, ending } = setting;
  const keys = await keysFor(flags, out);
  const book = new RequestBook();
  let hear: CertificationListener['news'] = () => {};
  const log = hidingPeople(certificationLog(terminal, ['core', ...(flags.profile ?? tppProfiles)]));
  const tell = (news: Parameters<typeof hear>[0]): void => {
    log.news(news);
    hear(news);
  };
  const certification = await open(setting, keys, book, { ...log, news: tell });
  const end = (): void => certification.end('signal');
  if (ending.aborted) end();
  else ending.addEventListener('abort', end, { once: true });
  // A server that goes on listening would keep a command that has failed from ending.
  const close = async (error: unknown): Promise<never> => {
    await certification.close();
    throw error;
  };
  const places = await writePlaces(certification, keys, out).catch(close);
  const identity = keys.issued?.pki.tpp;
  const shown = { book, caFile: places.caFile, identity };
  const consoleServer = await openCertificationConsole(certification, shown, flags).catch(close);
  hear = consoleServer.hear;
  tellPlaces(setting, certification, places, consoleServer);
  const reason = await certification.ended.catch(async (error: unknown) => {
    await consoleServer.close();
    return close(error);
  });
  await certification.close();
  tell(await certification.progress.look());
  consoleServer.judging();
  terminal.write(`\n${endings[reason]}\n\n`);
  return { session: certification.session, consoleServer };
}

const open = (
  { flags, out, until, suites }: Setting,
  { ca, trusted }: Keys,
  book: RequestBook,
  listener: CertificationListener,
): Promise<Certification> =>
  startCertification({
    out,
    suites,
    ca,
    trustedAuthorities: trusted,
    listen: { port: flags.port, host: flags.host },
    prefix: flags.prefix ?? '',
    ...publicAddress(flags, flags.prefix ?? ''),
    until,
    ...(flags.profile === undefined ? {} : { profiles: flags.profile }),
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout * 1000 }),
    listener,
    ...(flags.console ? { onAnswer: (answered, number) => book.add(answered, number) } : {}),
  }).catch((error: unknown) => asListenError(error, flags));

/** Where a TPP finds what it needs. The customers are mocked, and whoever tests a TPP has to know their numbers. */
function tellPlaces(
  { flags, until, terminal }: Setting,
  certification: Certification,
  places: CertificationPlaces,
  { running }: CertificationConsole,
): void {
  const profiles = flags.profile ?? [];
  if (flags.json === true) {
    terminalOf(process.stdout).writeOwn(describeForProgram(certification, places, profiles, running));
  }
  const look = { room: shownWidth(terminal), consoleUrl: running?.url };
  terminal.writeOwn(welcome(certification, places, until, profiles, look));
}

/** What a certification tells ends up in logs: nobody who takes part in it is named there, whoever repeats the names. */
function hidingPeople(log: CertificationListener): CertificationListener {
  const redactor = new Redactor();
  hideOnTerminal(redactor);
  return {
    ...log,
    exchange: (exchange) => {
      learnFrom(exchange, redactor);
      log.exchange(exchange);
    },
  };
}

/** Writes what the TPP needs next to the keys, and tells where it stands. */
async function writePlaces(
  { baseUrl, signerPem }: Certification,
  { caFile, issued }: Keys,
  out: string,
): Promise<CertificationPlaces> {
  const dir = issued?.dir ?? out;
  const signerFile = join(dir, 'bank-signing.pem');
  await writeFile(signerFile, signerPem);
  const targetFile = await writeSandboxTarget(
    dir,
    describeCertification(baseUrl, issued?.pki ?? basename(caFile)),
    issued?.pki,
    await schemaPathFrom(dir),
    'certify-tpp',
  );
  return {
    out,
    caFile,
    signerFile,
    targetFile,
    ...(issued === undefined
      ? {}
      : {
          identity: { certificate: join(dir, sandboxFiles.tpp), privateKey: join(dir, sandboxFiles.tppKey) },
        }),
  };
}

const endings: Readonly<Record<EndReason, string>> = {
  complete: 'Every journey asked for is complete.',
  finish: 'Finished on request.',
  signal: 'Ended by Ctrl-C.',
  timeout: 'The time is over.',
};

async function report(
  out: string,
  flags: CertifyFlags,
  show: (written: WrittenReports) => Promise<void> = async () => {},
): Promise<number> {
  const terminal = terminalOf(process.stdout);
  const written: WrittenReports = await writeReports(out, {
    ...reportOptionsOf(flags),
    commandFor: () => new Redactor().text(againFor(out)),
    onVerdict: (record, outcome) => {
      if (flags.json === true) return;
      terminal.write(
        `${renderRun(record, outcome, { colour: terminal.colour, width: shownWidth(terminal) })}\n`,
      );
      const missing = missingJourneyLines(record.results, Object.keys(record.header.profiles ?? {}));
      if (missing.length > 0) terminal.write(`  Refused on the way:\n${missing.join('\n')}\n`);
    },
  });
  const attested = await attestRun(out, flags, flags.judge === undefined ? 'run' : unattested(out, flags));
  terminal.write(flags.json === true ? `${terminalJson(verdictOf(written), 0)}\n` : reportLines(written));
  tellReportProblems(written);
  await show(written);
  return written.outcome.exitCode || attested;
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
    makeFolder(out);
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

function recordedIn(dir: string, profiles: CertifyFlags['profile']): Certification['session'] {
  try {
    return readRecording(dir, profiles);
  } catch (error) {
    if (error instanceof RecordingError) throw new CommandError(error.message);
    throw error;
  }
}

function journeysMeant(ids: readonly string[], profiles: readonly ProfileId[]): readonly Journey[] {
  return journeys.filter((journey) =>
    ids.some((meant) => {
      if (meant === 'all' || meant === journey.id) return true;
      if (meant === 'mandatory') return isMandatory(journey, ['core', ...profiles]);
      if (journeys.some(({ id }) => id === meant)) return false;
      const known = journeys.map(({ id }) => id);
      const near = nearest(meant, known);
      throw new CommandError(
        `There is no journey "${meant}".${near === undefined ? '' : ` Did you mean ${near}?`} There are: ${known.join(', ')}.`,
      );
    }),
  );
}
