import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Command, Option } from 'commander';
import { makeFolder, writeNamed, writePem } from '../report/write-files.ts';
import { schemaPathFrom } from '../runner/package.ts';
import {
  createCertificateAuthority,
  createTestPki,
  subjectWithCommaAndNorwegianLetters,
} from '../signing/certificate-authority.ts';
import { privateKeyPem } from '../signing/signature.ts';
import { BoundedFileError } from '../target/bounded-file.ts';
import { isLoopback } from '../target/pace.ts';
import { nationalIdProblem, type ScaStrategy, scaStrategies } from '../target/psu.ts';
import { type StarterAnswers, starterFile } from '../target/starter-file.ts';
import { baseUrlProblem } from '../target/target-file.ts';
import { shownPath } from './report-lines.ts';
import { CommandError, exitCodes, type Finish, terminalOf } from './terminal.ts';

/** One question; what is wrong with an answer, or undefined when it will do. */
interface Question {
  readonly text: string;
  readonly fallback?: string;
  readonly problemWith?: (answer: string) => string | undefined;
}

interface Interview {
  ask(question: Question): Promise<string>;
  close(): void;
}

/** Asks on the terminal until the answer will do. Ctrl-C and the end of input end the command, with nothing done. */
export function interview(
  input: NodeJS.ReadableStream = process.stdin,
  output: NodeJS.WritableStream = process.stdout,
): Interview {
  const lines = createInterface({ input, output });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  lines.once('SIGINT', () => lines.close());
  return {
    async ask({ text, fallback, problemWith }) {
      const prompt = `${text}${fallback === undefined ? '' : ` [${fallback}]`}: `;
      for (;;) {
        const typed = await lines.question(prompt, { signal: ended.signal }).catch(() => {
          throw new CommandError('\nStopped; nothing was written.');
        });
        const answer = typed.trim() || fallback || '';
        const problem = problemWith?.(answer);
        if (problem === undefined) return answer;
        output.write(`  ${problem}\n`);
      }
    },
    close: () => lines.close(),
  };
}

interface InitFlags {
  readonly out: string;
  readonly name?: string;
  readonly baseUrl?: string;
  readonly environment?: 'sandbox' | 'production';
  readonly tlsCa?: string;
  readonly tlsClientCertificate?: string;
  readonly tlsClientKey?: string;
  readonly signingCertificate?: string;
  readonly signingPrivateKey?: string;
  readonly psuSca?: ScaStrategy;
  readonly psuId?: string;
  readonly psuSessionId?: string;
  readonly psuNationalId?: string;
  readonly psuModule?: string;
  readonly accountsDebtorBban?: string;
  readonly pki?: string | boolean;
  readonly yes?: boolean;
  readonly force?: boolean;
}

export const initCommand = (finish: Finish): Command =>
  new Command('init')
    .option('-o, --out <file>', 'target file to write', 'target.yaml')
    .option('--pki [dir]', 'make test keys as well: authorities and a TPP (default folder: pki)')
    .option('-y, --yes', 'ask nothing; what no flag gives is left to be filled in')
    .option('--force', 'write over files that are there')
    .optionsGroup('Answers:')
    .option('--name <text>', 'name of the target in reports')
    .option('--base-url <url>', 'address of the interface, up to but without /v1')
    .addOption(new Option('--environment <kind>', 'kind of environment').choices(['sandbox', 'production']))
    .option('--tls-ca <file>', 'authorities of the bank’s server certificate')
    .option('--tls-client-certificate <file>', 'certificate for mutual TLS (QWAC)')
    .option('--tls-client-key <file>', 'its private key')
    .option('--signing-certificate <file>', 'certificate to sign with (QSealC)')
    .option('--signing-private-key <file>', 'its private key')
    .addOption(new Option('--psu-sca <way>', 'how SCA is passed').choices(scaStrategies))
    .option('--psu-id <id>', 'PSU-ID of a customer who has passed SCA')
    .option('--psu-session-id <id>', 'TPP-Session-ID in which that was')
    .option('--psu-national-id <number>', 'mocked national identity number, for the SCA page')
    .option('--psu-module <file>', 'your own script that passes SCA')
    .option('--accounts-debtor-bban <number>', 'account to pay from')
    .addHelpText(
      'after',
      `
On a terminal it asks what no flag says. The file has a comment for every part,
and names its schema for editors.

Examples:
  $ xs2a-conformance init
  $ xs2a-conformance init --pki --yes --base-url https://localhost:8443 \\
      --psu-sca form --psu-national-id 01819010001
  $ xs2a-conformance init --out bank/target.yaml \\
      --signing-certificate qseal.pem --signing-private-key qseal.key`,
    )
    .action(async (flags: InitFlags) => finish(await init(flags)));

