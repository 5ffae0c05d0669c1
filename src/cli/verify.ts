import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { Attestation } from '../report/attestation.ts';
import { oneShortLine, terminalJson } from '../report/harmless-text.ts';
import { type Paint, painter } from '../report/paint.ts';
import { AttestationError } from '../report/read-attestation.ts';
import { ArchiveError, unpackRun } from '../report/run-archive.ts';
import { AttestationKeyError, readPublicKey } from '../report/signed-envelope.ts';
import { readTimeAuthorities, TimeStampError } from '../report/time-stamp.ts';
import { type Verification, verifyAttestation } from '../report/verify-attestation.ts';
import type { WholeOfVersion } from '../report/whole-run.ts';
import { loadWhole } from '../runner/coverage.ts';
import { requirements } from '../spec/catalogue.ts';
import { defaultReadings } from '../spec/interpretations.ts';
import { onEnding } from './listening.ts';
import { CommandError, exitCodes, type Finish, terminalOf } from './terminal.ts';

interface VerifyFlags {
  readonly publicKey?: string;
  readonly timestampCa?: string;
  readonly json?: boolean;
}

/** Lines of a kind. */
const mostShown = 50;

export const verifyCommand = (finish: Finish): Command =>
  new Command('verify')
    .argument('<run>', 'folder of the run, such as reports/latest, or the .tar.gz that attest has packed')
    .option('--public-key <file>', 'the key (or certificate) of whoever is to have signed it, in PEM')
    .option(
      '--timestamp-ca <file>',
      'the authority that is to have stamped the time, or the issuers above it, in PEM',
    )
    .option('--json', 'print what was found as JSON')
    .addHelpText(
      'after',
      `
Finds every file, verdict and exchange of a run that was changed, lost or added
since it was attested, and tells the verdict on each profile. Only a conformant
run of the whole, with at least as many cases as a run takes by default, is a
certification: a part, any other verdict, and a failure that the target file
excuses as a known deviation end with exit code 1. What was attested only after
the run had ended is told, with when and by whose key. Without
--public-key it is not known who signed: a signature then shows only that nobody
without that key has changed anything.

Examples:
  $ openssl genpkey -algorithm ed25519 -out attest.key
  $ openssl pkey -in attest.key -pubout -out attest.pub
  $ xs2a-conformance run --target bank.yaml --attest-key attest.key --out run
  $ xs2a-conformance verify run --public-key attest.pub
  $ xs2a-conformance verify bank.tar.gz --public-key attest.pub

Exit codes: 0 a conformant run, unchanged, 1 changed, or no certification,
2 wrong usage or no attestation.`,
    )
    .action(async (run: string, flags: VerifyFlags) => finish(await verifyRun(run, flags)));

async function verifyRun(run: string, flags: VerifyFlags): Promise<number> {
  const terminal = terminalOf(process.stdout);
  const verification = await verified(run, flags, await loadWhole());
  const { problems, notCertified } = verification;
  const certified = problems.length === 0 && notCertified === undefined;
  terminal.write(
    flags.json === true
      ? `${terminalJson({ ok: certified, ...summaryOf(verification), problems })}\n`
      : `${verificationText(verification, painter(terminal.colour))}\n`,
  );
  return certified ? exitCodes.conformant : exitCodes.nonConformant;
}

const shown = (text: string): string => oneShortLine(text, 300);

/** The folder may be a stranger's: nothing of it reaches the terminal as it is, nor in any number. */
function verificationText(verification: Verification, paint: Paint): string {
  const { attestation, problems, notCertified } = verification;
  const { verdict, startedAt, tool, catalogue, files, exchanges, requirements: judged } = attestation;
  const warned = (text: string): string => `  ${paint('yellow', '!')} ${shown(text)}`;
  return [
    problems.length === 0 ? paint('green', 'UNCHANGED') : paint('red', 'CHANGED'),
    ...few(
      problems.map((problem) => `  ${paint('red', '✗')} ${shown(problem)}`),
      moreLines,
    ),
    ...(notCertified === undefined ? [] : [warned(`This is no certification: ${notCertified}.`)]),
    ...factsOf(attestation).map(([name, fact]) => `  ${name.padEnd(13)} ${shown(fact)}`),
    `  Verdict       ${shown(`${verdict}, ${startedAt}, ${tool.name} ${tool.version}, catalogue ${catalogue}`)}`,
    attestation.extent === 'whole'
      ? '  The whole was judged, profile by profile:'
      : `  Only a part was judged: ${shown(attestation.selection ?? 'unknown which')}`,
    ...listed(attestation.profiles, (id, { version, verdict: own }) => `${id} ${version}: ${own}`),
    ...listed(attestation.notBinding, (what, why) => `${what}: not binding. ${why}`),
    ...listed(
      attestation.knownDeviations,
      (what, why) => `${what}: broken, a known deviation of the target file. ${why}`,
    ),
    ...(attestation.insecure === true ? ['  The certificate of the bank was not verified.'] : []),
    `  ${Object.keys(files).length} files, ${exchanges.length} exchanges, ${Object.keys(judged).length} requirements`,
    `  Statement SHA-256 ${shown(attestation.statement)}, as the pages of the run tell it`,
    `  ${signatureLine(verification)}`,
    ...timeLines(verification),
    ...(attestation.attestedFrom === 'run' ? [] : [warned(laterText(verification))]),
  ].join('\n');
}

const few = <T>(all: readonly T[], more: (rest: number) => T): readonly T[] =>
  all.length > mostShown ? [...all.slice(0, mostShown), more(all.length - mostShown)] : all;

