import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { AttestationKeyError, readPublicKey } from '../report/attestation.ts';
import { oneShortLine, terminalJson } from '../report/harmless-text.ts';
import { type Paint, painter } from '../report/paint.ts';
import { AttestationError } from '../report/read-attestation.ts';
import { ArchiveError, unpackRun } from '../report/run-archive.ts';
import { type Verification, verifyAttestation } from '../report/verify-attestation.ts';
import type { WholeOfVersion } from '../report/whole-run.ts';
import { loadWhole } from '../runner/coverage.ts';
import { requirements } from '../spec/catalogue.ts';
import { onEnding } from './listening.ts';
import { CommandError, exitCodes, type Finish, terminalOf } from './terminal.ts';

interface VerifyFlags {
  readonly publicKey?: string;
  readonly json?: boolean;
}

const shownProblems = 50;

export const verifyCommand = (finish: Finish): Command =>
  new Command('verify')
    .argument('<run>', 'folder of the run, such as reports/latest, or the .tar.gz that attest has packed')
    .option('--public-key <file>', 'the key (or certificate) of whoever is to have signed it, in PEM')
    .option('--json', 'print what was found as JSON')
    .addHelpText(
      'after',
      `
Finds every file, verdict and exchange of a run that was changed, lost or added
since it was attested, and tells the verdict on each profile. Only a conformant
run of the whole is a certification: a part, any other verdict, and a failure
that the target file excuses as a known deviation end with exit code 1. Without
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

/** The folder may be a stranger's: nothing of it reaches the terminal as it is. */
function verificationText(verification: Verification, paint: Paint): string {
  const { attestation, problems, notCertified } = verification;
  const { subject, verdict, startedAt, tool, files, exchanges, requirements: judged } = attestation;
  const rest = problems.length - shownProblems;
  return [
    problems.length === 0 ? paint('green', 'UNCHANGED') : paint('red', 'CHANGED'),
    ...problems.slice(0, shownProblems).map((problem) => `  ${paint('red', '✗')} ${shown(problem)}`),
    ...(rest > 0 ? [`  … and ${rest} more.`] : []),
    ...(notCertified === undefined
      ? []
      : [`  ${paint('yellow', '!')} This is no certification: ${shown(notCertified)}.`]),
    `  ${shown(`${subject.name}: ${verdict}, ${startedAt}, ${tool.name} ${tool.version}`)}`,
    attestation.extent === 'whole'
      ? '  The whole was judged, profile by profile:'
      : `  Only a part was judged: ${shown(attestation.selection ?? 'unknown which')}`,
    ...Object.entries(attestation.profiles).map(
      ([id, { version, verdict: own }]) => `    ${shown(`${id} ${version}: ${own}`)}`,
    ),
    ...Object.entries(attestation.notBinding).map(
      ([what, why]) => `    ${shown(`${what}: not binding. ${why}`)}`,
    ),
    ...Object.entries(attestation.knownDeviations).map(
      ([what, why]) => `    ${shown(`${what}: broken, a known deviation of the target file. ${why}`)}`,
    ),
    ...(attestation.insecure === true ? ['  The certificate of the bank was not verified.'] : []),
    `  ${Object.keys(files).length} files, ${exchanges.length} exchanges, ${Object.keys(judged).length} requirements${attestation.side === 'tpp' ? '' : `, ${attestation.runs} ${attestation.runs === 1 ? 'case' : 'cases'} of each property`}`,
    `  Statement SHA-256 ${shown(attestation.statement)}, as the pages of the run tell it`,
    `  ${signatureLine(verification)}`,
  ].join('\n');
}

async function verified(
  run: string,
  { publicKey }: VerifyFlags,
  whole: WholeOfVersion,
): Promise<Verification> {
  try {
    const key = publicKey === undefined ? undefined : readPublicKey(resolve(publicKey));
    return await inFolder(resolve(run), (dir) => verifyAttestation(dir, requirements, key, whole));
  } catch (error) {
    if (
      error instanceof AttestationError ||
      error instanceof AttestationKeyError ||
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

const summaryOf = ({ attestation, signature, keyFingerprint, notCertified }: Verification) => ({
  subject: attestation.subject,
  verdict: attestation.verdict,
  ...(notCertified === undefined ? {} : { notCertified }),
  extent: attestation.extent,
  profiles: attestation.profiles,
  notBinding: attestation.notBinding,
  knownDeviations: attestation.knownDeviations,
  runs: attestation.runs,
  ...(attestation.selection === undefined ? {} : { selection: attestation.selection }),
  statement: attestation.statement,
  signature,
  ...(keyFingerprint === undefined ? {} : { keyFingerprint }),
});

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