async function init(flags: InitFlags): Promise<number> {
  const out = resolve(flags.out);
  refuseWrongAnswers(flags);
  refuseToOverwrite([out], flags);
  const complete = flags.yes === true || process.stdin.isTTY !== true ? flags : await completed(flags);
  const pki = pkiFolder(complete, out);
  refuseToOverwrite(
    pki === undefined ? [] : Object.values(testPkiFiles).map((name) => join(pki, name)),
    flags,
  );

  try {
    const schema = await schemaPathFrom(dirname(out));
    const { text, missing } = starterFile(answersFrom(complete, out, pki), schema);
    makeFolder(dirname(out));
    if (pki !== undefined) await writeTestPki(pki);
    writeNamed(out, text);
    terminalOf(process.stdout).writeOwn(`${farewell(out, pki, missing)}\n`);
  } catch (error) {
    throw notWritten(out, error);
  }
  return exitCodes.conformant;
}

/** Asks for what the flags have left open. */
async function completed(flags: InitFlags): Promise<InitFlags> {
  const talk = interview();
  try {
    const baseUrl =
      flags.baseUrl ??
      (await talk.ask({
        text: 'Address of the interface, up to but without /v1',
        fallback: 'https://localhost:8443',
        problemWith: baseUrlProblem,
      }));
    const name =
      flags.name ?? (await talk.ask({ text: 'Name for reports', fallback: new URL(baseUrl).host }));
    const environment =
      flags.environment ?? (await choose(talk, 'Environment', ['sandbox', 'production'] as const, 'sandbox'));
    const tlsCa = await askForCa(talk, flags, baseUrl);
    const keys = await askForKeys(talk, flags);
    const psuSca = flags.psuSca ?? (await choose(talk, 'How is SCA passed', scaStrategies, 'form'));
    const psu = await askForPsu(talk, flags, psuSca);
    const accountsDebtorBban =
      flags.accountsDebtorBban ??
      (await talk.ask({ text: 'Account number to pay from (BBAN)', problemWith: required }));
    return { ...flags, baseUrl, name, environment, ...tlsCa, ...keys, psuSca, ...psu, accountsDebtorBban };
  } finally {
    talk.close();
  }
}

async function askForCa(talk: Interview, { tlsCa }: InitFlags, baseUrl: string): Promise<Partial<InitFlags>> {
  if (tlsCa !== undefined || !/^https:/i.test(baseUrl)) return {};
  const answer = await talk.ask({
    text: 'Authority of the server certificate, a PEM file; empty if the system knows it',
    problemWith: (typed) => (typed === '' ? undefined : existing(typed)),
  });
  return answer === '' ? {} : { tlsCa: answer };
}

async function askForKeys(talk: Interview, flags: InitFlags): Promise<Partial<InitFlags>> {
  if (flags.pki !== undefined || flags.signingCertificate !== undefined) return {};
  const has = await choose(
    talk,
    'Have you a certificate to sign with? no makes test keys',
    ['yes', 'no'],
    'no',
  );
  if (has === 'no') return { pki: true };
  return {
    signingCertificate: await talk.ask({ text: 'Its file', fallback: 'qseal.pem', problemWith: existing }),
    signingPrivateKey: await talk.ask({
      text: 'Its private key',
      fallback: 'qseal.key',
      problemWith: existing,
    }),
  };
}