const listed = <T>(all: Readonly<Record<string, T>>, text: (name: string, value: T) => string) =>
  few(
    Object.entries(all).map(([name, value]) => `    ${shown(text(name, value))}`),
    moreLines,
  );

const moreLines = (rest: number): string => `  … and ${rest} more.`;

/** Whom the run judged, and how: what a signature vouches for has to be told by whoever checks it. */
function factsOf(attestation: Attestation): readonly (readonly [string, string])[] {
  const { side, subject, fingerprints, seed, runs } = attestation;
  return [
    ['Judged', side === 'tpp' ? 'a TPP (a client of banks), and no bank' : 'a bank'],
    ['Name', subject.name],
    ['Address', subject.baseUrl],
    ['Environment', subject.environment],
    ...few<readonly [string, string]>(
      Object.entries(attestation.deployed ?? {}).map(([name, digest]) => [
        'Deployed',
        `${name}@sha256:${digest}`,
      ]),
      (rest) => ['', `… and ${rest} more`],
    ),
    // A certification of a TPP draws no cases.
    ...(side === 'tpp' ? [] : ([['Cases', `${runs} of each property, seed ${seed}`]] as const)),
    ...few<readonly [string, string]>(
      [
        ...Object.entries(readingsIn(attestation)).map(
          ([id, value]) => ['Reading', `${id}: ${value}`] as const,
        ),
        ...Object.entries(fingerprints).map(
          ([use, fingerprint]) => ['Certificate', `${use}: SHA-256 ${fingerprint}`] as const,
        ),
      ],
      (rest) => ['', `… and ${rest} more readings and certificates`],
    ),
  ];
}

/** Where the specification is read otherwise than it is by default. */
const readingsIn = ({ interpretations }: Attestation): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(interpretations).filter(
      ([id, value]) => new Map<string, string>(Object.entries(defaultReadings)).get(id) !== value,
    ),
  );

/** Whoever attests a run that has just ended knows what it is; whoever does so later relies on what the folder says. */
function laterText({ attestation, signature, keyFingerprint }: Verification): string {
  const { attestedAt, attestedFrom } = attestation;
  const who = signature === 'none' ? 'by nobody who signed' : `by whoever has the key ${keyFingerprint}`;
  if (attestedFrom === 'not told')
    return `Attested at ${attestedAt}, ${who}, in a format that does not tell whether the run had just ended.`;
  return attestedFrom === 'unattested folder'
    ? `Attested later, at ${attestedAt}, ${who}: until then nothing attested the run, so that it may have been changed before.`
    : `Attested anew later, at ${attestedAt}, ${who}: the run had been attested as it was left.`;
}

async function verified(
  run: string,
  { publicKey, timestampCa }: VerifyFlags,
  whole: WholeOfVersion,
): Promise<Verification> {
  try {
    const key = publicKey === undefined ? undefined : readPublicKey(resolve(publicKey));
    const times = timestampCa === undefined ? undefined : readTimeAuthorities(resolve(timestampCa));
    return await inFolder(resolve(run), (dir) => verifyAttestation(dir, requirements, key, whole, times));
  } catch (error) {
    if (
      error instanceof AttestationError ||
      error instanceof AttestationKeyError ||
      error instanceof TimeStampError ||
      error instanceof ArchiveError
    )
      throw new CommandError(error.message);
    throw error;
  }
}

/** A packed run is unpacked for as long as it is looked at, where nobody else can. A signal waits until it is gone. */
async function inFolder<T>(run: string, look: (dir: string) => T): Promise<T> {
  if (!(statSync(run, { throwIfNoEntry: false })?.isFile() ?? false)) return look(run);
  let ending: NodeJS.Signals | undefined;
  const stopListening = onEnding((signal) => {
    ending = signal;
  });
  const dir = mkdtempSync(join(tmpdir(), 'xs2a-verify-'));
  try {
    unpackRun(run, dir);
    return look(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
    // Signals are told when the process next waits.
    await sleep(1);
    stopListening();
    if (ending !== undefined) process.kill(process.pid, ending);
  }
}

/** By name: a stranger's attestation may hold members of any other, such as "ok". */
const told = [
  ...([
    'side',
    'subject',
    'deployed',
    'tool',
    'catalogue',
    'startedAt',
    'verdict',
    'extent',
    'selection',
  ] as const),
  ...(['profiles', 'notBinding', 'knownDeviations', 'seed', 'runs', 'fingerprints', 'insecure'] as const),
  ...(['statement', 'attestedAt', 'attestedFrom'] as const),
];

const summaryOf = ({ attestation, problems: _, ...found }: Verification) => ({
  ...Object.fromEntries(
    told
      .filter((name) => attestation.side === 'bank' || !['seed', 'runs'].includes(name))
      .map((name) => [name, attestation[name]]),
  ),
  readings: readingsIn(attestation),
  ...found,
});

function timeLines({ timeStamp }: Verification): readonly string[] {
  if (timeStamp === undefined) return [];
  const { at, authority } = timeStamp;
  return [
    authority === undefined
      ? `  Time stamp of ${at}. Whose it is was not verified, only --timestamp-ca tells.`
      : `  There at ${at}, as ${shown(authority)} says by its time stamp.`,
  ];
}

function signatureLine({ signature, keyFingerprint, problems }: Verification): string {
  switch (signature) {
    case 'none':
      return 'Not signed: this shows accidents, but whoever changes a file can attest it anew.';
    case 'embedded':
      return `Signed with the key ${keyFingerprint}. Whose it is, only --public-key tells.`;
    case 'key':
      return problems.length === 0
        ? `Signed with the key that was given (${keyFingerprint}).`
        : `Signed with the key ${keyFingerprint}.`;
  }
}
