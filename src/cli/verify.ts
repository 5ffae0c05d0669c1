import { resolve } from 'node:path';
import { Command } from 'commander';
import { AttestationKeyError, readPublicKey } from '../report/attestation.ts';
import { oneShortLine, terminalJson } from '../report/harmless-text.ts';
import { AttestationError, type Verification, verifyAttestation } from '../report/verify-attestation.ts';
import { requirements } from '../spec/catalogue.ts';
import { CommandError, exitCodes, type Finish } from './exit-codes.ts';
import { painter, terminalOf } from './terminal.ts';

interface VerifyFlags {
  readonly publicKey?: string;
  readonly json?: boolean;
}

const shownProblems = 50;

export const verifyCommand = (finish: Finish): Command =>
  new Command('verify')
    .argument('<run>', 'folder of the run, such as reports/latest')
    .option('--public-key <file>', 'the key (or certificate) of whoever is to have signed it, in PEM')
    .option('--json', 'print what was found as JSON')
    .addHelpText(
      'after',
      `
Finds every file, verdict and exchange of a run that was changed, lost or added since it was attested. Without
--public-key a signature only shows that nothing was changed by anybody who lacks the key, whoever has it.

Examples:
  $ openssl genpkey -algorithm ed25519 -out attest.key
  $ openssl pkey -in attest.key -pubout -out attest.pub
  $ xs2a-conformance run --target bank.yaml --attest-key attest.key --out reports/bank
  $ xs2a-conformance verify reports/bank --public-key attest.pub

Exit codes: 0 nothing was changed, 1 something was, 2 wrong usage or no attestation.`,
    )
    .action((run: string, flags: VerifyFlags) => finish(verifyRun(run, flags)));

function verifyRun(run: string, flags: VerifyFlags): number {
  const terminal = terminalOf(process.stdout);
  const verification = verified(run, flags);
  const { attestation, problems } = verification;
  if (flags.json === true) {
    terminal.write(`${terminalJson({ ok: problems.length === 0, ...summaryOf(verification), problems })}\n`);
  } else {
    const paint = painter(terminal.colour);
    const rest = problems.length - shownProblems;
    terminal.write(
      `${[
        problems.length === 0 ? paint('green', 'UNCHANGED') : paint('red', 'CHANGED'),
        ...problems.slice(0, shownProblems).map((problem) => `  ${paint('red', '✗')} ${problem}`),
        ...(rest > 0 ? [`  … and ${rest} more.`] : []),
        // Text of whoever wrote the folder.
        `  ${oneShortLine(`${attestation.subject.name}: ${attestation.verdict}, ${attestation.startedAt}, ${attestation.tool.name} ${attestation.tool.version}`, 300)}`,
        ...(attestation.selection === undefined
          ? []
          : [`  Only a part was judged: ${oneShortLine(attestation.selection, 300)}`]),
        `  ${Object.keys(attestation.files).length} files, ${attestation.exchanges.length} exchanges, ${Object.keys(attestation.requirements).length} requirements`,
        `  ${signatureLine(verification)}`,
      ].join('\n')}\n`,
    );
  }
  return problems.length === 0 ? exitCodes.conformant : exitCodes.nonConformant;
}

function verified(run: string, { publicKey }: VerifyFlags): Verification {
  try {
    const key = publicKey === undefined ? undefined : readPublicKey(resolve(publicKey));
    return verifyAttestation(resolve(run), requirements, key);
  } catch (error) {
    if (error instanceof AttestationError || error instanceof AttestationKeyError)
      throw new CommandError(error.message);
    throw error;
  }
}

const summaryOf = ({ attestation, signature, keyFingerprint }: Verification) => ({
  subject: attestation.subject,
  verdict: attestation.verdict,
  ...(attestation.selection === undefined ? {} : { selection: attestation.selection }),
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