async function askForPsu(talk: Interview, flags: InitFlags, sca: ScaStrategy): Promise<Partial<InitFlags>> {
  const ask = async (given: string | undefined, text: string): Promise<string> =>
    given ?? talk.ask({ text, problemWith: required });
  if (sca === 'session') {
    return {
      psuId: await ask(flags.psuId, 'PSU-ID of a customer who has passed SCA'),
      psuSessionId: await ask(flags.psuSessionId, 'TPP-Session-ID in which that was'),
    };
  }
  if (sca === 'module') return { psuModule: await ask(flags.psuModule, 'Your script that passes SCA') };
  if (sca === 'manual') return {};
  return {
    psuNationalId:
      flags.psuNationalId ??
      (await talk.ask({
        text: 'Mocked national identity number of the customer',
        problemWith: nationalIdProblem,
      })),
  };
}

async function choose<Choice extends string>(
  talk: Interview,
  text: string,
  choices: readonly Choice[],
  fallback: Choice,
): Promise<Choice> {
  const isChoice = (answer: string): answer is Choice => (choices as readonly string[]).includes(answer);
  const answer = await talk.ask({
    text: `${text} (${choices.join(', ')})`,
    fallback,
    problemWith: (typed) => (isChoice(typed) ? undefined : `Give one of ${choices.join(', ')}.`),
  });
  return isChoice(answer) ? answer : fallback;
}

const required = (answer: string): string | undefined => (answer === '' ? 'This is needed.' : undefined);
const existing = (answer: string): string | undefined =>
  existsSync(answer) ? undefined : `There is no file ${answer}.`;

function answersFrom(flags: InitFlags, out: string, pki: string | undefined): StarterAnswers {
  const fromHere = (path: string): string => relative(dirname(out), resolve(path)).replaceAll(sep, '/');
  const given = <Key extends string>(
    key: Key,
    value: string | undefined,
  ): { readonly [K in Key]?: string } =>
    value === undefined ? {} : ({ [key]: value } as { [K in Key]: string });
  const pair = (certificate: string, privateKey: string) => ({
    certificate: fromHere(certificate),
    privateKey: fromHere(privateKey),
  });
  const { tlsClientCertificate: qwac, tlsClientKey: qwacKey, signingCertificate, signingPrivateKey } = flags;
  const file = (name: string): string => join(pki ?? '', name);
  return {
    ...environmentOf(flags),
    sca: flags.psuSca ?? (flags.psuId === undefined ? 'form' : 'session'),
    ...given('baseUrl', flags.baseUrl),
    ...given('name', flags.name),
    ...given('psuId', flags.psuId),
    ...given('sessionId', flags.psuSessionId),
    ...given('nationalId', flags.psuNationalId),
    ...given('debtor', flags.accountsDebtorBban),
    ...(flags.psuModule === undefined ? {} : { module: fromHere(flags.psuModule) }),
    ...(flags.tlsCa === undefined ? {} : { ca: fromHere(flags.tlsCa) }),
    ...(qwac === undefined || qwacKey === undefined ? {} : { client: pair(qwac, qwacKey) }),
    ...(signingCertificate !== undefined && signingPrivateKey !== undefined
      ? { signing: pair(signingCertificate, signingPrivateKey) }
      : pki === undefined
        ? {}
        : { signing: pair(file(testPkiFiles.tpp), file(testPkiFiles.tppKey)) }),
    ...(pki === undefined
      ? {}
      : {
          testCa: pair(file(testPkiFiles.ca), file(testPkiFiles.caKey)),
          odd: {
            authority: fromHere(file(testPkiFiles.oddCa)),
            ...pair(file(testPkiFiles.oddTpp), file(testPkiFiles.tppKey)),
          },
        }),
  };
}

function pkiFolder({ pki }: InitFlags, out: string): string | undefined {
  if (pki === undefined || pki === false) return undefined;
  return pki === true ? join(dirname(out), 'pki') : resolve(pki);
}

