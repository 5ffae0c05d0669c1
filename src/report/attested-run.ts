import { readdirSync } from 'node:fs';
import { recordingFile } from '../certification/recording.ts';
import type { RunRecord } from '../checks/verdict.ts';
import { type AttestedFrom, fileHashes } from './attestation.ts';
import { isOfRun, journalFile, readJournal } from './journal.ts';
import { AttestationError, readSealed, type SealedAttestation } from './read-attestation.ts';
import { innerMark } from './run-folder.ts';
import { sealProblems } from './verify-attestation.ts';
import { heldToWhole, notWhole, type WholeOfVersion } from './whole-run.ts';

/** What all reports of a run are made of: where that was changed, they must not be attested anew as if it was not. */
const evidence: readonly string[] = [journalFile, recordingFile];

/** Whether a run folder holds an attestation that somebody has signed. */
export const isSigned = (dir: string): boolean => sealedIn(dir)?.signature !== undefined;

/** The files of its evidence that are no longer what a run folder is attested to hold; none without an attestation. */
export function changedEvidence(dir: string): readonly string[] {
  const sealed = sealedIn(dir);
  if (sealed === undefined) return [];
  // An attestation that was itself changed to fit speaks for nothing.
  if (sealProblems(sealed).length > 0) return [sealed.file];
  const found = fileHashes(dir, (path) => !evidence.includes(path));
  const attested = new Map(Object.entries(sealed.attestation.files));
  return evidence.filter((path) => attested.get(path) !== found.get(path));
}

/**
 * What an attestation that is made now relies on. One that was made of an unattested folder is none to rely on: anybody
 * can make it.
 */
export function attestedFromFolder(dir: string): Exclude<AttestedFrom, 'run'> {
  const from = sealedIn(dir)?.attestation.attestedFrom;
  return from === 'run' || from === 'attested folder' ? 'attested folder' : 'unattested folder';
}

/** What stands in a run folder and was left there by no run: files and folders, by their names. */
export const foreignFiles = (dir: string): readonly string[] =>
  readdirSync(dir).filter((name) => !isOfRun(name) && name !== innerMark);

/** Why nobody vouches for a run; undefined where it is as it was attested, or was never attested. */
export function whyNotAsAttested(dir: string): string | undefined {
  const changed = changedEvidence(dir);
  return changed.length === 0
    ? undefined
    : `The run is not as it was attested: ${changed.join(' and ')} ${changed.length === 1 ? 'was' : 'were'} changed since.`;
}

/** Reads a run back for a verdict on it. One that was changed since it was attested is no whole, whatever it says. */
export function readRun(dir: string, whole?: WholeOfVersion): RunRecord {
  const run = heldToWhole(readJournal(dir), whole);
  const why = whyNotAsAttested(dir);
  return why === undefined ? run : notWhole(run, why);
}

function sealedIn(dir: string): SealedAttestation | undefined {
  try {
    return readSealed(dir);
  } catch (error) {
    if (error instanceof AttestationError) return undefined;
    throw error;
  }
}
