import { existsSync, rmSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Command } from 'commander';
import type { AttestedFrom } from '../report/attestation.ts';
import { readJournal } from '../report/journal.ts';
import { AttestationError, attestedFiles, isAttested } from '../report/read-attestation.ts';
import { ArchiveError, packRun } from '../report/run-archive.ts';
import { holdFolder } from '../report/run-folder.ts';
import { verifyAttestation } from '../report/verify-attestation.ts';
import { whyNotOurs } from '../report/whole-run.ts';
import { writeNamed } from '../report/write-files.ts';
import { writeReports } from '../report/write-reports.ts';
import { loadWhole } from '../runner/coverage.ts';
import { requirements } from '../spec/catalogue.ts';
import {
  type AttestingFlags,
  addAttestingOptions,
  addUnattestedOption,
  attestedFrom,
  attestRun,
  reportOptionsOf,
  stamped,
} from './report-options.ts';
import { CommandError, exitCodes, type Finish, terminalOf } from './terminal.ts';

interface AttestFlags extends AttestingFlags {
  readonly out: string;
  readonly unattested?: boolean;
}

export const attestCommand = (finish: Finish): Command =>
  addUnattestedOption(addAttestingOptions(new Command('attest')))
    .argument('<run>', 'folder of the run, such as reports/latest')
    .requiredOption('-o, --out <file>', 'the file to write, such as bank.tar.gz')
    .addHelpText(
      'after',
      `
Packs one run into one file to hand in, with everything that verify needs. With
a key its reports are built again, so that they tell whose key it is, and
signed; without one it is packed as it was attested. A run that was changed
since is not packed, and one that nothing attests yet (a killed one, or one
whose attestation is gone) is signed only with --unattested. --subject goes with
a key; --timestamp stamps an attestation of before as well.

Examples:
  $ xs2a-conformance attest reports/bank --out bank.tar.gz --attest-key key.pem
  $ xs2a-conformance verify bank.tar.gz --public-key attest.pub

Exit codes: 0 packed, 2 wrong usage, no run, or one that was changed since it
was attested, 3 no time stamp (and nothing packed).`,
    )
    .action(async (run: string, flags: AttestFlags) => finish(await attest(resolve(run), flags)));

async function attest(dir: string, { out, ...flags }: AttestFlags): Promise<number> {
  const file = resolve(out);
  if (!/\.(?:tar\.gz|tgz)$/.test(file)) throw new CommandError('--out names a .tar.gz file.');
  if (!relative(dir, file).startsWith('..')) {
    throw new CommandError('--out lies in the folder of the run, which would change what is attested.');
  }
  if (flags.subject !== undefined && flags.attestKey === undefined)
    throw new CommandError('--subject changes what is attested: sign that with --attest-key.');
  const packed = await packedRun(dir, flags);
  if (packed === undefined) return exitCodes.incomplete;
  try {
    // Removed first, so that a link of that name is not written through.
    rmSync(file, { force: true });
    writeNamed(file, packed, 0o600);
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error);
    throw new CommandError(`The run cannot be packed into ${out}: ${told}.`);
  }
  terminalOf(process.stdout).write(`Packed into ${file} (${(packed.length / 1e6).toFixed(1)} MB).\n`);
  return exitCodes.conformant;
}

/** Undefined where the time stamp that is asked for is not to be had. */
async function packedRun(dir: string, flags: Omit<AttestFlags, 'out'>): Promise<Buffer | undefined> {
  const { attestKey } = flags;
  try {
    // A run that was killed has no attestation yet; whatever has one is as it says, or is not signed for.
    if (attestKey === undefined || isAttested(dir)) refuseChanged(dir);
    const attested =
      attestKey === undefined
        ? await stamped(dir, flags)
        : await signAnew(dir, flags, attestedFrom([dir], flags));
    if (attested !== exitCodes.conformant) return undefined;
    return packRun(dir, attestedFiles(dir));
  } catch (error) {
    if (error instanceof AttestationError || error instanceof ArchiveError) {
      throw new CommandError(error.message);
    }
    throw error;
  }
}

function refuseChanged(dir: string): void {
  const [first, ...rest] = verifyAttestation(dir, requirements).problems;
  if (first === undefined) return;
  throw new CommandError(
    `The run is not as it was attested: ${first}${rest.length === 0 ? '' : ` And ${rest.length} more.`} The command verify tells all of it.`,
  );
}

/** The pages tell who signs, so that they are built again for it: with what the run left before. */
async function signAnew(dir: string, flags: AttestingFlags, from: AttestedFrom): Promise<number> {
  // Where there is no folder there is nothing to hold.
  const release = existsSync(dir) ? holdFolder(dir) : () => {};
  try {
    const html = existsSync(resolve(dir, 'report.html'));
    const allure = existsSync(resolve(dir, 'allure.html'));
    const allureResults = existsSync(resolve(dir, 'allure-results'));
    const whole = await loadWhole();
    const notOurs = whyNotOurs(readJournal(dir).header, whole);
    if (notOurs !== undefined) throw new CommandError(notOurs);
    const options = reportOptionsOf({ ...flags, html, allure, allureResults });
    await writeReports(dir, { ...options, whole, remembers: false });
    return await attestRun(dir, flags, from, whole);
  } finally {
    release();
  }
}