/** A bank on this machine is a sandbox; of any other only the user can say it. */
function environmentOf({ environment, baseUrl }: InitFlags): Pick<StarterAnswers, 'environment'> {
  if (environment !== undefined) return { environment };
  return baseUrl !== undefined && isLoopback(baseUrl) ? { environment: 'sandbox' } : {};
}

/** What the target file would be refused for is better told now. */
function refuseWrongAnswers({ baseUrl, psuNationalId }: InitFlags): void {
  const problems = [
    ['--base-url', baseUrl === undefined ? undefined : baseUrlProblem(baseUrl)],
    ['--psu-national-id', psuNationalId === undefined ? undefined : nationalIdProblem(psuNationalId)],
  ].flatMap(([flag, problem]) => (problem === undefined ? [] : [`${flag}: ${problem}`]));
  if (problems.length > 0) throw new CommandError(problems.join('\n'));
}

/** A folder that is none, is full or may not be written is no fault of ours; anything else is. */
function notWritten(out: string, error: unknown): unknown {
  if (error instanceof BoundedFileError)
    return new CommandError(
      `${shownPath(out)} cannot be written: ${error.message}. Give another place with --out.`,
    );
  const { code, path, dest = path } = error as NodeJS.ErrnoException & { readonly dest?: string };
  return code === undefined || dest === undefined
    ? error
    : new CommandError(`${shownPath(dest)} cannot be written (${code}). Give another place with --out.`);
}

function refuseToOverwrite(files: readonly string[], { force }: InitFlags): void {
  const present = files.filter((file) => existsSync(file)).map((file) => relative('', file));
  if (present.length === 0 || force === true) return;
  throw new CommandError(
    `${present.join(', ')} ${present.length === 1 ? 'is' : 'are'} there already. Use --force to write over, or another name.`,
  );
}

function farewell(out: string, pki: string | undefined, missing: readonly string[]): string {
  const file = relative('', out);
  return [
    `Written: ${file}${pki === undefined ? '' : `, and test keys in ${relative('', pki)}`}`,
    ...(pki === undefined
      ? []
      : [
          `Let the sandbox trust ${relative('', join(pki, testPkiFiles.ca))} as authority of TPP certificates, and ${testPkiFiles.oddCa} next to it, whose name tools print differently.`,
        ]),
    ...(missing.length === 0 ? [] : [`Fill in: ${missing.join(', ')}`]),
    '',
    'Next:',
    `  npx xs2a-conformance doctor --target ${file}`,
    `  npx xs2a-conformance run --target ${file}`,
  ].join('\n');
}

const testPkiFiles = {
  ca: 'ca.pem',
  caKey: 'ca.key',
  tpp: 'tpp.pem',
  tppKey: 'tpp.key',
  oddCa: 'odd-ca.pem',
  oddTpp: 'odd-tpp.pem',
} as const;

/** Makes a TPP with both roles, certified by two authorities, for a sandbox that is told to trust them. */
async function writeTestPki(dir: string): Promise<void> {
  // First: where it cannot be made, nobody needs to wait for keys to be told so.
  makeFolder(dir);
  const [{ ca, tpp }, odd] = await Promise.all([
    createTestPki(),
    createCertificateAuthority({ subject: subjectWithCommaAndNorwegianLetters }),
  ]);
  const oddTpp = await odd.issueTpp({ key: tpp.privateKey });
  const write = (name: string, pem: string): void => writePem(join(dir, name), pem);
  write(testPkiFiles.ca, ca.certificatePem);
  write(testPkiFiles.caKey, ca.privateKeyPem);
  write(testPkiFiles.tpp, tpp.certificate.x509.toString());
  write(testPkiFiles.tppKey, privateKeyPem(tpp.privateKey));
  write(testPkiFiles.oddCa, odd.certificatePem);
  write(testPkiFiles.oddTpp, oddTpp.certificate.x509.toString());
}
